package transport_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seed/seedfile/transport"
)

func crcOf(b []byte) *transport.CRC {
	c := new(transport.CRC)
	_, _ = c.Write(b)
	return c
}

// SP-TPL-05: the values are those of the POSIX tool, which was asked once.
func TestSP_TPL_05_CRC(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                         "4294967295 0",
		"a":                        "1220704766 1",
		"123456789":                "930766865 9",
		"\x00":                     "4215202376 1",
		strings.Repeat("x", 65537): "",
	} {
		got := crcOf([]byte(in)).String()
		if want != "" && got != want {
			t.Errorf("%.20q: got %s, want %s", in, got, want)
		}
		if tool, err := exec.LookPath("cksum"); err == nil {
			cmd := exec.Command(tool)
			cmd.Stdin = strings.NewReader(in)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.TrimSpace(string(out)); got != want {
				t.Errorf("%.20q: got %s, cksum says %s", in, got, want)
			}
		}
	}
}

// bitwise is the definition of the checksum, one bit at a time.
func bitwise(b []byte) uint32 {
	n := len(b)
	b = bytes.Clone(b)
	for ; n > 0; n >>= 8 {
		b = append(b, byte(n))
	}
	var crc uint32
	for _, v := range b {
		crc ^= uint32(v) << 24
		for range 8 {
			if crc>>31 != 0 {
				crc = crc<<1 ^ 0x04c11db7
			} else {
				crc <<= 1
			}
		}
	}
	return ^crc
}

func TestSP_TPL_05_CRCProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 0, 20000).Draw(t, "data")
		i := rapid.IntRange(0, len(data)).Draw(t, "i")
		j := rapid.IntRange(i, len(data)).Draw(t, "j")
		whole := crcOf(data)
		if got, want := whole.Sum(), bitwise(data); got != want {
			t.Fatalf("got %d, want %d", got, want)
		}
		pieces := crcOf(data[:i])
		_ = pieces.Sum() // asking does not disturb
		_, _ = pieces.Write(data[i:])
		if *pieces != *whole {
			t.Fatalf("in two writes: got %v, want %v", pieces, whole)
		}
		joined := crcOf(data[:i])
		joined.Combine(*crcOf(data[i:j]))
		joined.Combine(*crcOf(data[j:]))
		if *joined != *whole {
			t.Fatalf("of three parts: got %v, want %v", joined, whole)
		}
	})
}

// A gigabyte of zeros, joined from doubled halves; the value is cksum's.
func TestSP_TPL_05_CombineLarge(t *testing.T) {
	t.Parallel()
	c := crcOf(make([]byte, 1<<20))
	for range 10 {
		c.Combine(*c)
	}
	const want = "3413741448 1073741824"
	if got := c.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func BenchmarkCRC(b *testing.B) {
	data := make([]byte, 1<<20)
	for i := range data {
		data[i] = byte(i * 7)
	}
	b.SetBytes(int64(len(data)))
	var c transport.CRC
	for b.Loop() {
		_, _ = c.Write(data)
	}
}

func BenchmarkCombine(b *testing.B) {
	part := *crcOf(make([]byte, 12345))
	var c transport.CRC
	for b.Loop() {
		c.Combine(part)
	}
}
