package grow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"seed/finding"
	"seed/internal/disk"
	"seed/internal/pathrule"
	"seed/internal/shellscan"
)

// maxScript bounds a payload that is to be run or shown as a script.
const maxScript = 16 << 20

func absent(path string) (bool, error) {
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case errors.Is(err, syscall.ENOTDIR):
		return false, nil // comparing says which parent is no directory
	}
	return false, err
}

// step says what one directive would do at this destination.
func (p *Plan) step(directive string) (*Step, error) {
	s := &Step{Directive: directive, Needs: Permission(directive)}
	switch directive {
	case "show":
		s.Does = "write the payload to standard output"
	case "unfold":
		s.Does = "write " + plural(len(p.Files), "file") + " below " + p.Dest
	case "copy":
		s.Does = "write " + plural(len(p.Files), "file") + " into directories of " + p.Dest + " that exist"
	case "exec":
		s.Does = "run the payload as a shell script in " + p.Dest
		if i := slices.IndexFunc(p.Steps, func(s *Step) bool { return s.Directive == "exec" }); i >= 0 {
			s.Code, s.Script = p.Steps[i].Code, p.Steps[i].Script
			break
		}
		if n := p.File.Payload().Size(); n > maxScript {
			return nil, ruleExec.Errorf(finding.Place{}, "a script of %d bytes is not run: the limit is %d", n, maxScript)
		}
		code, err := io.ReadAll(p.File.Payload())
		if err != nil {
			return nil, fmt.Errorf("read payload: %w", err)
		}
		s.setCode(code)
	case "install":
		s.Does = "link " + filepath.Join(p.Dest, p.File.Meta.Name) + " into " + p.o.BinDir
	default: // a URL: the reader lets nothing else through
		s.Does = "fetch a script and run it in " + p.Dest
	}
	return s, nil
}

func (s *Step) setCode(code []byte) {
	s.Code = string(code)
	s.Script, _ = shellscan.Scan(code, shellscan.Options{}) // an unparsed script says so itself
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Conflicts is the verdict over what is at the destination.
func (p *Plan) Conflicts() error {
	if p.o.OS == "windows" {
		// A drive letter, a stream or a device there is not a file below the
		// destination, whatever it looks like.
		for _, f := range p.Files {
			if why := pathrule.Portable(f.Path); why != "" {
				e := ruleName.Errorf(finding.Place{Name: f.Path}, "the name %s", why)
				e.Err = disk.ErrUnsafe
				return e
			}
		}
	}
	if p.Fresh && p.copies() {
		return ruleCopy.Errorf(finding.Place{Name: p.Dest}, "copy makes no directories, and the destination is missing")
	}
	var first *disk.Change
	n := 0
	for i, c := range p.Changes {
		if c.Kind == disk.New || c.Kind == disk.Same || c.Kind == disk.Differs && p.o.Force {
			continue
		}
		n++
		if first == nil || worse(c.Kind, first.Kind) {
			first = &p.Changes[i]
		}
	}
	if first == nil {
		return nil
	}
	return conflict(p.Dest, *first, n)
}

func worse(a, b disk.Kind) bool { return a == disk.Unsafe && b != disk.Unsafe }

// conflict is the error for the worst of n paths that stand in the way.
func conflict(dest string, c disk.Change, n int) error {
	at := finding.Place{Name: dest}
	if c.At != "." {
		at.Name = filepath.Join(dest, filepath.FromSlash(c.At))
	}
	more := ""
	if n > 1 {
		more = fmt.Sprintf(" (and %s more)", plural(n-1, "path"))
	}
	// The cause is kept as what it means to a caller.
	switch c.Kind {
	case disk.Differs:
		e := ruleExists.Errorf(at, "exists and differs%s", more).WithHint("--force replaces it; seed inspect SEED PATH shows the differences")
		e.Err = disk.ErrExists
		return e
	case disk.Unsafe:
		e := ruleLink.Errorf(at, "refusing to go through a symbolic link%s", more)
		e.Err = disk.ErrUnsafe
		return e
	case disk.NoDir:
		e := ruleCopy.Errorf(at, "copy makes no directories%s", more)
		e.Err = disk.ErrBlocked
		return e
	default:
		e := ruleExists.Errorf(at, "%s%s", c.Note, more)
		e.Err = disk.ErrBlocked
		return e
	}
}

// inTheWay gives what package disk found in the way as a broken rule.
func inTheWay(err error) error {
	var c *disk.ConflictError
	if errors.As(err, &c) {
		return conflict(c.Dest, c.Changes[0], len(c.Changes))
	}
	return err
}

// preconditions holds each step to what it needs before anything is changed,
// and fetches what has to be shown before it is agreed to.
func (p *Plan) preconditions(ctx context.Context) error {
	for _, s := range p.Steps {
		if err := p.consentPossible(s); err != nil {
			return err
		}
	}
	runs, landed := false, !spreads(p.File)
	for _, s := range p.Steps {
		if s.Needs == "install" {
			if err := p.canInstall(runs, landed); err != nil {
				return err
			}
		}
		runs = runs || s.Needs == "exec" || s.Needs == "url"
		landed = landed || s.Directive == "unfold" || s.Directive == "copy"
	}
	return p.Fetch(ctx)
}

// Fetch downloads the scripts of URL directives, so that they can be shown
// before anybody agrees to them.
func (p *Plan) Fetch(ctx context.Context) error {
	for _, s := range p.Steps {
		if s.Needs != "url" || s.Code != "" {
			continue
		}
		code, err := p.o.Fetch(ctx, s.Directive)
		if err != nil {
			e := ruleRemote.Errorf(finding.Place{}, "fetch %s: %v", finding.Quote(s.Directive), err)
			e.Err = err
			return e
		}
		s.setCode(code)
	}
	return nil
}

// canInstall checks what install needs. What a script may still create is left
// for the moment when install runs.
func (p *Plan) canInstall(scriptsBefore, landed bool) error {
	at := finding.Place{Name: p.o.BinDir}
	switch {
	case p.o.BinDir == "" || !filepath.IsAbs(p.o.BinDir):
		return ruleInstall.Errorf(finding.Place{}, "install needs a bin directory").WithHint("name one: --bin-dir DIR")
	case !inPath(p.o.BinDir, p.o.Env("PATH")):
		return ruleInstall.Errorf(at, "the bin directory is not in PATH").WithHint("put it there, or name another: --bin-dir DIR")
	}
	name := p.File.Meta.Name
	link := filepath.Join(p.o.BinDir, name)
	if ok, err := linkFree(link, filepath.Join(p.Dest, name)); err != nil || !ok {
		if err == nil {
			err = disk.ErrExists
		}
		e := ruleInstall.Errorf(finding.Place{Name: link}, "something else is there already")
		e.Err = err
		return e
	}
	if scriptsBefore {
		return nil
	}
	i := slices.IndexFunc(p.Files, func(f disk.File) bool { return landed && f.Path == name })
	if i >= 0 && p.Files[i].Mode&0o111 == 0 {
		return ruleInstall.Errorf(finding.Place{Name: name}, "the file to install is not executable")
	}
	// What is there already and stays keeps its mode.
	if i < 0 || slices.ContainsFunc(p.Changes, func(c disk.Change) bool { return c.Path == name && c.Kind == disk.Same }) {
		if err := executable(filepath.Join(p.Dest, name)); err != nil {
			return ruleInstall.Errorf(finding.Place{Name: filepath.Join(p.Dest, name)}, "there would be no executable file to install")
		}
	}
	return nil
}

// linkFree reports whether link may be made: nothing is there, or it points to
// target already.
func linkFree(link, target string) (bool, error) {
	if _, err := os.Lstat(link); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return true, nil
		}
		return false, err
	}
	to, err := os.Readlink(link)
	return err == nil && to == target, nil
}

func executable(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return errors.New("not an executable file")
	}
	return nil
}

func inPath(dir, path string) bool {
	for _, d := range filepath.SplitList(path) {
		if d != "" && filepath.Clean(d) == filepath.Clean(dir) {
			return true
		}
	}
	return false
}

// startupFiles notes files that a program would run by itself (SP-SEC-03).
func (p *Plan) startupFiles() {
	for _, f := range p.Files {
		if why := startup(f.Path); why != "" {
			p.Notes = append(p.Notes, finding.Finding{
				Rule: ruleStart, Severity: finding.Warning, At: finding.Place{Name: f.Path}, Msg: why,
			})
		}
	}
}

func startup(path string) string {
	lower := strings.ToLower(path)
	base := lower[strings.LastIndexByte(lower, '/')+1:]
	switch base {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
		".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".xprofile", ".xinitrc", ".xsessionrc", ".inputrc":
		return "a file that shells run at start"
	case ".envrc", ".tool-versions", "mise.toml", ".mise.toml":
		return "a file that shell hooks may run on entering the folder"
	case ".gitconfig", ".gitmodules", ".npmrc", ".pypirc", ".netrc", ".vimrc", ".nvimrc", ".exrc", ".emacs", "sitecustomize.py", "usercustomize.py":
		return "a file that configures a program"
	case "claude.md", "agents.md", ".cursorrules", ".windsurfrules", "gemini.md", "copilot-instructions.md", ".mcp.json":
		return "a file that agents read and obey at start"
	}
	for _, dir := range []struct{ part, why string }{
		{".ssh/", "a file of ssh: keys and commands that logins obey"},
		{".git/", "a file inside a git folder: hooks and settings that git runs"},
		{".config/autostart/", "a program that desktops start"},
		{".config/systemd/", "a unit that systemd starts"},
		{"library/launchagents/", "a program that macOS starts"},
		{".vscode/", "settings and tasks that an editor runs"},
		{".idea/", "settings that an editor runs"},
		{".claude/", "settings that an agent obeys"},
		{".cursor/", "settings that an agent obeys"},
		{".github/workflows/", "a workflow that a code host runs"},
		{".devcontainer/", "a container that an editor starts"},
	} {
		if strings.HasPrefix(lower, dir.part) || strings.Contains(lower, "/"+dir.part) {
			return dir.why
		}
	}
	return ""
}
