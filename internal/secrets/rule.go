package secrets

import (
	"regexp"
	"sync"
)

// Rule is one kind of secret. Rules are data; the engine gives them meaning.
type Rule struct {
	ID    string // "SEC-GITHUB-TOKEN"
	Title string // what was found, with its article: "a GitHub token"

	kind  kind
	words []string // keywords of three bytes and more; one must stand in the text
	expr  string   // anchored expression; what it applies to depends on kind

	// back lets an expression of a token begin before the keyword: at the
	// nearest earlier occurrence of this text, or at the start of the run of
	// bytes of the named class.
	back string

	entropy float64 // least Shannon entropy of the secret, in bits a byte
	files   string  // base names the rule is limited to, space separated
	yields  bool    // gives way to any other rule on the same secret
	check   func(value []byte) bool

	// except names files that a path rule would mean but should not.
	except func(name string) bool

	// body finds the secret in what follows the match of a token; an empty
	// span means that there is none.
	body func(rest []byte) (start, end int)

	once sync.Once
	re   *regexp.Regexp
}

// kind says how a rule is judged once one of its keywords was seen.
type kind uint8

const (
	// token: expr matches at the keyword (or at back), bounded on both sides.
	// The secret is group 1, or the whole match.
	token kind = iota
	// value: the keyword is part of a name, in any case, that is given a value
	// ("name = value", "name": "value", <name>value</name>); expr matches the
	// whole value.
	value
	// guess: a value without a known shape, judged by its look alone.
	guess
	// login: user:password@host after "://"; expr matches the scheme.
	login
	// named: the path alone decides, for any file that is not empty; expr
	// matches the lower-case path.
	named
	// holder: like named, and some line must give a name a value.
	holder
)

// Classes for back.
const (
	backURL64  = "A-Za-z0-9_-"
	backDigits = "0-9"
	backThree  = "three bytes"
)

// folds reports whether the keywords are found in any case.
func (r *Rule) folds() bool { return r.kind == value || r.kind == guess }

// compiled returns the expression, compiled when it is first needed: most runs
// need few of them and a start of the program needs none.
func (r *Rule) compiled() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(`\A(?:` + r.expr + `)`) })
	return r.re
}

// Rules returns every rule, for documentation. The caller must not change them.
func Rules() []*Rule { return allRules() }

var allRules = sync.OnceValue(func() []*Rule {
	var all []*Rule
	for _, family := range [][]*Rule{keyRules, cloudRules, codeRules, serviceRules, plainRules, pathRules} {
		all = append(all, family...)
	}
	return all
})
