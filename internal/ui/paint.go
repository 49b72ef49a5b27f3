package ui

// Style is the meaning a piece of text has; a terminal shows it as a colour.
type Style int

const (
	Plain Style = iota
	Bold        // headings and names
	Dim         // what may be overlooked
	Good        // a positive verdict
	Bad         // a negative verdict, an error
	Warn        // look twice
)

// Paint applies styles, or leaves text alone when false.
type Paint bool

// Apply gives text a style. Text from outside must have been made visible first.
func (p Paint) Apply(s Style, text string) string {
	var code string
	switch s {
	case Bold:
		code = "1"
	case Dim:
		code = "2"
	case Good:
		code = "32"
	case Bad:
		code = "1;31"
	case Warn:
		code = "33"
	}
	if !p || code == "" || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold is for headings and names.
func (p Paint) Bold(text string) string { return p.Apply(Bold, text) }

// Dim is for what may be overlooked.
func (p Paint) Dim(text string) string { return p.Apply(Dim, text) }

// Good is for a positive verdict.
func (p Paint) Good(text string) string { return p.Apply(Good, text) }

// Bad is for a negative verdict or an error.
func (p Paint) Bad(text string) string { return p.Apply(Bad, text) }

// Warn is for what should be looked at twice.
func (p Paint) Warn(text string) string { return p.Apply(Warn, text) }
