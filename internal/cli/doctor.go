package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/keys"
	"seed/internal/ui"
	"seed/internal/visible"
)

func (a *app) doctorCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		GroupID: "tool",
		Short:   "Say what this machine has and lacks for each command",
		Long: `Look at this machine and say, in words, what each command can do here and what it
would need. Nothing stays changed and nothing is sent anywhere.

Exit codes: 0 everything works; 1 something does not.`,
		Example: `  seed doctor
  seed doctor --json`,
		Args: command.Args(0, 0),
		RunE: func(*cobra.Command, []string) error {
			checks := a.examine()
			if a.JSON {
				if err := a.UI.JSON(map[string]any{"checks": checks}); err != nil {
					return err
				}
			} else if err := a.printChecks(checks); err != nil {
				return err
			}
			if slices.ContainsFunc(checks, func(c check) bool { return c.State == "missing" }) {
				return command.ErrVerdict
			}
			return nil
		},
	}
}

// check is one thing that a command needs.
type check struct {
	For   string `json:"for"`   // the command
	State string `json:"state"` // ok, optional, missing
	Says  string `json:"says"`
	Hint  string `json:"hint,omitempty"`
}

func (a *app) examine() []check {
	checks := []check{{For: "pack, show, inspect, verify", State: "ok", Says: "need nothing but this program"}}
	add := func(forCmd, state, says, hint string) { checks = append(checks, check{forCmd, state, says, hint}) }

	if path, err := exec.LookPath("sh"); err == nil {
		add("grow (exec, URL)", "ok", "scripts that you allow are run by "+path, "")
	} else {
		add("grow (exec, URL)", "optional", "there is no sh: seeds that run scripts cannot be grown here", "install a POSIX shell")
	}
	if a.canAsk() {
		add("grow (consent)", "ok", "there is a terminal to ask you on", "")
	} else {
		add("grow (consent)", "optional", "there is no terminal: consent must come by --allow", "")
	}
	a.examineBin(add)
	a.examinePlaces(add)
	a.examineKeys(add)
	if registry, err := a.Registry(); err != nil {
		add("registry", "missing", "the configuration cannot be used: "+err.Error(), "mend config.yaml or SEED_REGISTRY")
	} else if registry == "" {
		add("registry", "optional", "no default registry is set: URLs work, short ids do not", "set SEED_REGISTRY, or registry: in config.yaml")
	} else {
		add("registry", "ok", "default registry "+registry, "")
	}
	for _, tool := range []string{"curl", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			add("curl | bash", "optional", "there is no "+tool+", which growing without this program needs", "")
		}
	}
	return checks
}

func (a *app) examineBin(add func(forCmd, state, says, hint string)) {
	dir, err := a.binDir("")
	switch {
	case err != nil || dir == "":
		add("grow (install)", "optional", "there is no bin directory to link into", "set HOME or SEED_BIN")
	case !slices.ContainsFunc(filepath.SplitList(a.Env("PATH")), func(p string) bool { return p != "" && filepath.Clean(p) == dir }):
		add("grow (install)", "optional", dir+" is not in PATH, so install is refused", "put it in PATH, or name another with SEED_BIN or --bin-dir")
	default:
		add("grow (install)", "ok", "programs are linked into "+dir, "")
	}
}

// examinePlaces looks whether the record for ungrow could be written.
func (a *app) examinePlaces(add func(forCmd, state, says, hint string)) {
	places, err := a.Places()
	if err != nil {
		add("ungrow", "missing", "no place for records: "+err.Error(), "set HOME")
		return
	}
	dir := places.State
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			add("ungrow", "missing", dir+" is not a folder", "")
			return
		}
		if err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	if !writable(dir) {
		add("ungrow", "missing", "records cannot be written to "+places.State, "check the rights of "+dir)
		return
	}
	add("ungrow", "ok", "records of what was grown lie in "+places.State, "")
}

// examineKeys looks at the key store and at the list of trusted signers.
func (a *app) examineKeys(add func(forCmd, state, says, hint string)) {
	store, err := a.Keys()
	var list []keys.Info
	if err == nil {
		list, err = store.List()
	}
	usable := 0
	for _, k := range list {
		switch {
		case k.Problem != "":
			add("keys", "optional", k.Name+" in "+store.Dir+" cannot be used: "+k.Problem, "")
		case k.Warning != "":
			add("keys", "optional", k.Warning, "")
		}
		if k.Problem == "" {
			usable++
		}
	}
	switch {
	case err != nil:
		add("keys", "missing", "the keys cannot be read: "+err.Error(), "")
	case usable == 0:
		add("keys", "optional", "there are no keys: nothing can be signed or received", "seed keys new NAME")
	default:
		add("keys", "ok", ui.Plural(int64(usable), "key", "keys")+" in "+store.Dir, "")
	}
	trust, err := a.Trust()
	switch {
	case err != nil:
		add("trust", "missing", "the list of trusted signers cannot be used: "+err.Error(), "")
	case len(trust.Entries) == 0:
		add("trust", "optional", "nobody is trusted: every seed that runs code asks", "seed trust add KEY --label TEXT")
	default:
		add("trust", "ok", ui.Plural(int64(len(trust.Entries)), "signer", "signers")+" on the list", "")
	}
}

// writable tries, because rights are more than mode bits.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".seed-doctor-")
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}

func (a *app) printChecks(checks []check) error {
	out := &command.Lines{W: a.UI.Out}
	out.Printf("seed %s on %s/%s", version, runtime.GOOS, runtime.GOARCH)
	t := ui.Table{Indent: 2}
	for _, c := range checks {
		style := ui.Good
		switch c.State {
		case "optional":
			style = ui.Warn
		case "missing":
			style = ui.Bad
		}
		says := visible.Text(c.Says)
		if c.Hint != "" {
			says += " (" + c.Hint + ")"
		}
		t.Add(ui.Cell{Text: c.State, Style: style}, ui.Cell{Text: c.For, Style: ui.Bold}, ui.Cell{Text: says})
	}
	if out.Err != nil {
		return out.Err
	}
	return t.Print(out.W, a.UI.Color)
}
