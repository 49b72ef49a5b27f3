package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/grow"
	"seed/internal/noun"
	"seed/internal/shellscan"
	"seed/internal/ui"
	"seed/internal/visible"
	"seed/seedfile"
)

func (a *app) inspectCmd() *cobra.Command {
	var f growFlags
	cmd := &cobra.Command{
		Use:     "inspect THING [PATH]",
		GroupID: "both",
		Short:   "Show what a seed is and would do, or what a capsule says of itself",
		Long: `Show what a seed is and everything that growing it would do: the files it would write,
the directives in order, the commands and hosts in scripts it would run, hidden
characters, the state of its transport, who signed it and whether you trust them, and
how the files differ from what is at PATH.
Nothing beyond the seed itself is fetched; nothing is written or run. THING is a file,
- for standard input, a URL written seed+https://..., or a registry id. For a capsule it
shows what it says about itself, as seed capsule inspect does.

Exit codes: 0 shown; 2 not a conforming seed or a capsule, or it could not be read.`,
		Example: `  seed inspect my-skill.seed
  seed inspect my-skill.seed ./skills/my-skill
  seed inspect - < download.seed`,
		Args: command.Args(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := a.openThing(cmd.Context(), args[0], "inspect", &f.input, false, noun.SeedFile, noun.Capsule)
			if err != nil {
				return err
			}
			defer in.Close()
			if in.isCapsule() {
				return a.inspectCapsule(cmd, in, &f.input, args[1:])
			}
			dest := ""
			if len(args) == 2 {
				dest = args[1]
			}
			return a.inspect(cmd.Context(), in, dest, &f)
		},
	}
	f.input.add(cmd)
	return cmd
}

func (a *app) inspect(ctx context.Context, in *input, dest string, f *growFlags) error {
	seed, rep, err := a.readToShow(ctx, in, &f.input)
	if err != nil {
		return err
	}
	t := &trusting{a: a}
	o, err := a.growOptions(f, t)
	if err != nil {
		return err
	}
	p, err := grow.Look(ctx, seed, dest, o)
	if err != nil {
		return err
	}
	return a.showPlan(p, rep, in, nil, t)
}

// readToShow reads a seed with everything that a careful reader wants to know.
func (a *app) readToShow(ctx context.Context, in *input, f *inputFlags) (*seedfile.File, *finding.Report, error) {
	o := seedfile.Options{Name: in.name, Digest: true, Hidden: true}
	seed, rep, err := seedfile.Check(in, in.size, o)
	again := false
	if err == nil {
		again, err = in.settle(ctx, seed)
	}
	if again {
		seed, rep, err = seedfile.Check(in, in.size, o)
	}
	if err == nil {
		err = rep.Err()
	}
	if err == nil {
		err = checkPins(in, f, seed.Digest)
	}
	if err != nil {
		return nil, nil, err
	}
	portability(seed, rep)
	return seed, rep, nil
}

// dryRun shows what grow would do, the scripts in full, and judges as grow does.
func (a *app) dryRun(ctx context.Context, in *input, dest string, f *growFlags, o grow.Options, t *trusting) error {
	seed, rep, err := a.readToShow(ctx, in, &f.input)
	if err != nil {
		return err
	}
	p, err := grow.Look(ctx, seed, dest, o)
	if err != nil {
		return err
	}
	verdict := p.Signed()
	if verdict == nil { // nothing is fetched for a seed that nobody stands for
		if err := p.Fetch(ctx); err != nil {
			return err
		}
		verdict = p.Conflicts()
	}
	if err := a.showPlan(p, rep, in, verdict, t); err != nil {
		return err
	}
	for _, s := range p.Steps {
		if s.Code == "" || a.JSON {
			continue
		}
		if _, err := fmt.Fprintf(a.UI.Out, "\n%s would run:\n", visible.Text(s.Directive)); err != nil {
			return err
		}
		if err := showScript(a.UI.Out, s.Code); err != nil {
			return err
		}
	}
	if verdict != nil {
		return &command.Failure{Err: verdict, Code: command.Cannot, InJSON: true}
	}
	return nil
}

type planJSON struct {
	Seed        string             `json:"seed"`
	Digest      string             `json:"digest"`
	Size        int64              `json:"size"`
	URL         string             `json:"url"`
	Filename    string             `json:"filename"`
	Metadata    metadataJSON       `json:"metadata"`
	Transport   transportJSON      `json:"transport"`
	Signature   signatureJSON      `json:"signature"`
	Destination string             `json:"destination,omitempty"`
	New         bool               `json:"destination_is_new,omitempty"`
	Steps       []*grow.Step       `json:"steps"`
	Files       []fileJSON         `json:"files"`
	Bytes       int64              `json:"bytes"`
	Findings    []findingJSON      `json:"findings"`
	Error       *command.ErrorJSON `json:"error,omitempty"` // what would stop grow
}

type fileJSON struct {
	Path    string     `json:"path"`
	Size    int64      `json:"size"`
	Mode    string     `json:"mode"`
	Encoded bool       `json:"base64,omitempty"`
	Change  *disk.Kind `json:"change,omitempty"` // against the destination
	Note    string     `json:"note,omitempty"`
}

// showPlan prints what growing would do, and in JSON also what would stop it.
func (a *app) showPlan(p *grow.Plan, rep *finding.Report, in *input, verdict error, t *trusting) error {
	seed := p.File
	findings := append(rep.Findings, p.Notes...)
	if p.Signature.Breach != nil {
		findings = append(findings, p.Signature.Breach.Finding)
	}
	j := planJSON{
		Seed: in.name, Digest: digest(seed), Size: seed.Size, URL: seed.URL, Filename: seed.Filename,
		Metadata: describeMetadata(seed), Transport: describeTransport(seed.Transport), Steps: p.Steps,
		Findings: describeFindings(findings), Files: listFiles(p), Signature: t.describe(p.Signature, seed.Meta),
	}
	for _, f := range j.Files {
		j.Bytes += f.Size
	}
	if filepath.IsAbs(p.Dest) {
		j.Destination, j.New = p.Dest, p.Fresh
	}
	if a.JSON {
		if verdict != nil {
			e := command.DescribeError(command.Explain(verdict))
			j.Error = &e
		}
		return a.UI.JSON(j)
	}
	return a.printPlan(&j, findings)
}

func listFiles(p *grow.Plan) []fileJSON {
	changes := make(map[string]disk.Change, len(p.Changes))
	for _, c := range p.Changes {
		changes[c.Path] = c
	}
	encoded := map[string]bool{}
	if p.File.Archive != nil {
		for _, e := range p.File.Archive.Files {
			encoded[e.Path] = e.Encoded
		}
	}
	files := make([]fileJSON, len(p.Files))
	for i, f := range p.Files {
		files[i] = fileJSON{Path: f.Path, Size: f.Size, Mode: fmt.Sprintf("%03o", f.Mode.Perm()), Encoded: encoded[f.Path]}
		if c, ok := changes[f.Path]; ok {
			files[i].Change, files[i].Note = &c.Kind, c.Note
		}
	}
	return files
}

func (a *app) printPlan(j *planJSON, findings []finding.Finding) error {
	c := a.UI.Color
	out := &command.Lines{W: a.UI.Out}
	state := c.Warn("custom") + " (a shell would run code that is not known; seed grow never runs it)"
	if j.Transport.Canonical {
		state = "canonical " + j.Transport.Profile
	}
	out.Printf("%s", c.Bold(visible.Text(j.Seed)))
	for _, row := range [][2]string{
		{"name", visible.Text(j.Metadata.Name)},
		{"type", visible.Text(j.Metadata.Type)},
		{"url", visible.Text(j.URL)},
		{"size", ui.Size(j.Size)},
		{"digest", j.Digest},
		{"transport", state},
		{"signature", j.Signature.line(c)},
	} {
		if row[1] != "" {
			out.Printf("  %-10s %s", row[0], row[1])
		}
	}
	if j.Destination != "" {
		what := ""
		if j.New {
			what = " (new)"
		}
		out.Printf("  %-10s %s%s", "at", visible.Text(j.Destination), what)
	}
	out.Printf("\n%s", c.Bold("Would do, in order"))
	for i, s := range j.Steps {
		consent := ""
		switch {
		case s.By == grow.BySigner:
			consent = "  " + c.Warn("by your trust in its signer")
		case s.By == grow.ByFlag:
			consent = "  " + c.Warn("by your consent on the command line")
		case s.Needs != "":
			consent = "  " + c.Warn("needs your consent")
		}
		out.Printf("  %d. %s: %s%s", i+1, c.Bold(visible.Text(s.Directive)), visible.Text(s.Does), consent)
		a.printScript(out, s)
	}
	a.printFiles(out, j)
	if len(findings) > 0 {
		out.Printf("\n%s", c.Bold("Worth knowing"))
		for _, f := range findings {
			out.Printf("  %s", a.FindingLine(f))
		}
	}
	return out.Err
}

func (a *app) printFiles(out *command.Lines, j *planJSON) {
	out.Printf("\n%s", a.UI.Color.Bold("Would write "+ui.Plural(int64(len(j.Files)), "file", "files")+", "+ui.Size(j.Bytes)))
	t := ui.Table{Indent: 2, Max: 100}
	const most = 200
	for i, f := range j.Files {
		if i == most {
			break
		}
		change, style := "", ui.Plain
		if f.Change != nil {
			change = f.Change.String()
			switch *f.Change {
			case disk.New, disk.Same:
				style = ui.Dim
			case disk.Differs:
				style = ui.Warn
			default:
				style = ui.Bad
			}
			if f.Note != "" && *f.Change != disk.Differs {
				change += ": " + f.Note
			}
		}
		t.Add(ui.Cell{Text: f.Mode, Style: ui.Dim}, ui.Cell{Text: ui.Size(f.Size), Right: true}, ui.Cell{Text: f.Path}, ui.Cell{Text: change, Style: style})
	}
	if out.Err == nil {
		out.Err = t.Print(out.W, a.UI.Color)
	}
	if len(j.Files) > most {
		out.Printf("  ... and %s more (--json lists all)", ui.Count(int64(len(j.Files)-most)))
	}
}

// printScript lists what the shell analysis saw.
func (a *app) printScript(out *command.Lines, s *grow.Step) {
	if s.Script == nil {
		return
	}
	list := func(label string, items []string) {
		const most = 40
		if len(items) == 0 {
			return
		}
		if len(items) > most {
			items = append(items[:most:most], fmt.Sprintf("and %d more", len(items)-most))
		}
		out.Printf("     %-12s %s", label, strings.Join(items, ", "))
	}
	sc := s.Script
	if sc.Unparsed {
		out.Printf("     %s", a.UI.Color.Warn("the script could not be parsed; this is a guess from its words"))
	}
	list("commands", unique(sc.Commands, func(c shellscan.Command) string {
		if c.Builtin || c.Function {
			return ""
		}
		return c.Name
	}))
	list("hosts", unique(sc.Hosts, func(h shellscan.Host) string { return h.Name }))
	list("reads", unique(sc.EnvReads, func(v shellscan.Variable) string { return "$" + v.Name }))
	list("writes", unique(sc.Writes, func(w shellscan.Write) string { return string(w.Action) + " " + w.Path }))
	list("privileges", unique(sc.Privileges, func(u shellscan.Use) string { return u.Text }))
	list("runs text", unique(sc.ShellPipes, func(p shellscan.ShellPipe) string { return p.From + " | " + p.Shell }))
	list("stays", unique(sc.Background, func(u shellscan.Use) string { return u.Text }))
	list("packages", unique(sc.Packages, func(p shellscan.Package) string { return strings.TrimSpace(p.Manager + " " + p.Action) }))
}

// unique names each thing once, made visible, in its first place.
func unique[T any](items []T, name func(T) string) []string {
	seen := map[string]bool{}
	var out []string
	for _, item := range items {
		n := visible.Line(name(item), 80)
		if n != "" && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}
