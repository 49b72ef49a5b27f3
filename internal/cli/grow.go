package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/fetch"
	"seed/internal/grow"
	"seed/internal/noun"
	"seed/internal/ui"
	"seed/internal/visible"
	"seed/seedfile"
)

type growFlags struct {
	input  inputFlags
	force  bool
	yes    bool
	allow  []string
	dryRun bool
	binDir string
}

func (a *app) growCmd() *cobra.Command {
	var f growFlags
	cmd := &cobra.Command{
		Use:     "grow SEED PATH",
		GroupID: "seeds",
		Short:   "Carry out a seed's directives at a destination",
		Long: `Read a seed whole, check it, and do what its grow field says at PATH. SEED is a file,
an https URL (plain http to loopback only), a registry id, or - for standard input.
The shell code inside the seed is never run.

A new PATH appears in one step; an existing one changes wholly or not at all. Files
that differ from what is there stop it unless --force is given. Running code needs
your consent: exec and URL directives by --allow NAME or a yes on the terminal after
the script was shown; install also by --yes; all three by a valid signature of somebody
whom you trust with it (seed trust). --sha256 and #sha256=... prove that the content is
the one you meant. They are never consent. A seed with an invalid signature is refused.

Exit codes: 0 done; 1 a step failed; 2 refused or could not, and nothing was changed.`,
		Example: `  seed grow my-skill.seed ./skills/my-skill
  seed grow https://seeds.example/s/abc12 ./here --dry-run
  seed grow tool.seed ~/tools/x --yes
  seed grow setup.seed ./project --allow exec`,
		Args: command.Args(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.grow(cmd.Context(), args[0], args[1], &f) },
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.force, "force", false, "replace existing files that differ")
	fl.BoolVarP(&f.yes, "yes", "y", false, "agree to install; never to exec or a URL")
	fl.StringSliceVar(&f.allow, "allow", nil, "agree to directives by `NAME`: exec, url, install")
	fl.BoolVarP(&f.dryRun, "dry-run", "n", false, "show what would be done and change nothing")
	fl.StringVar(&f.binDir, "bin-dir", "", "`DIR` that install links into (or SEED_BIN; else ~/.local/bin)")
	f.input.add(cmd)
	offer(cmd, "allow", "exec", "url", "install")
	return cmd
}

func (a *app) grow(ctx context.Context, source, dest string, f *growFlags) error {
	t := &trusting{a: a}
	o, err := a.growOptions(f, t)
	if err != nil {
		return err
	}
	in, err := a.open(ctx, source, "grow", &f.input, true)
	if err != nil {
		return err
	}
	defer in.Close()
	o.Source = in.name
	if f.dryRun {
		return a.dryRun(ctx, in, dest, f, o, t)
	}
	seed, err := a.readSettled(ctx, in, &f.input)
	if err != nil {
		return err
	}
	if err := a.recover(dest); err != nil {
		return err
	}
	progress := &growing{a: a}
	o.Announce = progress.step
	plan, err := grow.Prepare(ctx, seed, dest, o)
	if err != nil {
		return err
	}
	for _, n := range plan.Notes {
		a.UI.Warn("%s", n.String())
	}
	sig := t.describe(plan.Signature, seed.Meta)
	a.noteSigner(plan, &sig)
	progress.over(plan.Files)
	result, err := plan.Run(ctx)
	progress.stop()
	if result != nil && result.RecordErr != nil {
		a.UI.Warn("no record was kept for seed ungrow: %v", result.RecordErr)
	}
	if err != nil {
		return scriptFailed(ctx, result, err)
	}
	return a.growReport(result, seed, in, &sig)
}

// recover clears what a killed run left behind.
func (a *app) recover(dest string) error {
	done, err := disk.Recover(dest)
	for _, r := range done {
		if r.Undone {
			a.UI.Note("took back an unfinished grow in %s", filepath.Dir(r.Stage))
		}
		for _, k := range r.Kept {
			a.UI.Warn("left as it is, changed since the unfinished grow: %s", k)
		}
	}
	return err
}

// noteSigner says who signed what is about to be done, and what runs on the
// strength of it.
func (a *app) noteSigner(plan *grow.Plan, sig *signatureJSON) {
	if sig.State == "unsigned" {
		return
	}
	a.UI.Note("%s", sig.line(false)) // a note has its own style
	for _, s := range plan.Steps {
		if s.By == grow.BySigner {
			a.UI.Note("%s needs no question: you trust the signer with %s", s.Directive, s.Needs)
		}
	}
}

func (a *app) growOptions(f *growFlags, t *trusting) (grow.Options, error) {
	o := grow.Options{
		Force: f.force, Yes: f.yes, Allow: grow.Allow{}, Env: a.Env, OS: runtime.GOOS,
		Stdout: a.UI.Out, Stderr: a.UI.Err, Show: a.showPayload,
		Fetch: a.fetchScript, Ask: a.ask, CanAsk: a.canAsk, Trusted: t.find,
	}
	if a.JSON {
		// Standard output belongs to the report.
		o.Stdout = a.UI.Err
		o.Show = func(r io.Reader) error { _, err := io.Copy(io.Discard, r); return err }
	}
	for _, name := range f.allow {
		if !slices.Contains([]string{"exec", "url", "install"}, name) {
			return o, &command.Failure{Err: fmt.Errorf("--allow takes exec, url or install, not %q", name), Code: command.Cannot, Reason: "usage"}
		}
		o.Allow[name] = true
	}
	var err error
	if o.BinDir, err = a.binDir(f.binDir); err != nil {
		return o, err
	}
	places, err := a.Places()
	if err == nil {
		o.Journal = &grow.Journal{Dir: filepath.Join(places.State, "grown"), Now: time.Now}
	}
	return o, nil // without a home there is no record, and growing works all the same
}

// binDir is where install links to.
func (a *app) binDir(flag string) (string, error) {
	dir := flag
	if dir == "" {
		dir = a.Env("SEED_BIN")
	}
	if dir == "" && a.Env("HOME") != "" {
		dir = filepath.Join(a.Env("HOME"), ".local", "bin")
	}
	if dir == "" {
		return "", nil
	}
	return filepath.Abs(dir)
}

// maxRemote bounds the script of a URL directive.
const maxRemote = 1 << 20

// fetchScript downloads the script of a URL directive and holds it to its pin.
func (a *app) fetchScript(ctx context.Context, url string) ([]byte, error) {
	// A fragment that is no pin means nothing to a server, and is not sent.
	if before, fragment, ok := strings.Cut(url, "#"); ok && !strings.HasPrefix(fragment, "sha256=") {
		url = before
	}
	link, err := noun.ParseURL(url)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	client := fetch.Client{Version: version}
	got, err := client.Fetch(ctx, fetch.Request{URL: link.URL, MaxSize: maxRemote}, &b)
	if err != nil {
		return nil, badRedirect(err)
	}
	if link.SHA256 != "" && got.SHA256 != link.SHA256 {
		err := fmt.Errorf("not intact: its SHA-256 is %s, not %s", got.SHA256, link.SHA256)
		return nil, &command.Failure{Err: err, Code: command.Cannot, Reason: "invalid"}
	}
	return b.Bytes(), nil
}

func (a *app) canAsk() bool {
	tty, err := a.UI.Terminal()
	if err != nil {
		return false
	}
	return tty.Close() == nil
}

// ask shows the script, every control character made visible, and asks.
func (a *app) ask(ctx context.Context, q grow.Question) (bool, error) {
	if q.Script != "" {
		tty, err := a.UI.Terminal()
		if err != nil {
			return false, err
		}
		err = showScript(tty, q.Script)
		if err := errors.Join(err, tty.Close()); err != nil {
			return false, err
		}
	}
	if q.Script != "" {
		q.Text = fmt.Sprintf("That was a script of %s. %s", ui.Plural(int64(strings.Count(q.Script, "\n")), "line", "lines"), q.Text)
	}
	return a.UI.Confirm(ctx, q.Text)
}

func showScript(w io.Writer, script string) error {
	rule := strings.Repeat("-", 60)
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n", rule)
	v := visible.NewWriter(&b, visible.Show)
	_, _ = io.WriteString(v, script) // a buffer takes everything
	_ = v.Flush()
	if !strings.HasSuffix(script, "\n") {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s\n", rule)
	_, err := w.Write(b.Bytes())
	return err
}

type growJSON struct {
	Seed     string `json:"seed"`
	Digest   string `json:"digest"`
	ExecExit *int   `json:"exec_exit,omitempty"` // of the last script

	Signature *signatureJSON `json:"signature"`
	*grow.Result
}

func (a *app) growReport(r *grow.Result, seed *seedfile.File, in *input, sig *signatureJSON) error {
	if a.JSON {
		j := growJSON{Seed: in.name, Digest: digest(seed), Signature: sig, Result: r}
		for _, s := range r.Steps {
			if s.ExecExit != nil {
				j.ExecExit = s.ExecExit
			}
		}
		return a.UI.JSON(j)
	}
	for _, s := range r.Steps {
		if s.ExecExit != nil {
			a.UI.Note("%s ran and succeeded", s.Directive)
		}
	}
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{len(r.Created), "new"}, {len(r.Replaced), "replaced"}, {len(r.Same), "unchanged"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", ui.Plural(int64(c.n), "file", "files"), c.what))
		}
	}
	if r.Link != "" {
		parts = append(parts, "linked as "+r.Link)
	}
	a.UI.Done("%s: %s", r.Dest, strings.Join(parts, ", "))
	return nil
}
