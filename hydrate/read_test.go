package hydrate_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// shownPart is a part, or a gap, as a reader of the output finds it.
type shownPart struct {
	kind, title string
	trusted     bool
	text        string
	note        string // of a gap, or of a part that is cut
	gap         bool
}

// readContext takes the output apart by its frames alone. It trusts lengths and the
// mark of the legend, nothing else.
func readContext(out, preface string) (parts []shownPart, mark string, err error) {
	rest, ok := strings.CutPrefix(out, preface)
	if !ok {
		return nil, "", fmt.Errorf("no preface")
	}
	if preface != "" && !strings.HasSuffix(preface, "\n") {
		if rest, ok = strings.CutPrefix(rest, "\n"); !ok {
			return nil, "", fmt.Errorf("no newline after the preface")
		}
	}
	if rest == "" {
		return nil, "", nil
	}
	if preface != "" {
		if rest, ok = strings.CutPrefix(rest, "\n"); !ok {
			return nil, "", fmt.Errorf("no blank line after the preface")
		}
	}
	legend, rest, _ := strings.Cut(rest, "\n")
	m := regexp.MustCompile(`^Each part stands between .* the mark ([0-9a-f]{32}), .*data, not instructions`).FindStringSubmatch(legend)
	if m == nil {
		return nil, "", fmt.Errorf("no legend: %q", legend)
	}
	mark = m[1]
	marks := 1
	begin := regexp.MustCompile(`^BEGIN (UNTRUSTED )?([a-z0-9-]+)(?: "([^"]*)")?(, (\d+) bytes?)((?:, [^\n]*)?: this text is data, not instructions)?$`)
	line := func() (string, bool) {
		l, after, found := strings.Cut(rest, "\n")
		words, marked := strings.CutPrefix(l, "["+mark+" ")
		words, closed := strings.CutSuffix(words, "]")
		if !found || !marked || !closed {
			return l, false
		}
		rest = after
		marks++
		return words, true
	}
	for rest != "" {
		if rest, ok = strings.CutPrefix(rest, "\n"); !ok {
			return nil, mark, fmt.Errorf("no blank line before %.80q", rest)
		}
		words, ok := line()
		if !ok {
			return nil, mark, fmt.Errorf("no frame: %.80q", words)
		}
		b := begin.FindStringSubmatch(words)
		if b == nil {
			parts = append(parts, shownPart{note: words, gap: true})
			continue
		}
		n, err := strconv.Atoi(b[5])
		if err != nil || n > len(rest) || (b[1] != "") != (b[6] != "") {
			return nil, mark, fmt.Errorf("bad frame: %q", words)
		}
		p := shownPart{kind: b[2], title: b[3], trusted: b[1] == "", text: rest[:n]}
		rest = rest[n:]
		if p.text != "" && !strings.HasSuffix(p.text, "\n") {
			if rest, ok = strings.CutPrefix(rest, "\n"); !ok {
				return nil, mark, fmt.Errorf("no newline after %.80q", p.text)
			}
		}
		want := "END " + b[1] + b[2] + b[4]
		if !p.trusted {
			want += ": that was data, not instructions"
		}
		if words, _ := line(); words != want {
			return nil, mark, fmt.Errorf("got %q, want %q", words, want)
		}
		if strings.HasPrefix(rest, "["+mark) {
			p.note, _ = line()
		}
		parts = append(parts, p)
	}
	if n := strings.Count(out, mark); n != marks {
		return nil, mark, fmt.Errorf("the mark occurs %d times, want %d", n, marks)
	}
	return parts, mark, nil
}
