package finding

// Report is what a checker found, in the order it found it.
type Report struct {
	Findings []Finding
}

// Add appends one finding.
func (r *Report) Add(f Finding) { r.Findings = append(r.Findings, f) }

// Err is the error view of the report: its first breach, or nil when there is
// none. Warnings and notes are not errors.
func (r *Report) Err() error {
	for _, f := range r.Findings {
		if f.Severity == Breach {
			return &Error{Finding: f}
		}
	}
	return nil
}

// Count returns how many findings have severity s.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}
