package seedfile_test

import (
	"fmt"
	"strings"
	"testing"

	"seed/finding"
	"seed/seedfile"
)

// SP-PAY-04: control and invisible characters are data, and a checker that is
// asked to says where they are.
func TestSP_PAY_04_Hidden(t *testing.T) {
	t.Parallel()
	text := wrap(simpleMeta + "plain\na\x1b[31m\nb\u202e\u202e\n\u0085\n")
	check := func(text string, hidden bool) []finding.Finding {
		f, rep, err := seedfile.Check(strings.NewReader(text), int64(len(text)), seedfile.Options{Hidden: hidden})
		if err != nil || f == nil {
			t.Fatalf("got %v, %v, want a seed", rep.Err(), err)
		}
		var out []finding.Finding
		for _, f := range rep.Findings {
			if f.Rule.ID == "SP-PAY-04" {
				out = append(out, f)
			}
		}
		return out
	}
	if got := check(text, false); len(got) != 0 {
		t.Errorf("not asked: got %v, want nothing", got)
	}
	got := check(text, true)
	if len(got) != 3 {
		t.Fatalf("got %v, want three places", got)
	}
	for i, want := range []finding.Place{{Line: docLine + 8, Col: 2}, {Line: docLine + 9, Col: 2}, {Line: docLine + 10, Col: 1}} {
		if got[i].At != want || got[i].Severity != finding.Warning {
			t.Errorf("got %v at %v, want a warning at %v", got[i], got[i].At, want)
		}
	}
	if !strings.Contains(got[1].Msg, "2 in a row") {
		t.Errorf("got %q, want both overrides in it", got[1].Msg)
	}
	many := check(wrap(simpleMeta+strings.Repeat("\x1b x\n", 1000)), true)
	if n := len(many); n != 21 || !strings.Contains(many[20].Msg, "980 more") {
		t.Errorf("got %d findings, the last %v; want 20 and a count of the rest", n, many[n-1])
	}
	tagged := check(wrap(simpleMeta+"x\U000e0068\U000e0069\n"), true)
	if len(tagged) != 1 || !strings.Contains(tagged[0].Msg, `"hi"`) {
		t.Errorf("got %v, want the hidden text in words", tagged)
	}
}

// The report of an archive is bounded.
func TestCheck_Bounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(section(fmt.Sprintf("../%d", i), "", "x\n"))
	}
	text := wrap(archive(b.String() + arcEnd))
	f, rep, err := seedfile.Check(strings.NewReader(text), int64(len(text)), seedfile.Options{})
	if f != nil || err != nil || len(rep.Findings) != seedfile.MaxFindings {
		t.Errorf("got %d findings, %v, want %d", len(rep.Findings), err, seedfile.MaxFindings)
	}
	last := rep.Findings[len(rep.Findings)-1]
	if want := arcLine + 2*(seedfile.MaxFindings-1); last.At.Line != want {
		t.Errorf("got the last at line %d, want %d", last.At.Line, want)
	}
}

// SP-PACK-06: metadata of any legal size survives packing.
func TestSP_PACK_06_LargeMetadata(t *testing.T) {
	t.Parallel()
	room := seedfile.MaxMetadata - len("---\n"+required+"---\n") - len("# \n")
	for _, n := range []int{600 << 10, room} {
		text := wrap(doc(required + "# " + strings.Repeat("x", n) + "\n"))
		once := repack(t, text, seedfile.PackOptions{})
		if repack(t, once, seedfile.PackOptions{}) != once {
			t.Errorf("%d bytes: packing again changed the seed", n)
		}
	}
}
