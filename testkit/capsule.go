package testkit

import (
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// CapsuleFS holds the sources of the capsule vectors: capsule/<family>/<fault>.txt.
//
//go:embed capsule/*/*.txt
var CapsuleFS embed.FS

// Capsule is a vector for Capsule v0.6: a file, built from its source by Build,
// and what a verifier must say of it. The language of the sources is described in
// docs/conformance/vectors.md.
type Capsule struct {
	Name  string   `json:"name"` // "chain/prev-hash-of-wrong-event"
	Rules []string `json:"rules"`
	Note  string   `json:"note"`
	// Says are texts that must stand in an error or a note of the first run.
	Says []string `json:"says,omitempty"`
	Runs []Run    `json:"runs"`

	base  string
	steps []step
}

// Run is one verification of the file: what the host asks for, and the answer.
type Run struct {
	Key          string   `json:"key,omitempty"`          // name of the recipient's key
	Secret       string   `json:"secret,omitempty"`       // the X25519 key of that name, hex
	Allow        []string `json:"allow,omitempty"`        // entries of the allowlist
	Accept       []string `json:"accept,omitempty"`       // versions the host accepts
	Profiles     []string `json:"profiles,omitempty"`     // profiles the host accepts
	Predecessors []string `json:"predecessors,omitempty"` // names of vectors that are supplied
	Strict       bool     `json:"strict,omitempty"`
	MaxEntries   int      `json:"max_entries,omitempty"`
	MaxTotal     int64    `json:"max_total,omitempty"`

	Verdict    string            `json:"verdict"`
	Stage      string            `json:"stage"`
	Level      string            `json:"level"`
	Reason     string            `json:"reason,omitempty"`     // of a refusal at open
	Problems   []string          `json:"problems,omitempty"`   // "area/reason", each once, sorted
	Qualifiers []string          `json:"qualifiers,omitempty"` // in the order they are reported
	Facts      map[string]string `json:"facts,omitempty"`      // trusted, skill.<id>, lineage, depth, decryption, status
}

// capsuleSet is every source by name; it is read once.
var capsuleSet = sync.OnceValues(func() (map[string]*Capsule, error) {
	set := make(map[string]*Capsule)
	err := fs.WalkDir(CapsuleFS, "capsule", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(CapsuleFS, path)
		if err != nil {
			return fmt.Errorf("read vector: %w", err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(path, "capsule/"), ".txt")
		c, err := parseCapsule(string(text))
		if err != nil {
			return fmt.Errorf("parse vector %s: %w", name, err)
		}
		c.Name = name
		set[name] = c
		return nil
	})
	return set, err
})

// Capsules returns all capsule vectors in the order of their names.
func Capsules() ([]*Capsule, error) {
	set, err := capsuleSet()
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Values(set), func(a, b *Capsule) int { return strings.Compare(a.Name, b.Name) }), nil
}

// BuildCapsule returns the bytes of the named vector.
func BuildCapsule(name string) ([]byte, error) {
	built, err := buildNamed(name, 0)
	if err != nil {
		return nil, err
	}
	return built.bytes, nil
}

// parseCapsule reads a source: header, empty line, steps.
func parseCapsule(text string) (*Capsule, error) {
	head, body, _ := strings.Cut(text, "\n\n")
	c := new(Capsule)
	for line := range strings.Lines(head) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !ok {
			return nil, fmt.Errorf("header line %q", line)
		}
		switch key, options, _ := strings.Cut(key, " "); key {
		case "rule":
			c.Rules = strings.Fields(value)
		case "note":
			c.Note = value
		case "says":
			c.Says = append(c.Says, value)
		case "base":
			c.base = value
		case "expect":
			run, err := parseRun(options, value)
			if err != nil {
				return nil, fmt.Errorf("header line %q: %w", line, err)
			}
			c.Runs = append(c.Runs, run)
		default:
			return nil, fmt.Errorf("header field %q", key)
		}
	}
	if len(c.Rules) == 0 || c.Note == "" || len(c.Runs) == 0 {
		return nil, fmt.Errorf("header needs rule, note and expect")
	}
	for line := range strings.SplitSeq(body, "\n") {
		if line = strings.TrimLeft(line, " "); line == "" || line[0] == '#' {
			continue
		}
		s, err := parseStep(line)
		if err != nil {
			return nil, err
		}
		c.steps = append(c.steps, s)
	}
	return c, nil
}

// allowed is an entry of an allowlist: the key of that name, in upper case after
// "upper:", or any text after "text:".
func allowed(entry string) string {
	if text, ok := strings.CutPrefix(entry, "text:"); ok {
		return text
	}
	name, upper := strings.CutPrefix(entry, "upper:")
	key := hex.EncodeToString(publicKey(Ed25519Key(name)))
	if upper {
		key = strings.ToUpper(key)
	}
	return key
}

// parseRun reads "expect OPTIONS: ANSWER".
func parseRun(options, answer string) (Run, error) {
	r := Run{Stage: "verify", Level: "L2"}
	for option := range strings.FieldsSeq(options) {
		name, value, _ := strings.Cut(option, "=")
		list := strings.Split(value, ",")
		var err error
		switch name {
		case "key":
			r.Key, r.Secret = value, hex.EncodeToString(X25519Key(value).Bytes())
		case "allow":
			for _, entry := range list {
				r.Allow = append(r.Allow, allowed(entry))
			}
		case "accept":
			r.Accept = list
		case "profiles":
			r.Profiles = list
		case "given":
			r.Predecessors = list
		case "strict":
			r.Strict = true
		case "entries":
			r.MaxEntries, err = strconv.Atoi(value)
		case "total":
			r.MaxTotal, err = strconv.ParseInt(value, 10, 64)
		default:
			err = fmt.Errorf("option %q", name)
		}
		if err != nil {
			return r, err
		}
	}
	words := strings.Fields(answer)
	if len(words) > 0 && words[0] == "L3" {
		r.Level, words = "L3", words[1:]
	}
	if len(words) == 0 {
		return r, fmt.Errorf("no verdict")
	}
	r.Verdict, words = words[0], words[1:]
	if r.Verdict == "refused" || r.Verdict == "unsupported" {
		if r.Verdict == "refused" {
			r.Verdict = "invalid"
		}
		if len(words) == 0 {
			return r, fmt.Errorf("no reason")
		}
		r.Stage, r.Reason, words = "open", words[0], words[1:]
	}
	for _, w := range words {
		switch name, value, fact := strings.Cut(w, "="); {
		case fact:
			if r.Facts == nil {
				r.Facts = make(map[string]string)
			}
			r.Facts[name] = value
		case strings.Contains(w, "/"):
			r.Problems = append(r.Problems, w)
		default:
			r.Qualifiers = append(r.Qualifiers, w)
		}
	}
	slices.Sort(r.Problems)
	ok := r.Verdict == "valid" && len(r.Problems) == 0 ||
		r.Verdict == "invalid" && len(r.Qualifiers) == 0 && (r.Stage == "open") == (len(r.Problems) == 0) ||
		r.Verdict == "unsupported" && len(words) == len(r.Facts)
	if !ok {
		return r, fmt.Errorf("verdict %q does not go with the words behind it", r.Verdict)
	}
	return r, nil
}
