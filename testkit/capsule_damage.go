package testkit

import (
	"bytes"
	"encoding/hex"
	"fmt"
)

// damage applies the "after" steps: nothing is hashed or signed again.
func (l *layer) damage() error {
	for _, s := range l.steps {
		if s.verb != "after" {
			continue
		}
		rest, err := l.expand(s.rest)
		if err == nil {
			err = l.damageOne(&args{s: rest})
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

func (l *layer) damageOne(a *args) error {
	verb := a.word()
	switch verb {
	case "file":
		path := a.word()
		l.files[path] = a.bytes()
		return a.err
	case "files":
		n, pattern := a.int(), a.word()
		content := a.bytes()
		for i := range n {
			l.files[fmt.Sprintf(pattern, i)] = content
		}
		return a.err
	case "delete", "rename", "flip":
		path := a.word()
		content, ok := l.files[path]
		if !ok {
			return fmt.Errorf("no file %q", path)
		}
		switch verb {
		case "rename":
			l.files[a.word()] = content
			delete(l.files, path)
		case "delete":
			delete(l.files, path)
		default:
			content = bytes.Clone(content)
			l.files[path] = content
			return flip(content, a)
		}
		return a.err
	case "signer", "drop-signer", "unreduced-s", "zero-r":
		return l.damageSigners(verb, a)
	}
	path := map[string]string{"manifest": "manifest.json", "envelope": "provenance/envelope.json", "decryption": l.metadata}[a.word()]
	if path == "" {
		return fmt.Errorf("no document of that name")
	}
	d := &document{text: l.files[path], pretty: path != "manifest.json"}
	if err := d.edit(verb, a); err != nil {
		return err
	}
	l.files[path] = d.text
	return nil
}

// flip turns one bit over: of byte N, counted from the end when negative.
func flip(content []byte, a *args) error {
	i, bit := a.int(), a.int()
	if i < 0 {
		i += len(content)
	}
	if a.err == nil && (i < 0 || i >= len(content) || bit < 0 || bit > 7) {
		return fmt.Errorf("no bit %d of byte %d", bit, i)
	}
	if a.err == nil {
		content[i] ^= 1 << bit
	}
	return a.err
}

// damageSigners changes rows; they are outside every signature.
func (l *layer) damageSigners(verb string, a *args) error {
	const path = "provenance/envelope.json"
	d := &document{text: l.files[path], pretty: true}
	root, err := decode(d.text)
	if err != nil {
		return err
	}
	object, _ := root.(map[string]any)
	rows, _ := object["signers"].([]any)
	payload := d.payload("signers")
	if verb == "signer" {
		s := a.signer()
		object["signers"] = append(rows, s.row(l.version, payload))
	} else {
		i := a.int()
		if a.err != nil || i < 0 || i >= len(rows) {
			return fmt.Errorf("no signer %d", i)
		}
		row, _ := rows[i].(map[string]any)
		sig, _ := hex.DecodeString(fmt.Sprint(row["signature"]))
		switch verb {
		case "drop-signer":
			object["signers"] = append(rows[:i:i], rows[i+1:]...)
		case "unreduced-s":
			if sig, err = unreduced(sig); err != nil {
				return err
			}
			row["signature"] = hex.EncodeToString(sig)
		case "zero-r":
			if sig, err = zeroR(a.word(), signingInput(l.version, fmt.Sprint(row["role"]), payload)); err != nil {
				return err
			}
			row["signature"] = hex.EncodeToString(sig)
		}
	}
	if a.err != nil {
		return a.err
	}
	if err := d.encode(object); err != nil {
		return err
	}
	l.files[path] = d.text
	return nil
}
