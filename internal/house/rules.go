package house

import (
	"embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

//go:embed rules/*.txt
var ruleFiles embed.FS

// Protocol is one protocol whose rules the project claims to keep.
//
// Its rule ids are listed in rules/NAME.txt, and docs/conformance/NAME.md says of
// each what it asks and which tests show it.
type Protocol struct {
	Name   string // "seed"
	Prefix string // "SP"
}

// Protocols returns the protocols that have a list of rules.
func Protocols() []Protocol {
	return []Protocol{{Name: "seed", Prefix: "SP"}, {Name: "capsule", Prefix: "CAP"}}
}

// Page is the protocol's conformance page, relative to the root.
func (p Protocol) Page() string { return "docs/conformance/" + p.Name + ".md" }

// Listed is one rule of a protocol's list.
type Listed struct {
	ID    string
	Later string   // what has to exist before the rule can be tested: "the registry"
	As    []string // the rules whose tests show this one, when it has none of its own
}

// Rules reads the protocol's list.
func (p Protocol) Rules() ([]Listed, error) {
	text, err := ruleFiles.ReadFile("rules/" + p.Name + ".txt")
	if err != nil {
		return nil, err
	}
	rules, err := parseRules(string(text))
	if err != nil {
		return nil, fmt.Errorf("rules/%s.txt: %w", p.Name, err)
	}
	return rules, nil
}

// parseRules reads lines of these forms; # begins a comment:
//
//	SP-FMT-01..12
//	SP-REG-01..06 later the registry
//	SP-AMB-01 as SP-META-05 SP-META-07
func parseRules(text string) ([]Listed, error) {
	var rules []Listed
	seen := make(map[string]bool)
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		var like Listed
		switch {
		case len(words) == 1:
		case words[1] == "later" && len(words) > 2:
			like.Later = strings.Join(words[2:], " ")
		case words[1] == "as" && len(words) > 2:
			like.As = words[2:]
		default:
			return nil, fmt.Errorf("line %d: want ID, ID later WHAT or ID as ID", n+1)
		}
		ids, err := expand(words[0])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		for _, id := range ids {
			if seen[id] {
				return nil, fmt.Errorf("line %d: %s is listed twice", n+1, id)
			}
			seen[id] = true
			like.ID = id
			rules = append(rules, like)
		}
	}
	for _, r := range rules {
		for _, id := range r.As {
			if !seen[id] {
				return nil, fmt.Errorf("%s refers to %s, which is not listed", r.ID, id)
			}
		}
	}
	return rules, nil
}

// expand turns SP-FMT-01..12 into its twelve ids.
func expand(word string) ([]string, error) {
	first, last, isRange := strings.Cut(word, "..")
	if !ruleID().MatchString(first) || ruleID().FindString(first) != first {
		return nil, fmt.Errorf("%q is no rule id", first)
	}
	if !isRange {
		return []string{first}, nil
	}
	stem := first[:len(first)-2]
	lo, _ := strconv.Atoi(first[len(stem):])
	hi, err := strconv.Atoi(last)
	if err != nil || hi < lo || hi > 99 {
		return nil, fmt.Errorf("%q is no range of rule ids", word)
	}
	var ids []string
	for n := lo; n <= hi; n++ {
		ids = append(ids, fmt.Sprintf("%s%02d", stem, n))
	}
	return ids, nil
}

// ruleID matches ids as they stand in prose and strings, SP-META-02, and as they
// stand in Go names, SP_META_02.
var ruleID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:SP|OS|CAP)[-_][A-Z0-9]{2,8}[-_][0-9]{2}`)
})

// mentioned returns the rule ids in text, spelled with dashes, each once.
func mentioned(text string) []string {
	var ids []string
	seen := make(map[string]bool)
	for _, m := range ruleID().FindAllString(text, -1) {
		id := strings.ReplaceAll(m, "_", "-")
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}
