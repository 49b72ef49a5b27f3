package capsule_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"regexp"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/hydrate"
)

// longLog is a draft with many small events, and agents, skills and a payload that
// are too long to slip into what the events leave of a small budget.
func longLog(t testing.TB, events int, marked bool) []byte {
	t.Helper()
	long := strings.Repeat("These words are for whoever goes on with it.\n", 300)
	return sealFile(t, func(d *build.Draft) {
		var log chain.Log
		var lines []byte
		for i := range events {
			e := chain.Draft{
				Actor: "human:ana", Action: "counted", Timestamp: sealedNoon,
				Payload: fmt.Appendf(nil, `{"note":"the count is %d"}`, i),
			}
			if marked && i%2 == 0 {
				e.Untrusted = []string{"payload.note"}
			}
			line, err := log.Append(e)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, line...)
		}
		d.Chain = build.Bytes(chain.Path, lines)
		d.Files = []build.File{
			build.Text("program.md", "# Program\nCount, and write down what you counted.\n"), build.Text("agents.md", long),
			build.Text("skills/sum/skill.json", "{}"), build.Text("skills/sum/SKILL.md", long), build.Text("payload/a.txt", long),
		}
	})
}

// shownEvents lists the numbers of the events in the pieces, in order, without
// those of marked fields.
func shownEvents(t *testing.T, pieces []hydrate.Piece) []int {
	t.Helper()
	var list []int
	for _, p := range pieces {
		if p.Kind != "events" || strings.HasSuffix(p.Title, "marked fields") {
			continue
		}
		for line := range strings.Lines(p.Text) {
			var e struct{ Seq int }
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatalf("%q is no event: %v", line, err)
			}
			list = append(list, e.Seq)
		}
	}
	return list
}

// TestCAP_HYD_04_SealedCapsule holds a sealed capsule to many budgets: verdict and
// program first, then the newest events without holes, then everything else; and
// what is left out is said.
func TestCAP_HYD_04_SealedCapsule(t *testing.T) {
	t.Parallel()
	const events = 40
	for _, c := range []struct {
		name   string
		marked bool
		allow  []string
	}{
		{"untrusted", true, nil},
		{"trusted", false, []string{signerHex("ana")}},
		{"trusted with marked fields", true, []string{signerHex("ana")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			data := longLog(t, events, c.marked)
			res, opened := verify(t, data, capsule.Options{Allowlist: c.allow})
			before := 0
			for most := 700; most <= 3100; most += 100 {
				parts, err := opened.Context(res, capsule.ContextOptions{MaxTokens: most, Payload: []string{"payload/a.txt"}})
				if err != nil {
					t.Fatal(err)
				}
				pieces, report := hydrate.Select(parts, hydrate.Options{MaxTokens: most})
				if report.Tokens > most {
					t.Errorf("budget %d: %d tokens", most, report.Tokens)
				}
				if len(pieces) < 2 || pieces[0].Kind != "verdict" || pieces[1].Kind != "program" || pieces[1].Note != "" {
					t.Fatalf("budget %d: got %+v, want verdict and program whole", most, pieces)
				}
				shown := shownEvents(t, pieces)
				for i, seq := range shown {
					if want := events - len(shown) + 1 + i; seq != want {
						t.Fatalf("budget %d: got the events %v, want the newest without holes", most, shown)
					}
				}
				if len(shown) < before-2 { // larger groups may cost the oldest one
					t.Errorf("budget %d: %d events, %d with a smaller one", most, len(shown), before)
				}
				before = len(shown)
				if len(shown) == events {
					continue
				}
				if spare := most - report.Tokens; len(shown) == 0 || spare > most/6+200 {
					t.Errorf("budget %d: %d events and %d tokens to spare", most, len(shown), spare)
				}
				omitted := 0
				for _, p := range pieces[2:] {
					omitted += p.Omitted
					switch {
					case p.Omitted > 0 && !strings.Contains(p.Note, fmt.Sprintf("omitted to stay within %d tokens", most)):
						t.Errorf("budget %d: got the note %q", most, p.Note)
					case p.Kind == "agents" || p.Kind == "skill" || p.Kind == "payload":
						t.Errorf("budget %d: %s is shown and events are left out", most, p.Kind)
					}
				}
				if omitted == 0 || omitted != report.Omitted {
					t.Errorf("budget %d: %d parts are said to be left out, the report has %d", most, omitted, report.Omitted)
				}
				var text strings.Builder
				if _, err := hydrate.Markdown(&text, "", parts, hydrate.Options{MaxTokens: most}); err != nil {
					t.Fatal(err)
				}
				if !regexp.MustCompile(`(?m)^\[[0-9a-f]{32} \d+ (parts?|events) omitted to stay within `).MatchString(text.String()) {
					t.Errorf("budget %d: the text does not say what is left out:\n%s", most, text.String())
				}
			}
			if before <= 4 || before == events {
				t.Errorf("got %d of %d events under the largest budget: the test shows little", before, events)
			}
		})
	}
}

// TestCAP_HYD_04_NothingBeforeEvents: verdict, program, events from the newest
// back, and all else behind them.
func TestCAP_HYD_04_NothingBeforeEvents(t *testing.T) {
	t.Parallel()
	res, c := verify(t, longLog(t, 40, true), capsule.Options{Allowlist: []string{signerHex("ana")}})
	parts, err := c.Context(res, capsule.ContextOptions{MaxTokens: 1000, Payload: []string{"payload/a.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	last, newest, oldest, others := 1<<62, 1<<62, 0, 0
	for _, p := range parts {
		switch p.Kind {
		case "verdict", "program":
			if p.Rank > hydrate.Essential {
				t.Errorf("%s has the rank %d", p.Kind, p.Rank)
			}
		case "events":
			if p.Rank > last {
				t.Errorf("%q has the rank %d, an older part %d", p.Title, p.Rank, last)
			}
			last, newest, oldest = p.Rank, min(newest, p.Rank), max(oldest, p.Rank)
		}
	}
	for _, p := range parts {
		if p.Kind == "verdict" || p.Kind == "program" || p.Kind == "events" {
			continue
		}
		others++
		if p.Rank <= oldest {
			t.Errorf("%s %q has the rank %d, the oldest event %d", p.Kind, p.Title, p.Rank, oldest)
		}
	}
	if newest <= hydrate.Essential || newest == oldest || others < 4 { // agents, skill, list, payload
		t.Errorf("got events from %d to %d and %d other parts", newest, oldest, others)
	}
}

// Two texts of one length and one CRC-32, as whoever changes a file can have them.
const (
	textBefore = "aaaaaaaa"
	textAfter  = "jdqb`g`c"
)

// TestCAP_HYD_05_FileChangedAfterTheVerdict: context is what was verified. When the
// file is another one by the time it is read, there is no context, even if every
// CRC-32 still fits; and nothing is kept from the time before.
func TestCAP_HYD_05_FileChangedAfterTheVerdict(t *testing.T) {
	t.Parallel()
	if crc32.ChecksumIEEE([]byte(textBefore)) != crc32.ChecksumIEEE([]byte(textAfter)) {
		t.Fatal("the texts have different checksums")
	}
	for _, place := range []string{"program.md", "agents.md", "skills/both/SKILL.md", "payload/a.txt", chain.Path} {
		for name, after := range map[string]string{"same checksum": textAfter, "other checksum": "bbbbbbbb"} {
			t.Run(place+" "+name, func(t *testing.T) {
				t.Parallel()
				data := sealFile(t, func(d *build.Draft) {
					d.Files = nil
					for _, path := range []string{"program.md", "agents.md", "skills/both/SKILL.md", "payload/a.txt"} {
						text := "words\n"
						if path == place {
							text = "words " + textBefore + "\n"
						}
						d.Files = append(d.Files, build.Text(path, text))
					}
					if place == chain.Path {
						var log chain.Log
						line, err := log.Append(chain.Draft{Actor: "human:ana", Action: "began", Timestamp: sealedNoon, Payload: []byte(`{"note":"` + textBefore + `"}`)})
						if err != nil {
							t.Fatal(err)
						}
						d.Chain = build.Bytes(chain.Path, line)
					}
				})
				ask := capsule.ContextOptions{Payload: []string{"payload/a.txt"}}
				res, c := verify(t, data, capsule.Options{Allowlist: []string{signerHex("ana")}}) // reads data in place
				first, err := c.Context(res, ask)
				if err != nil || !strings.Contains(texts(first), textBefore) {
					t.Fatalf("got %v, want the text as it was sealed", err)
				}
				at := bytes.Index(data, []byte(textBefore))
				copy(data[at:], after)
				if parts, err := c.Context(res, ask); err == nil {
					t.Errorf("got context from a file that changed:\n%s", texts(parts))
				}
				if again, _ := verify(t, data, capsule.Options{}); again.Verdict != capsule.Invalid {
					t.Errorf("got %s for the file as it is now", again.Verdict)
				}
				copy(data[at:], textBefore)
				second, err := c.Context(res, ask)
				if err != nil || texts(second) != texts(first) {
					t.Errorf("got %v and %s, want what the file says again", err, texts(second))
				}
			})
		}
	}
}

func texts(parts []hydrate.Part) string {
	var all strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&all, "%s %s: %s\n", p.Kind, p.Title, p.Text)
	}
	return all.String()
}
