package testkit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"seed/jcs"
)

// document is one JSON file on its way into the capsule, as text.
type document struct {
	text   []byte
	pretty bool // as the envelope is written; otherwise in canonical form
}

func newDocument(value any, pretty bool) (*document, error) {
	d := &document{pretty: pretty}
	return d, d.encode(value)
}

func (d *document) encode(value any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if d.pretty {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(value); err != nil {
		return err
	}
	d.text = bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	if !d.pretty {
		// Outside the I-JSON boundary there is no canonical form; any spelling does.
		if canon, err := jcs.Canonical(d.text); err == nil {
			d.text = canon
		}
	}
	return nil
}

func decode(text []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("value %.60q: %w", text, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one value in %.60q", text)
	}
	return v, nil
}

// hash is the hex SHA-256 of the canonical form, or of the text where there is
// none.
func (d *document) hash() string {
	text := d.text
	if canon, err := jcs.Canonical(d.text); err == nil {
		text = canon
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// payload is the canonical form without one member, or the text where there is
// none.
func (d *document) payload(without string) []byte {
	doc, err := jcs.ParseStrict(d.text)
	if err != nil {
		return d.text
	}
	return doc.Root().AppendCanonicalWithout(nil, without)
}

// edit applies set, remove, text, prepend, append and spell.
func (d *document) edit(verb string, a *args) error {
	switch verb {
	case "set", "remove":
		pointer := a.word()
		var value any
		if verb == "set" {
			var err error
			if value, err = decode([]byte(a.text())); err != nil {
				return err
			}
		}
		root, err := decode(d.text)
		if err != nil {
			return err
		}
		if root, err = edit(root, pointer, value, verb == "remove"); err != nil {
			return fmt.Errorf("%s: %w", pointer, err)
		}
		return d.encode(root)
	case "text":
		from, to := a.word(), a.word()
		if !bytes.Contains(d.text, []byte(from)) {
			return fmt.Errorf("%q does not occur", from)
		}
		d.text = bytes.Replace(d.text, []byte(from), []byte(to), 1)
	case "prepend":
		d.text = append(a.bytes(), d.text...)
	case "append":
		d.text = append(bytes.Clone(d.text), a.bytes()...)
	case "whole":
		d.text = a.bytes()
	case "spell":
		return d.spell(a.word())
	default:
		return fmt.Errorf("no way to edit a document is called %q", verb)
	}
	return a.err
}

// spell writes the same value in another way.
func (d *document) spell(how string) error {
	var buf bytes.Buffer
	switch how {
	case "pretty":
		if err := json.Indent(&buf, d.text, "\r\n", "\t"); err != nil {
			return err
		}
	case "compact":
		if err := json.Compact(&buf, d.text); err != nil {
			return err
		}
	case "reversed":
		doc, err := jcs.Parse(d.text)
		if err != nil {
			return err
		}
		reverse(&buf, doc.Root())
	default:
		return fmt.Errorf("no spelling is called %q", how)
	}
	d.text = buf.Bytes()
	return nil
}

// reverse writes the members of every object in reverse order and every ASCII
// letter of a member name as an escape.
func reverse(buf *bytes.Buffer, v jcs.Value) {
	switch v.Kind() {
	case jcs.Object:
		var members []string
		for name, value := range v.Members() {
			var one bytes.Buffer
			one.WriteByte('"')
			for _, r := range name {
				if r < 0x80 {
					fmt.Fprintf(&one, `\u%04X`, r)
				} else {
					one.WriteRune(r)
				}
			}
			one.WriteString(`" : `)
			reverse(&one, value)
			members = append([]string{one.String()}, members...)
		}
		buf.WriteString("{" + strings.Join(members, " ,") + "}")
	case jcs.Array:
		buf.WriteByte('[')
		for i, e := range v.Elements() {
			if i > 0 {
				buf.WriteByte(',')
			}
			reverse(buf, e)
		}
		buf.WriteByte(']')
	default:
		buf.Write(v.Raw())
	}
}

// edit sets or removes what a JSON pointer (RFC 6901) names; "-" appends to an
// array.
func edit(root any, pointer string, value any, remove bool) (any, error) {
	if pointer == "" {
		return value, nil
	}
	name, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if rest != "" || strings.HasSuffix(pointer, "/") && pointer != "/" {
		rest = "/" + rest
	}
	name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
	switch node := root.(type) {
	case map[string]any:
		if rest == "" && remove {
			if _, ok := node[name]; !ok {
				return nil, fmt.Errorf("no member %q", name)
			}
			delete(node, name)
			return node, nil
		}
		child, err := edit(node[name], rest, value, remove)
		node[name] = child
		return node, err
	case []any:
		if name == "-" && rest == "" {
			return append(node, value), nil
		}
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(node) {
			return nil, fmt.Errorf("no element %q", name)
		}
		if rest == "" && remove {
			return append(node[:i:i], node[i+1:]...), nil
		}
		node[i], err = edit(node[i], rest, value, remove)
		return node, err
	}
	return nil, fmt.Errorf("%q is below a value that has no members", name)
}
