package testkit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// step is one line of a source: a verb and what follows it.
type step struct {
	inner bool // "inner." before the verb: concerns the encrypted capsule
	verb  string
	rest  string
}

func parseStep(line string) (step, error) {
	verb, rest, _ := strings.Cut(line, " ")
	s := step{rest: strings.TrimLeft(rest, " ")}
	s.verb, s.inner = strings.CutPrefix(verb, "inner.")
	if !s.known() {
		return s, fmt.Errorf("step %q is none of the language", line)
	}
	return s, nil
}

// known reports whether there is such a step: each phase takes its own and passes
// over the others, so a slip of the pen must be found here.
func (s step) known() bool {
	switch s.verb {
	case "version", "originator", "participants", "first-event", "signer", "no-signers", "no-commitment",
		"file", "files", "delete", "event", "event-quoted", "events", "no-events", "chain", "no-chain", "drop-event", "swap-events",
		"reindex", "raw-manifest-hash", "after", "zip", "bytes":
		return true
	case "set", "remove", "text", "prepend", "append", "whole", "spell":
		switch target, _, _ := strings.Cut(s.rest, " "); target {
		case "event", "manifest", "envelope":
			return true
		}
	}
	return !s.inner && s.encrypts()
}

// encrypts reports whether the step makes sense in an encrypted capsule only.
func (s step) encrypts() bool {
	switch s.verb {
	case "recipient", "no-recipients", "metadata-path", "outer-file", "plaintext", "blob-flip", "wrap-info", "wrap-salt":
		return true
	case "set", "remove", "text", "prepend", "append", "whole", "spell":
		target, _, _ := strings.Cut(s.rest, " ")
		return target == "decryption" || target == "aad"
	}
	return s.inner
}

func (s step) String() string { return s.verb + " " + s.rest }

// args reads the words of a step one after the other. The first mistake stays.
type args struct {
	s   string
	err error
}

func (a *args) fail(format string, v ...any) {
	if a.err == nil {
		a.err = fmt.Errorf(format, v...)
	}
}

// word is the next word, or the next quoted Go string.
func (a *args) word() string {
	a.s = strings.TrimLeft(a.s, " ")
	if !strings.HasPrefix(a.s, `"`) {
		var w string
		w, a.s, _ = strings.Cut(a.s, " ")
		if w == "" {
			a.fail("a word is missing")
		}
		return w
	}
	quoted, err := strconv.QuotedPrefix(a.s)
	if err != nil {
		a.fail("quoted text %.40q: %w", a.s, err)
		return ""
	}
	a.s = a.s[len(quoted):]
	text, err := strconv.Unquote(quoted)
	if err != nil {
		a.fail("quoted text %.40q: %w", quoted, err)
	}
	return text
}

func (a *args) int() int {
	n, err := strconv.ParseInt(a.word(), 0, 64)
	if err != nil {
		a.fail("number: %w", err)
	}
	return int(n)
}

// text is all that is left.
func (a *args) text() string {
	s := strings.TrimLeft(a.s, " ")
	a.s = ""
	return s
}

// bytes is all that is left as pieces: quoted text or hex:…, each perhaps
// repeated by "* N".
func (a *args) bytes() []byte {
	const most = 1 << 22
	out := []byte{}
	for a.err == nil && strings.TrimLeft(a.s, " ") != "" {
		a.s = strings.TrimLeft(a.s, " ")
		quoted := a.s[0] == '"'
		piece := []byte(a.word())
		if !quoted {
			digits, ok := strings.CutPrefix(string(piece), "hex:")
			raw, err := hex.DecodeString(digits)
			if !ok || err != nil {
				a.fail("%.40q is neither quoted text nor hex", piece)
			}
			piece = raw
		}
		times := 1
		if rest, ok := strings.CutPrefix(strings.TrimLeft(a.s, " "), "* "); ok {
			a.s = rest
			if times = a.int(); times < 0 || times*len(piece) > most {
				a.fail("repeated %d times", times)
				return nil
			}
		}
		for range times {
			out = append(out, piece...)
		}
	}
	return out
}

// expand replaces ${NAME} by what the layer knows under that name.
func (l *layer) expand(s string) (string, error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, "${")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf("${ without }")
		}
		value, err := l.lookup(name)
		if err != nil {
			return "", err
		}
		out.WriteString(value)
		s = after
	}
}

// lookup finds a fact (HASH1), a key (alice, x25519:rita), the hash of a file
// (sha256:program.md), a fact of another vector (base/plain:ID), one of these in
// upper case (upper:alice) or a repetition (64*0).
func (l *layer) lookup(name string) (string, error) {
	if v, ok := l.facts[name]; ok {
		return v, nil
	}
	if rest, ok := strings.CutPrefix(name, "upper:"); ok {
		v, err := l.lookup(rest)
		return strings.ToUpper(v), err
	}
	if rest, ok := strings.CutPrefix(name, "x25519:"); ok {
		return hex.EncodeToString(X25519Key(rest).PublicKey().Bytes()), nil
	}
	if path, ok := strings.CutPrefix(name, "sha256:"); ok {
		content, there := l.files[path]
		if !there {
			return "", fmt.Errorf("no file %q", path)
		}
		sum := sha256.Sum256(content)
		return hex.EncodeToString(sum[:]), nil
	}
	if n, piece, ok := strings.Cut(name, "*"); ok {
		times, err := strconv.Atoi(n)
		if err != nil || times < 0 || times > 1<<20 {
			return "", fmt.Errorf("repetition %q", name)
		}
		return strings.Repeat(piece, times), nil
	}
	if vector, fact, ok := strings.Cut(name, ":"); ok {
		other, err := buildNamed(vector, l.depth+1)
		if err != nil {
			return "", err
		}
		v, ok := other.facts[fact]
		if !ok {
			return "", fmt.Errorf("vector %s has no fact %q", vector, fact)
		}
		return v, nil
	}
	if name == "" || strings.ToLower(name) != name {
		return "", fmt.Errorf("nothing is called %q here", name)
	}
	return hex.EncodeToString(publicKey(Ed25519Key(name))), nil
}
