package testkit

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
)

// step applies one zip step.
func (z *archive) step(verb string, a *args) error {
	switch verb {
	case "local", "central", "both":
		path, name := a.word(), a.word()
		e, err := z.find(path)
		if err != nil {
			return err
		}
		value := a.word()
		if verb != "central" {
			err = e.local.change(name, value)
		}
		if verb != "local" && err == nil {
			err = e.central.change(name, value)
		}
		return err
	case "end":
		return z.end.change(a.word(), a.word())
	case "comment":
		z.end.comment = a.bytes()
	case "order":
		return z.order(a)
	case "reverse-records":
		z.turned = true
	case "entry":
		path := a.word()
		z.entries = append(z.entries, newEntry(path, a.bytes()))
	case "directory":
		path := a.word()
		e := newEntry(path, a.bytes())
		e.central.num["external"] = 0x41ed0010
		z.entries = append(z.entries, e)
	case "prefix":
		z.prefix = a.hexBytes()
	case "junk":
		z.junk = a.hexBytes()
	case "gap":
		z.gap = a.hexBytes()
	case "behind":
		z.behind = a.hexBytes()
	case "trailer":
		z.trailer = a.hexBytes()
	default:
		return z.entryStep(verb, a)
	}
	return nil
}

// entryStep is a step on one entry that is no plain number.
func (z *archive) entryStep(verb string, a *args) error {
	e, err := z.find(a.word())
	if err != nil {
		return err
	}
	switch verb {
	case "before":
		e.before = a.hexBytes()
	case "hide":
		e.hidden = true
	case "ghost":
		e.ghost = true
	case "flip":
		e.data = slices.Clone(e.data)
		return flip(e.data, a)
	case "descriptor":
		e.describe(a.word() == "signed")
	case "unicode-path":
		e.local.extra = unicodePath(e.path, a.word())
		e.central.extra = e.local.extra
	case "unicode-path-local":
		e.local.extra = unicodePath(e.path, a.word())
	case "twin":
		// A second central record of another name for the same local entry.
		twin := newEntry(a.word(), e.data)
		twin.ghost = true
		z.entries = append(z.entries, twin)
	default:
		return fmt.Errorf("nothing to do with a container is called %q", verb)
	}
	return nil
}

// describe moves crc and sizes behind the data, as streaming writers do.
func (e *zipEntry) describe(signed bool) {
	if signed {
		e.descriptor = []byte("PK\x07\x08")
	}
	for _, name := range []string{"crc", "csize", "usize"} {
		e.descriptor = binary.LittleEndian.AppendUint32(e.descriptor, uint32(e.local.num[name]))
		e.local.num[name] = 0
	}
	e.local.num["flags"] |= 8
	e.central.num["flags"] |= 8
}

// unicodePath is the Info-ZIP extra field 0x7075: another name for the entry.
func unicodePath(header, name string) []byte {
	b := []byte{0x75, 0x70}
	b = binary.LittleEndian.AppendUint16(b, uint16(5+len(name)))
	b = binary.LittleEndian.AppendUint32(append(b, 1), crc32.ChecksumIEEE([]byte(header)))
	return append(b, name...)
}

func (z *archive) find(path string) (*zipEntry, error) {
	// The last of that name: "entry" and a step on it belong together.
	for _, e := range slices.Backward(z.entries) {
		if e.path == path {
			return e, nil
		}
	}
	return nil, fmt.Errorf("no entry %q", path)
}

// order puts entries in front in the order given; "reversed" turns all around.
func (z *archive) order(a *args) error {
	at := 0
	for a.err == nil && a.s != "" {
		path := a.word()
		if path == "reversed" {
			slices.Reverse(z.entries)
			return nil
		}
		e, err := z.find(path)
		if err != nil {
			return err
		}
		i := slices.Index(z.entries, e)
		z.entries = slices.Insert(slices.Delete(z.entries, i, i+1), at, e)
		at++
	}
	return a.err
}

// change sets a number, the name (a text) or the extra field or comment (hex).
func (r *zipRecord) change(name, value string) error {
	switch name {
	case "name":
		r.name = []byte(value)
		return nil
	case "extra", "comment":
		a := &args{s: value}
		raw := a.hexBytes()
		if name == "extra" {
			r.extra = raw
		} else {
			r.comment = raw
		}
		return a.err
	}
	if !slices.ContainsFunc(r.fields, func(f field) bool { return f.name == name }) {
		return fmt.Errorf("no field %q", name)
	}
	r.changes = append(r.changes, [2]string{name, value})
	return nil
}
