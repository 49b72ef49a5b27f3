package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/command"
	"seed/internal/noun"
	"seed/internal/packer"
	"seed/internal/ui"
	"seed/seedfile"
)

type packFlags struct {
	out          string
	name, typ    string
	grow         []string
	url, at      string
	archive      bool
	binary       policyFlag
	symlinks     policyFlag
	special      policyFlag
	gitignore    bool
	allowSecret  []string
	allowSecrets bool
	input        inputFlags
}

func (a *app) packCmd() *cobra.Command {
	var f packFlags
	f.binary.allowed = []string{"refuse", "skip", "base64"}
	f.symlinks.allowed = []string{"refuse", "skip", "follow"}
	f.special.allowed = []string{"refuse", "skip"}
	cmd := &cobra.Command{
		Use:     "pack DIR|FILE|-",
		GroupID: "seeds",
		Short:   "Turn a folder or a file into one seed",
		Long: `Turn a folder or a file into one seed, a text file that any shell can grow.

A folder becomes an archive; a file becomes a document, its frontmatter kept; a seed
is packed again with the current transport and stays the same otherwise. Its signature
is taken off when a flag changes what it covers. The same input gives the same bytes on
any machine at any time. What the format cannot carry (binary files, links) is refused
by name unless a flag says what to do with it. Likely secrets stop the packing.

.seedignore files say what to leave out, in the syntax of .gitignore.
The seed goes to standard output, or to FILE with -o; on a terminal, to NAME.seed.

Exit codes: 0 packed; 2 refused or failed, and nothing was written.`,
		Example: `  seed pack ./my-skill -o my-skill.seed
  seed pack notes.md --grow show > notes.seed
  seed pack ./site --binary=base64 --gitignore -o site.seed
  seed pack ./tool --grow unfold,install -o tool.seed`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.pack(cmd.Context(), args[0], &f) },
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "output", "o", "", "write the seed to this file (- for standard output)")
	fl.StringVar(&f.typ, "type", "", "skill, tool, context or data; a folder is always an archive and gets it as its kind")
	fl.StringVar(&f.name, "name", "", "name of the seed")
	fl.StringSliceVar(&f.grow, "grow", nil, "`DIRECTIVES` in order: show, unfold, copy, exec, install or a URL")
	fl.StringVar(&f.url, "url", "", "URL in the usage line")
	fl.StringVar(&f.at, "at", "", "time in the archive, RFC 3339 (also: SOURCE_DATE_EPOCH); default 1980-01-01T00:00:00Z")
	fl.BoolVar(&f.archive, "archive", false, "carry a single file as an archive: exact bytes, its own name")
	fl.Var(&f.binary, "binary", "binary files: refuse, skip or base64")
	fl.Var(&f.symlinks, "symlinks", "symbolic links: refuse, skip or follow (inside the folder)")
	fl.Var(&f.special, "special", "sockets, pipes, devices: refuse or skip")
	fl.BoolVar(&f.gitignore, "gitignore", false, "also leave out what .gitignore files name")
	fl.StringArrayVar(&f.allowSecret, "allow-secret", nil, "pack `PATH` although it looks like it holds a secret")
	fl.BoolVar(&f.allowSecrets, "allow-secrets", false, "do not look for secrets")
	f.input.addSize(cmd)
	offer(cmd, "binary", f.binary.allowed...)
	offer(cmd, "symlinks", f.symlinks.allowed...)
	offer(cmd, "special", f.special.allowed...)
	offer(cmd, "type", "skill", "tool", "context", "data")
	offer(cmd, "grow", "show", "unfold", "copy", "exec", "install")
	return cmd
}

// offer completes the value of a flag from a few words.
func offer(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // a flag of that name was just made
	}
}

// policyFlag is one of a few words.
type policyFlag struct {
	allowed []string
	value   string
}

func (p *policyFlag) String() string {
	if p.value == "" && len(p.allowed) > 0 {
		return p.allowed[0]
	}
	return p.value
}
func (p *policyFlag) Type() string { return strings.Join(p.allowed, "|") }

func (p *policyFlag) Set(s string) error {
	for _, ok := range p.allowed {
		if s == ok {
			p.value = s
			return nil
		}
	}
	return fmt.Errorf("want %s", strings.Join(p.allowed, ", "))
}

func (p *policyFlag) policy() seedfile.Policy {
	switch p.value {
	case "skip":
		return seedfile.Skip
	case "base64":
		return seedfile.Encode
	}
	return seedfile.Refuse
}

// packing is one run of pack: what was found on the way to the seed.
type packing struct {
	a       *app
	f       *packFlags
	secrets packer.Secrets
	packed  *seedfile.Packed
	left    []packer.Left
	warn    []string
	close   []io.Closer

	document bool // a text file, with whatever its frontmatter says
	sig      seedfile.Signature

	progress *ui.Progress // over both passes; nil for a document
}

func (a *app) pack(ctx context.Context, arg string, f *packFlags) error {
	if a.JSON && (f.out == "" || f.out == "-") {
		return &command.Failure{Err: errors.New("--json prints the summary, so the seed needs a file of its own"), Code: command.Cannot, Reason: "usage", Hint: "add -o FILE"}
	}
	if err := command.CheckOutput(f.out); err != nil {
		return err
	}
	p := &packing{a: a, f: f}
	defer func() {
		p.stop()
		for _, c := range p.close {
			_ = c.Close() // only read from
		}
	}()
	n, err := noun.Detect(arg, noun.Options{})
	if errors.Is(err, noun.ErrNoRegistry) { // nothing is packed from a registry
		return fmt.Errorf("%s: %w", arg, noun.ErrNotFound)
	}
	if err != nil {
		return err
	}
	if err := n.Want("pack", noun.Folder, noun.SeedFolder, noun.File, noun.SeedFile, noun.Stdin); err != nil {
		return err
	}
	switch n.Kind {
	case noun.Folder, noun.SeedFolder:
		err = p.folder(ctx, n.Path)
	case noun.Stdin:
		in, ierr := a.openStdin(ctx, &f.input)
		if ierr != nil {
			return ierr
		}
		p.close = append(p.close, in)
		err = p.file(in, "stdin")
	default:
		if f.typ == "archive" && n.Kind == noun.File && !f.archive {
			return &command.Failure{
				Err: fmt.Errorf("%s: the type archive is for folders", finding.Quote(arg)), Code: command.Cannot, Reason: "usage",
				Hint: "to carry a single file as an archive: --archive",
			}
		}
		if f.archive && n.Kind == noun.File {
			err = p.single(ctx, n.Path)
			break
		}
		file, info, oerr := noun.OpenRegular(n.Path)
		if oerr != nil {
			return oerr
		}
		p.close = append(p.close, file)
		err = p.file(&input{ReaderAt: file, Closer: file, size: info.Size(), name: n.Path}, filepath.Base(n.Path))
	}
	if err != nil {
		return err
	}
	if err := p.scanMetadata(); err != nil {
		return err
	}
	if err := p.refuseSecrets(); err != nil {
		return err
	}
	return p.write(ctx)
}

func (p *packing) options(base string) seedfile.PackOptions {
	return seedfile.PackOptions{Base: base, Name: p.f.name, Type: p.f.typ, Grow: p.f.grow, URL: p.f.url}
}

// file packs a document, or a seed once more.
func (p *packing) file(in *input, base string) (err error) {
	head := make([]byte, noun.SniffLen)
	n, _ := in.ReadAt(head, 0) // a short file is a short head
	if noun.Sniff(head[:n]) == noun.SeedFile {
		return p.repack(in)
	}
	var tap io.Writer
	if !p.f.allowSecrets {
		t := p.secrets.Tap(base)
		defer t.Close() // which adds what it found
		tap = t
	}
	p.document = true
	p.packed, err = seedfile.PackDocument(in, in.size, p.options(base), tap)
	return err
}

func (p *packing) folder(ctx context.Context, dir string) error {
	base, err := packer.Base(dir)
	if err != nil {
		return err
	}
	src, err := packer.Open(dir, packer.Options{GitIgnore: p.f.gitignore, Follow: p.f.symlinks.value == "follow", Output: p.f.out})
	if err != nil {
		return err
	}
	p.close = append(p.close, src)
	p.left = src.Left
	for _, d := range src.Empty {
		p.warn = append(p.warn, fmt.Sprintf("empty folder %q is not carried", d))
	}
	for _, s := range src.SetID {
		p.warn = append(p.warn, fmt.Sprintf("the set-id or sticky bit of %q is not carried", s))
	}
	return p.tree(ctx, src.FS, src.Members, base, src.Bytes)
}

// single packs one file as an archive.
func (p *packing) single(ctx context.Context, path string) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	p.close = append(p.close, root)
	base := filepath.Base(path)
	info, err := root.Stat(base)
	if err != nil {
		return err
	}
	return p.tree(ctx, root.FS(), []seedfile.Member{{Path: base, Mode: info.Mode()}}, seedfile.CleanName(base), info.Size())
}

// keepAll is the size of a folder that is read once and kept in memory. A larger
// one is read twice, in memory that does not grow with it.
const keepAll = 8 << 20

func (p *packing) tree(ctx context.Context, fsys fs.FS, members []seedfile.Member, base string, size int64) error {
	at, err := p.time()
	if err != nil {
		return err
	}
	p.progress = ui.NewProgress(p.a.UI, "packing", 2*size, 0)
	o := seedfile.TreeOptions{
		PackOptions: p.options(base), Root: base, At: at,
		Binary: p.f.binary.policy(), Symlinks: p.f.symlinks.policy(), Special: p.f.special.policy(),
		Progress: func(n int64) { p.progress.Add(n, 0) },
	}
	if size <= keepAll {
		o.Keep = size
	}
	describe(&o, fsys, members, p.f.typ)
	if !p.f.allowSecrets {
		o.Tap = p.secrets.Tap
	}
	p.packed, err = seedfile.PackTree(ctxFS{ctx, fsys}, members, o)
	return err
}

// time is the archive's time: a constant unless the caller names one, so that
// the same tree gives the same bytes.
func (p *packing) time() (string, error) {
	at := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	if epoch := p.a.Env("SOURCE_DATE_EPOCH"); epoch != "" && p.f.at == "" {
		n, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil || n < 0 || n > 253402300799 { // the last second of the year 9999
			return "", &command.Failure{Err: errors.New("SOURCE_DATE_EPOCH is not a number of seconds since 1970"), Code: command.Cannot, Reason: "usage"}
		}
		at = time.Unix(n, 0).UTC()
	}
	if p.f.at != "" {
		t, err := time.Parse(time.RFC3339, p.f.at)
		if err != nil {
			return "", &command.Failure{Err: fmt.Errorf("--at: %q is not an RFC 3339 time", p.f.at), Code: command.Cannot, Reason: "usage", Hint: "for example: --at 2026-01-31T12:00:00Z"}
		}
		at = t.UTC()
	}
	return at.Format("2006-01-02T15:04:05Z"), nil
}
