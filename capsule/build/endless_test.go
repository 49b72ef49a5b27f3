package build_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
)

// endless gives bytes for ever and counts them.
type endless struct{ n int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.n += int64(len(p))
	return len(p), nil
}

// TestCAP_BLD_05_EndlessFiles: a file that grows without end is given up as soon as
// it is longer than was said.
func TestCAP_BLD_05_EndlessFiles(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{0, 4, 256 << 10, 300_000, 3 << 20} {
		var r endless
		d := draft(t)
		d.Files = []build.File{{Path: "payload/a", Size: size, Open: func() (io.ReadCloser, error) { return io.NopCloser(&r), nil }}}
		if _, err := build.Write(&memory{}, &d); err == nil || !strings.Contains(err.Error(), "bytes now, had") || r.n > size+1<<20 {
			t.Errorf("%d bytes: got %v after %d bytes", size, err, r.n)
		}
	}
}

// TestCAP_ENC_11_OtherBytesThanVerified: what is encrypted is the capsule that the
// result speaks of, not another of the same line.
func TestCAP_ENC_11_OtherBytesThanVerified(t *testing.T) {
	t.Parallel()
	d := draft(t)
	one, _ := write(t, d)
	d.Files = append(d.Files, build.Text("payload/other", "x"))
	other, _ := write(t, d)
	res, c, err := capsule.VerifyOpen(bytes.NewReader(one), int64(len(one)), capsule.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := build.EncryptOptions{Signers: d.Signers, Recipients: secret(t).Recipients, Rand: constant(3)}
	if _, err := build.Encrypt(&memory{}, c, res, bytes.Clone(one), o); err != nil {
		t.Fatal(err)
	}
	if _, err := build.Encrypt(&memory{}, c, res, bytes.Clone(other), o); err == nil || !strings.Contains(err.Error(), "changed since it was verified") {
		t.Errorf("got %v, want a refusal", err)
	}
}
