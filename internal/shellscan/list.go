package shellscan

import (
	"cmp"
	"slices"
)

// single appends v to list unless an entry with the same key is in it. It
// returns the entry, nil when the list is full, and whether it was there.
func single[T any](s *scanner, list *[]T, v T, key any) (*T, bool) {
	if i, ok := s.seen[key]; ok {
		return &(*list)[i], true
	}
	if len(*list) >= maxItems {
		s.out.Partial = true
		return nil, false
	}
	s.seen[key] = len(*list)
	*list = append(*list, v)
	return &(*list)[len(*list)-1], false
}

// result puts every list in source order. The walk meets most things in that
// order, but the body of a here-document before the command it feeds.
func (s *scanner) result() *Script {
	o := s.out
	byLine(o.Commands, func(c Command) int { return c.Line })
	byLine(o.URLs, func(u URL) int { return u.Line })
	byLine(o.Hosts, func(h Host) int { return h.Line })
	byLine(o.EnvReads, func(v Variable) int { return v.Line })
	byLine(o.EnvSets, func(v Variable) int { return v.Line })
	byLine(o.Writes, func(w Write) int { return w.Line })
	byLine(o.Privileges, func(u Use) int { return u.Line })
	byLine(o.ShellPipes, func(p ShellPipe) int { return p.Line })
	byLine(o.Background, func(u Use) int { return u.Line })
	byLine(o.Packages, func(p Package) int { return p.Line })
	return o
}

func byLine[T any](list []T, line func(T) int) {
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(line(a), line(b)) })
}
