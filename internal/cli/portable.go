package cli

import (
	"fmt"

	"seed/finding"
	"seed/internal/packer"
	"seed/internal/pathrule"
	"seed/seedfile"
)

var ruleEverywhere = finding.Rule{ID: "SP-PATH-04", Want: "names that work on every system"}

// portability notes names that are legal and will not work everywhere: those
// that Windows keeps for itself, and those that are one on some file systems.
func portability(seed *seedfile.File, rep *finding.Report) {
	if seed.Archive == nil {
		return
	}
	const most = 20
	for _, msg := range unportable(seed.Archive.Files, most) {
		rep.Add(finding.Finding{Rule: ruleEverywhere, Severity: finding.Note, Msg: msg})
	}
}

// unportable says of each such name what is the matter, at most that many.
func unportable(files []seedfile.Entry, most int) []string {
	var out []string
	members := make([]seedfile.Member, len(files))
	for i, f := range files {
		members[i].Path = f.Path
		if why := pathrule.Portable(f.Path); why != "" {
			out = append(out, finding.Quote(f.Path)+" "+why)
		}
	}
	for _, c := range packer.Collisions(members) {
		out = append(out, fmt.Sprintf("%s and %s are one path where case or Unicode form does not count", finding.Quote(c[0]), finding.Quote(c[1])))
	}
	if n := len(out); n > most {
		out = append(out[:most], fmt.Sprintf("%d more names that do not work everywhere", n-most))
	}
	return out
}
