package pith

import "seed/jcs"

// narrative is the order in which changed members are named (CAP-PTH-07), and of
// each the member of its elements that is text, "" when it is text itself
// (CAP-PTH-06).
var narrative = [...]struct{ name, item string }{
	{"summary", ""},
	{"statement", ""},
	{"note", ""},
	{"open_items", "item"},
	{"decisions", "text"},
	{"milestones", "text"},
}

// Payload returns the payload of an event as compact JSON, its prose normalised,
// and what of it changed: names like "payload.summary", for the member
// pith_normalized_fields. Members keep their order and everything else its value;
// v itself is left alone.
func Payload(v jcs.Value, o Options) (out []byte, changed []string) {
	if v.Kind() != jcs.Object {
		return v.AppendCompact(nil), nil
	}
	var touched [len(narrative)]bool
	out = append(out, '{')
	for name, value := range v.Members() {
		out = appendName(out, name)
		field := -1
		for i, f := range narrative {
			if f.name == name {
				field = i
			}
		}
		switch {
		case field < 0:
			out = value.AppendCompact(out)
		case narrative[field].item == "":
			out, touched[field] = appendText(out, value, o)
		default:
			out, touched[field] = appendItems(out, value, narrative[field].item, o)
		}
	}
	out = append(out, '}')
	for i, f := range narrative {
		if touched[i] {
			changed = append(changed, "payload."+f.name)
		}
	}
	return out, changed
}

// appendName adds a member's name, after a comma unless it is the first.
func appendName(out []byte, name string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(jcs.AppendString(out, name), ':')
}

// appendText adds a value, normalised if it is a string.
func appendText(out []byte, v jcs.Value, o Options) ([]byte, bool) {
	old, ok := v.Text()
	if !ok {
		return v.AppendCompact(out), false
	}
	text := Text(old, o)
	return jcs.AppendString(out, text), text != old
}

// appendItems adds a value; if it is an array, the member item of its elements is
// normalised.
func appendItems(out []byte, v jcs.Value, item string, o Options) ([]byte, bool) {
	if v.Kind() != jcs.Array {
		return v.AppendCompact(out), false
	}
	changed := false
	out = append(out, '[')
	for i, element := range v.Elements() {
		if i > 0 {
			out = append(out, ',')
		}
		if element.Kind() != jcs.Object {
			out = element.AppendCompact(out)
			continue
		}
		out = append(out, '{')
		for name, value := range element.Members() {
			out = appendName(out, name)
			if name != item {
				out = value.AppendCompact(out)
				continue
			}
			var did bool
			out, did = appendText(out, value, o)
			changed = changed || did
		}
		out = append(out, '}')
	}
	return append(out, ']'), changed
}
