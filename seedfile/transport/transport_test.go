package transport_test

import (
	"os"
	"strings"
	"testing"

	"seed/seedfile/transport"
)

// full asks for the long form of the tests: every offset, every combination.
var full = os.Getenv("SEED_TEST_FULL") == "1"

var allProfiles = []transport.Profile{transport.Doc, transport.Tree, transport.Full, transport.Bin}

func sample() transport.Params {
	return transport.Params{URL: transport.Unplanted, File: "note.md", Sum: "1598545809 104", Sentinel: "SEED_70DD0AE2"}
}

func TestSP_TPL_07_For(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		grow   string
		line   string
		binary bool
		want   transport.Profile
	}{
		{"show", "grow: show", false, transport.Doc},
		{"show", "grow: show ", false, transport.Tree},
		{"show", `grow: "show"`, false, transport.Tree},
		{"show", "grow:", false, transport.Tree},
		{"unfold", "grow: unfold", false, transport.Tree},
		{"copy show", "grow:", false, transport.Tree},
		{"unfold exec", "grow:", false, transport.Full},
		{"https://example.org/x", "grow: https://example.org/x", false, transport.Full},
		{"install", "grow: install", false, transport.Full},
		{"unfold", "grow: unfold", true, transport.Bin},
		{"show", "grow: show", true, transport.Bin},
	} {
		if got := transport.For(strings.Fields(c.grow), c.line, c.binary); got != c.want {
			t.Errorf("%q, binary %v: got %v, want %v", c.line, c.binary, got, c.want)
		}
	}
}

func TestSP_FMT_02_Head(t *testing.T) {
	t.Parallel()
	want := `# Usage: curl -sSL https://seed.invalid/unplanted | bash -s <path>

{ seed_file=note.md seed_sum='1598545809 104'; seed_doc() {
cat > "$TARGET/note.md" <<'SEED_70DD0AE2'
`
	for _, p := range allProfiles {
		if got := string(p.Head(sample())); got != want {
			t.Errorf("%v: got %q, want %q", p, got, want)
		}
	}
}

// SP-TPL-01 to 03: one brace group, exit before its end, an indented machine part.
func TestSP_TPL_01_Tail(t *testing.T) {
	t.Parallel()
	seen := map[string]transport.Profile{}
	for _, p := range allProfiles {
		tail := string(p.Tail("SEED_70DD0AE2"))
		if !strings.HasPrefix(tail, "SEED_70DD0AE2\n}\n\n    # Seed/1.0 transport "+p.String()) {
			t.Errorf("%v: begins with %.60q", p, tail)
		}
		if !strings.HasSuffix(tail, "\n    exit 0\n    }\n") {
			t.Errorf("%v: ends with %q", p, tail[len(tail)-40:])
		}
		_, machine, _ := strings.Cut(tail, "\n}\n\n")
		for line := range strings.Lines(machine) {
			if !strings.HasPrefix(line, "    ") {
				t.Errorf("%v: line is not indented: %q", p, line)
			}
			if strings.TrimRight(line, " \t\r\n")+"\n" != line {
				t.Errorf("%v: line ends with a blank: %q", p, line)
			}
		}
		if other, ok := seen[tail]; ok {
			t.Errorf("%v is the same as %v", p, other)
		}
		seen[tail] = p
		t.Logf("%v: %d bytes, %d lines", p, len(p.Head(sample()))+len(tail), strings.Count(string(p.Head(sample()))+tail, "\n"))
	}
}
