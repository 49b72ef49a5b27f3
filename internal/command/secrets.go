package command

import (
	"path"
	"slices"

	"seed/finding"
	"seed/internal/packer"
	"seed/internal/ui"
)

var ruleSecrets = finding.Rule{ID: "SP-PACK-07", Want: "no secrets in what leaves the machine"}

// RefuseSecrets stops what would send out files that look like they hold
// secrets, unless the caller allowed each by name. done says what was not done:
// "packed", "sealed".
func RefuseSecrets(found []packer.Secret, allowed []string, done string) error {
	var details []string
	files := 0
	for _, s := range found {
		if slices.ContainsFunc(allowed, func(name string) bool { return path.Clean(name) == path.Clean(s.Path) }) {
			continue
		}
		files++
		for _, m := range s.Result.Matches {
			details = append(details, m.Finding(s.Path).String())
		}
		if s.Result.More {
			details = append(details, s.Path+": and more")
		}
	}
	if files == 0 {
		return nil
	}
	return &Failure{
		Err: ruleSecrets.Errorf(finding.Place{}, "%s like secrets; nothing was %s",
			ui.Plural(int64(files), "file holds what looks", "files hold what looks"), done),
		Details: details, Code: Cannot, Reason: "secret",
		Hint: "take them out, name them in .seedignore, or allow one by name: --allow-secret PATH (--allow-secrets for all)",
	}
}
