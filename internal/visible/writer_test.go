package visible_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"seed/internal/visible"
)

const mixed = "# T\x1b[31mitle\r\nlone\rcr 日本語 \u202eabc\u202c\tx\n👨\u200d💻 \xff\xe2\x82 \ue000\U000e0041 end\u009b1m\r"

func TestSP_DIR_01_WriterModes(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		mode visible.Mode
		want string
	}{
		{
			"show", visible.Show,
			`# T\x1b[31mitle` + "\r\n" + `lone\rcr 日本語 \u202eabc\u202c` + "\tx\n👨\u200d💻 " +
				`\xff\xe2\x82 \ue000\U000e0041 end\u009b1m\r`,
		},
		{
			"remove", visible.Remove,
			"# T[31mitle\r\nlonecr 日本語 abc\tx\n👨\u200d💻 \ufffd\ufffd\ufffd \ufffd end1m",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			// Every way to cut the text in two must give the same.
			for cut := range len(mixed) + 1 {
				var out bytes.Buffer
				w := visible.NewWriter(&out, c.mode)
				for _, part := range []string{mixed[:cut], mixed[cut:]} {
					if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
						t.Fatalf("Write = %d, %v, want %d, nil", n, err, len(part))
					}
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				if got := out.String(); got != c.want {
					t.Fatalf("cut at %d: got %+q, want %+q", cut, got, c.want)
				}
			}
		})
	}
}

func TestWriterByteByByteOfLongText(t *testing.T) {
	t.Parallel()
	in := strings.Repeat(mixed, 2000) // larger than the Writer's pieces
	want := visible.Block(in)
	var whole, single bytes.Buffer
	w := visible.NewWriter(&whole, visible.Show)
	w.Write([]byte(in))
	w.Flush()
	w = visible.NewWriter(&single, visible.Show)
	for i := range len(in) {
		w.Write([]byte{in[i]})
	}
	w.Flush()
	if whole.String() != want {
		t.Error("one large write differs from Block")
	}
	if single.String() != want {
		t.Error("writes of one byte differ from Block")
	}
}

type brokenWriter struct{ left int }

var errBroken = errors.New("broken")

func (b *brokenWriter) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestWriterKeepsItsError(t *testing.T) {
	t.Parallel()
	w := visible.NewWriter(&brokenWriter{left: 1}, visible.Show)
	if _, err := w.Write([]byte("a")); err != nil {
		t.Fatalf("first write: got %v, want nil", err)
	}
	for range 2 {
		if n, err := w.Write([]byte("b")); n != 0 || !errors.Is(err, errBroken) {
			t.Errorf("write: got %d, %v, want 0, %v", n, err, errBroken)
		}
	}
	if err := w.Flush(); !errors.Is(err, errBroken) {
		t.Errorf("flush: got %v, want %v", err, errBroken)
	}
}

func TestWriterServesAnotherTextAfterFlush(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := visible.NewWriter(&out, visible.Show)
	w.Write([]byte("❤"))
	w.Flush()
	w.Write([]byte("\ufe0f\xe2"))
	w.Flush()
	if got, want := out.String(), "❤"+`\ufe0f\xe2`; got != want {
		t.Errorf("got %+q, want %+q", got, want)
	}
}
