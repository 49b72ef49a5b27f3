package visible

import "unicode"

// Kind is a family of hidden characters.
type Kind string

// The kinds. [Escape] and [Bidi] are the ones that change what a terminal or an
// editor shows of the text around them.
const (
	Control    Kind = "control"    // C0 other than ESC, DEL, a lone CR
	Escape     Kind = "escape"     // ESC and the C1 controls
	Bidi       Kind = "bidi"       // embeddings, overrides, isolates and their ends
	ZeroWidth  Kind = "zero-width" // joiners, marks and spaces without width
	Tag        Kind = "tag"        // U+E0000 to U+E007F, an invisible ASCII
	Variation  Kind = "variation"  // selectors that select nothing
	Blank      Kind = "blank"      // letters and symbols drawn as nothing
	Format     Kind = "format"     // every other invisible format character
	Private    Kind = "private"    // no meaning outside one font
	Unassigned Kind = "unassigned" // not a character in this Unicode version
	Invalid    Kind = "invalid"    // bytes that are not UTF-8
)

const (
	zwj     = 0x200d
	vsText  = 0xfe0e
	vsEmoji = 0xfe0f
)

// kindOf returns the kind of r, "" when it is to be seen as it is. Newline, tab
// and CR count as controls here; the callers know where they are welcome.
func kindOf(r rune) Kind {
	switch {
	case r < 0x80:
		if r == 0x1b {
			return Escape
		}
		if r < 0x20 || r == 0x7f {
			return Control
		}
		return ""
	case r < 0xa0:
		return Escape
	case plainRange(r):
		return ""
	}
	if k := invisible(r); k != "" {
		return k
	}
	switch {
	case unicode.IsPrint(r), unicode.Is(unicode.Zs, r):
		return ""
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return "" // format characters by category, but drawn
	case unicode.Is(unicode.Co, r):
		return Private
	case unicode.Is(unicode.Cf, r):
		return Format
	}
	return Unassigned
}

// plainRange accepts the blocks that make up most text, so that long documents
// in those scripts do not pay for table look-ups.
func plainRange(r rune) bool {
	switch {
	case r < 0x300:
		return r != 0xad
	case r < 0x2000:
		return r >= 0x400 && r < 0x530 // Cyrillic
	case r < 0x3000:
		return r >= 0x2010 && r < 0x2028 // dashes, quotation marks, bullets
	}
	return r >= 0x3000 && r <= 0x3020 || r >= 0x3041 && r <= 0x3096 || r >= 0x30a0 && r <= 0x30ff || // kana
		r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 // Han, Hangul
}

// invisible knows the characters that are hidden whatever their category says,
// and those whose kind is narrower than their category.
func invisible(r rune) Kind {
	switch {
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return Bidi
	case r >= 0x200b && r <= 0x200f, r >= 0x2060 && r <= 0x2064, r == 0xfeff, r == 0x61c,
		r == 0x180e, r == 0x34f, r == 0xad:
		return ZeroWidth
	case r >= 0xe0000 && r <= 0xe007f:
		return Tag
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef,
		r >= 0x180b && r <= 0x180d, r == 0x180f:
		return Variation
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r == 0x17b4, r == 0x17b5,
		r == 0x2800, r == 0x16fe4, r == 0x1d159:
		return Blank
	case r == 0x2028, r == 0x2029:
		return Format
	}
	return ""
}

// before is what a selector or joiner may lean on: what came directly before.
type before uint8

const (
	other    before = iota
	keycap          // digit, # or *: a selector may follow
	symbol          // a selector or a joiner may follow
	selected        // a symbol with its selector: a joiner may follow
)

// hidden is kindOf with the emoji exceptions of the package comment. It must
// see every character of the text in order.
func (b *before) hidden(r rune) Kind {
	was := *b
	*b = other
	switch {
	case (r == vsText || r == vsEmoji) && was == symbol:
		*b = selected
		return ""
	case (r == vsText || r == vsEmoji) && was == keycap:
		return ""
	case r == zwj && (was == symbol || was == selected):
		return ""
	}
	k := kindOf(r)
	if k == "" {
		*b = leanOn(r)
	}
	return k
}

func leanOn(r rune) before {
	switch {
	case r < 0x80:
		if r >= '0' && r <= '9' || r == '#' || r == '*' {
			return keycap
		}
		return other
	case r == 0xa9, r == 0xae, r == 0x203c, r == 0x2049, r == 0x2139, r == 0x3030:
		return symbol
	case r < 0x2100, plainRange(r):
		return other
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones
		return symbol
	case unicode.In(r, unicode.So, unicode.Sm):
		return symbol
	}
	return other
}
