package visible

// decode adds what the hidden character r spells to the open run's message.
// Tags repeat ASCII; the 256 variation selectors are used as the 256 bytes.
func (s *Scanner) decode(r rune, k Kind) {
	if len(s.raw) >= maxDecoded {
		return
	}
	switch {
	case k == Tag && r >= 0xe0020 && r < 0xe007f:
		s.raw = append(s.raw, byte(r-0xe0000))
	case k == Variation && r >= 0xfe00 && r <= 0xfe0f:
		s.raw = append(s.raw, byte(r-0xfe00))
	case k == Variation && r >= 0xe0100 && r <= 0xe01ef:
		s.raw = append(s.raw, byte(r-0xe0100+16))
	}
}

// closeRun gives the last listed run its message.
func (s *Scanner) closeRun() {
	if len(s.raw) == 0 {
		return
	}
	last := &s.list[len(s.list)-1]
	// A stray selector or two is a slip of an editor, not a message.
	if last.Kind == Tag || last.Count > 2 {
		last.Decoded = Text(string(s.raw))
	}
	s.raw = s.raw[:0]
}
