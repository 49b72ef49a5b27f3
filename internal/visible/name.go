package visible

// name returns our own short name of a hidden character, lower case.
func name(r rune, k Kind) string {
	switch {
	case k == Invalid:
		return "byte that is not UTF-8"
	case r < 0x20:
		return controls[r]
	case r == 0x7f:
		return "delete"
	case r == 0x85:
		return "next line"
	case r == 0x90:
		return "device control string"
	case r == 0x9b:
		return "control sequence introducer"
	case r == 0x9d:
		return "operating system command"
	case r < 0xa0:
		return "C1 control"
	}
	if n := formatName(r); n != "" {
		return n
	}
	switch k {
	case Tag:
		return "tag character"
	case Variation:
		return "variation selector"
	case ZeroWidth:
		return "zero-width character"
	case Blank:
		return "blank character"
	case Private:
		return "private-use character"
	case Unassigned:
		return "unassigned code point"
	}
	return "invisible format character"
}

var controls = [0x20]string{
	"null", "start of heading", "start of text", "end of text",
	"end of transmission", "enquiry", "acknowledge", "bell",
	"backspace", "tab", "line feed", "vertical tab",
	"form feed", "carriage return", "shift out", "shift in",
	"data link escape", "device control 1", "device control 2", "device control 3",
	"device control 4", "negative acknowledge", "synchronous idle", "end of block",
	"cancel", "end of medium", "substitute", "escape",
	"file separator", "group separator", "record separator", "unit separator",
}

func formatName(r rune) string {
	switch r {
	case 0xad:
		return "soft hyphen"
	case 0x34f:
		return "combining grapheme joiner"
	case 0x61c:
		return "arabic letter mark"
	case 0x115f, 0x1160, 0x3164, 0xffa0:
		return "hangul filler"
	case 0x180e:
		return "mongolian vowel separator"
	case 0x200b:
		return "zero-width space"
	case 0x200c:
		return "zero-width non-joiner"
	case zwj:
		return "zero-width joiner"
	case 0x200e:
		return "left-to-right mark"
	case 0x200f:
		return "right-to-left mark"
	case 0x2028:
		return "line separator"
	case 0x2029:
		return "paragraph separator"
	case 0x202a:
		return "left-to-right embedding"
	case 0x202b:
		return "right-to-left embedding"
	case 0x202c:
		return "end of embedding or override"
	case 0x202d:
		return "left-to-right override"
	case 0x202e:
		return "right-to-left override"
	case 0x2060:
		return "word joiner"
	case 0x2066:
		return "left-to-right isolate"
	case 0x2067:
		return "right-to-left isolate"
	case 0x2068:
		return "first strong isolate"
	case 0x2069:
		return "end of isolate"
	case 0x2800:
		return "blank braille pattern"
	case 0xfeff:
		return "byte order mark"
	}
	return ""
}
