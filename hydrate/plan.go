package hydrate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// plan decides what is shown. Costs are added up line by line, which is never
// less than the tokens of the whole, so what is planned fits.
func (r *renderer) plan(preface string, parts []Part, o Options) ([]Piece, Report) {
	p := planner{r: r, parts: parts, most: o.MaxTokens, shown: make([]int, len(parts)), kept: make([]bool, len(parts))}
	if o.MaxTokens <= 0 || p.allFit(Tokens(preface)) {
		for i := range parts {
			p.keep(i, len(parts[i].Text))
		}
	} else {
		p.fill(Tokens(preface))
	}
	return p.pieces()
}

// planner fills a budget.
type planner struct {
	r     *renderer
	parts []Part
	most  int
	costs []int // of each part, whole, with its frame

	spent int // without gaps
	gaps  int // runs of parts left out
	shown []int
	kept  []bool
}

// blankLine is what the empty line before each piece costs at most.
const blankLine = 1

// allFit computes the costs and reports whether nothing has to be left out.
func (p *planner) allFit(preface int) bool {
	p.costs = make([]int, len(p.parts))
	total := preface + blankLine + Tokens(p.r.legend())
	for i, part := range p.parts {
		var m meter
		m.add(part.Text)
		m.add(closing(part.Text))
		p.costs[i] = p.frame(part) + m.sum()
		total += p.costs[i]
	}
	return total <= p.most
}

// frame is the cost of a part without its text.
func (p *planner) frame(part Part) int {
	whole := piece(part, len(part.Text))
	return blankLine + Tokens(p.r.begin(whole)) + Tokens(p.r.end(whole))
}

// fill keeps parts by rank. Behind a part that does not fit none of its kind is
// tried, so that what is shown of a log is one end of it, without holes; parts of
// other kinds may still fit.
func (p *planner) fill(preface int) {
	p.spent = preface + blankLine + Tokens(p.r.legend())
	p.gaps = 1
	gap := p.gapCost()
	order := make([]int, len(p.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.parts[a].Rank, p.parts[b].Rank) })
	full := make(map[string]bool)
	for _, i := range order {
		part := p.parts[i]
		if full[part.Kind] {
			continue
		}
		room := p.most - p.spent - gap*(p.gaps+p.gapsBy(i))
		if p.costs[i] <= room {
			p.spent += p.costs[i]
			p.gaps += p.gapsBy(i)
			p.keep(i, len(part.Text))
			continue
		}
		full[part.Kind] = true
		if part.Rank <= Essential {
			fixed := p.frame(part) + Tokens(p.r.line(p.cutNote(len(part.Text), len(part.Text))))
			n, cost := lines(part.Text, room-fixed)
			if n > 0 {
				p.spent += fixed + cost
				p.gaps += p.gapsBy(i)
				p.keep(i, n)
			}
		}
	}
}

func (p *planner) keep(i, n int) {
	p.kept[i] = true
	p.shown[i] = n
}

// gapsBy is how the number of gaps changes when part i, so far left out, is kept.
func (p *planner) gapsBy(i int) int {
	by := -1
	if i > 0 && !p.kept[i-1] {
		by++
	}
	if i+1 < len(p.parts) && !p.kept[i+1] {
		by++
	}
	return by
}

// gapCost is the most that the line of a gap can cost.
func (p *planner) gapCost() int {
	most := Tokens(p.r.line(p.gapNote(len(p.parts), "")))
	seen := make(map[string]bool)
	for _, part := range p.parts {
		if !seen[part.Kind] {
			seen[part.Kind] = true
			most = max(most, Tokens(p.r.line(p.gapNote(len(p.parts), part.Kind))))
		}
	}
	return blankLine + most
}

// lines returns how many bytes of text, cut after a newline, cost no more than
// room, and what they cost.
func lines(text string, room int) (n, cost int) {
	var m meter
	for n < len(text) {
		end := strings.IndexByte(text[n:], '\n')
		if end < 0 {
			break
		}
		m.add(text[n : n+end+1])
		now := m.sum()
		if now > room {
			break
		}
		n, cost = n+end+1, now
	}
	return n, cost
}

// pieces returns the parts that are kept and the gaps between them.
func (p *planner) pieces() ([]Piece, Report) {
	var out []Piece
	var report Report
	for i := 0; i < len(p.parts); i++ {
		if p.kept[i] {
			one := piece(p.parts[i], p.shown[i])
			if p.shown[i] < one.Bytes {
				one.Note = p.cutNote(p.shown[i], one.Bytes)
				report.Cut = true
			}
			out = append(out, one)
			continue
		}
		from, kind := i, p.parts[i].Kind
		for i+1 < len(p.parts) && !p.kept[i+1] {
			i++
			if p.parts[i].Kind != kind {
				kind = ""
			}
		}
		n := i + 1 - from
		report.Omitted += n
		out = append(out, Piece{Kind: "omitted", Trusted: true, Omitted: n, Note: p.gapNote(n, kind)})
	}
	return out, report
}

// piece is a part of which n bytes are shown.
func piece(p Part, n int) Piece {
	one := Piece{
		Kind: plainKind(p.Kind), Title: label(p.Title, maxTitle), Trusted: p.Trusted,
		Text: p.Text[:n], Bytes: len(p.Text),
	}
	if !p.Trusted {
		one.Why = label(p.Why, maxWhy)
	}
	return one
}

// gapNote says that n parts are left out; kind is "" when they are not all of one.
func (p *planner) gapNote(n int, kind string) string {
	noun := "part"
	if countable(kind) {
		noun = kind
	}
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun + " omitted to stay within " + strconv.Itoa(p.most) + " tokens"
}

// countable reports whether a kind becomes its plural by an s.
func countable(kind string) bool {
	if kind == "" || len(kind) > maxKind {
		return false
	}
	for i := range len(kind) {
		if kind[i] < 'a' || kind[i] > 'z' {
			return false
		}
	}
	switch kind[len(kind)-1] {
	case 's', 'x', 'y', 'h':
		return false
	}
	return true
}

func (p *planner) cutNote(n, of int) string {
	return "CUT: the first " + strconv.Itoa(n) + " of " + strconv.Itoa(of) + " bytes are shown, to stay within " +
		strconv.Itoa(p.most) + " tokens"
}
