package cli

import (
	"errors"

	"seed/finding"
	"seed/seedfile"
	"seed/seedfile/transport"
)

// The parts of a seed as JSON, shared by the commands that report on one.

var errTooLong = errors.New("the payload is too long for JSON")

type metadataJSON struct {
	Grow   []string `json:"grow"`
	Type   string   `json:"type,omitempty"`
	Name   string   `json:"name,omitempty"`
	Fields []string `json:"fields"` // names of all fields in their order
	Raw    string   `json:"raw"`
}

func describeMetadata(seed *seedfile.File) metadataJSON {
	m := seed.Meta
	return metadataJSON{Grow: m.Grow, Type: m.Type, Name: m.Name, Fields: m.Keys(), Raw: string(m.Raw())}
}

type transportJSON struct {
	Canonical bool       `json:"canonical"`
	Profile   string     `json:"profile"` // "custom" unless canonical
	Nearest   string     `json:"nearest,omitempty"`
	Diff      []diffJSON `json:"diff,omitempty"`
	Cut       bool       `json:"diff_cut,omitempty"`
}

type diffJSON struct {
	Part    string `json:"part"` // head or tail
	Line    int    `json:"line"`
	Missing bool   `json:"missing,omitempty"`
	Text    string `json:"text"`
}

func describeTransport(t transport.Class) transportJSON {
	if t.Canonical {
		return transportJSON{Canonical: true, Profile: t.Profile.String()}
	}
	j := transportJSON{Profile: "custom", Nearest: t.Profile.String(), Cut: t.Cut}
	for _, d := range t.Diff {
		j.Diff = append(j.Diff, diffJSON{d.Part.String(), d.Line, d.Missing, d.Text})
	}
	return j
}

type findingJSON struct {
	Rule     string           `json:"rule,omitempty"`
	Severity finding.Severity `json:"severity"`
	Line     int              `json:"line,omitempty"`
	Col      int              `json:"col,omitempty"`
	Path     string           `json:"path,omitempty"`
	Message  string           `json:"message"`
	Hint     string           `json:"hint,omitempty"`
}

func describeFindings(list []finding.Finding) []findingJSON {
	out := make([]findingJSON, 0, len(list))
	for _, f := range list {
		out = append(out, findingJSON{f.Rule.ID, f.Severity, f.At.Line, f.At.Col, f.At.Name, f.Msg, f.Hint})
	}
	return out
}
