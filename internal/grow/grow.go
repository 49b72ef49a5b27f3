// Package grow carries out a seed's directives natively: it never runs the
// shell that the seed carries. It implements SP-GROW and SP-DIR with the consent
// table of the product.
//
// [Prepare] looks at everything first: every directive, every file that would be
// written, every script that would run. It changes nothing. [Plan.Run] then asks
// for the consent that is still missing and does the directives in order. A
// plan that was never run has left nothing behind, which is what inspect and
// --dry-run build on.
package grow

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"seed/finding"
	"seed/internal/disk"
	"seed/internal/keys"
	"seed/internal/shellscan"
	"seed/seedfile"
)

var (
	ruleExists  = finding.Rule{ID: "SP-GROW-04", Want: "no existing file replaced without force"}
	ruleConsent = finding.Rule{ID: "SP-GROW-06", Want: "consent before code runs"}
	ruleName    = finding.Rule{ID: "SP-PATH-01", Want: "paths that stay below the destination"}
	ruleLink    = finding.Rule{ID: "SP-PATH-05", Want: "no symbolic link below the destination"}
	ruleCopy    = finding.Rule{ID: "SP-DIR-03", Want: "every directory to exist before copy"}
	ruleExec    = finding.Rule{ID: "SP-DIR-04", Want: "a script that succeeds"}
	ruleInstall = finding.Rule{ID: "SP-DIR-05", Want: "an executable file and a bin directory in PATH"}
	ruleRemote  = finding.Rule{ID: "SP-DIR-06", Want: "a script fetched whole over https"}
	ruleStart   = finding.Rule{ID: "SP-SEC-03", Want: "no start-up files planted unseen"}
)

// Failures that a caller tells apart.
var (
	// ErrConsent is wrapped when a directive may not run: nobody agreed to it.
	ErrConsent = errors.New("no consent")
	// ErrStep is wrapped when a directive ran and did not succeed.
	ErrStep = errors.New("step failed")
)

// Who consented to a step, in [Step.By].
const (
	ByFlag     = "flag"     // the command line: --allow or --yes
	BySigner   = "signer"   // the user, who trusts the seed's signer with it
	ByTerminal = "terminal" // a yes to a question
)

// Options say how a seed may be grown. Fields that are funcs are the world.
type Options struct {
	Force  bool   // replace files whose content differs
	Yes    bool   // consent to install
	Allow  Allow  // consent by name
	BinDir string // where install links to
	Env    func(string) string
	OS     string // as runtime.GOOS says; "windows" keeps some names for itself

	// Trusted finds a signer on the list of those whom the user trusts now; nil
	// trusts nobody. What the entry permits is consent, given in advance. The
	// seed must then be read from where nobody else can change it (SIG-12).
	Trusted func(signer [32]byte) (keys.Trusted, bool)

	// Fetch downloads the script of a URL directive.
	Fetch func(ctx context.Context, url string) ([]byte, error)
	// Ask asks a person; nil when there is nobody. It shows the script first
	// when there is one.
	Ask func(ctx context.Context, q Question) (bool, error)
	// CanAsk reports whether Ask can reach a person.
	CanAsk func() bool

	Stdout, Stderr io.Writer
	// Show writes a payload to standard output as its reader can bear it.
	Show func(r io.Reader) error
	// Announce is told of each step before it is done; may be nil.
	Announce func(s *Step)
	// Journal records what was written, for ungrow; nil records nothing.
	Journal *Journal
	Source  string // where the seed came from, for the record
}

// Question is what a person is asked to agree to.
type Question struct {
	Kind   string // exec, url or install
	Text   string // one sentence that ends in a question mark
	Script string // what would run, "" for install
}

// Allow is the set of consents given by name.
type Allow map[string]bool

// Step is one directive and what it would do here.
type Step struct {
	Directive string            `json:"directive"`
	Does      string            `json:"does"`                 // in words
	Needs     string            `json:"consent,omitempty"`    // exec, url, install; "" when none is needed
	By        string            `json:"consent_by,omitempty"` // flag, signer, terminal; "" while nobody gave it
	Script    *shellscan.Script `json:"script,omitempty"`
	Code      string            `json:"code,omitempty"`   // what would run
	Status    string            `json:"status,omitempty"` // done, failed, not run
	ExecExit  *int              `json:"exec_exit,omitempty"`
}

// Plan is what growing a seed at a destination comes to.
type Plan struct {
	File    *seedfile.File
	Dest    string // absolute
	Steps   []*Step
	Files   []disk.File
	Changes []disk.Change // nil when the destination does not exist
	Fresh   bool          // the destination does not exist
	Notes   []finding.Finding

	Signature seedfile.Signature
	Signer    *keys.Trusted // who signed, when the user trusts them

	o      Options
	ready  bool // by Prepare
	landed bool // by unfold or copy
}

// Prepare checks every directive of f against the destination and returns the
// plan. A directive that cannot run here fails it, whatever comes before it.
func Prepare(ctx context.Context, f *seedfile.File, dest string, o Options) (*Plan, error) {
	if dest == "" {
		return nil, errors.New("the destination is empty")
	}
	p, err := Look(ctx, f, dest, o)
	if err != nil {
		return nil, err
	}
	if err := p.Signed(); err != nil {
		return nil, err
	}
	if err := p.Conflicts(); err != nil {
		return nil, err
	}
	if err := p.preconditions(ctx); err != nil {
		return nil, err
	}
	p.ready = true
	return p, nil
}

// Look works out what growing would do without judging it: what inspect shows.
// With no destination nothing is compared.
func Look(ctx context.Context, f *seedfile.File, dest string, o Options) (*Plan, error) {
	p := &Plan{File: f, Dest: "PATH", Fresh: true, o: o, Files: landing(f)}
	if err := p.readSignature(); err != nil {
		return nil, err
	}
	if dest != "" {
		if err := p.compare(ctx, dest); err != nil {
			return nil, err
		}
	}
	p.startupFiles()
	for _, d := range f.Meta.Grow {
		s, err := p.step(d)
		if err != nil {
			return nil, err
		}
		s.By = p.granted(s.Needs)
		p.Steps = append(p.Steps, s)
	}
	return p, nil
}

func (p *Plan) compare(ctx context.Context, dest string) (err error) {
	if p.Dest, err = filepath.Abs(dest); err != nil {
		return err
	}
	if p.Fresh, err = absent(p.Dest); err != nil || p.Fresh {
		return err
	}
	p.Changes, err = disk.Compare(ctx, p.Dest, p.Files, disk.Options{Force: p.o.Force, NoMkdir: p.copies()})
	return inTheWay(err)
}

// landing lists what is written: the members of an archive that is unfolded or
// copied, otherwise the document itself (SP-GROW-03).
func landing(f *seedfile.File) []disk.File {
	if f.Archive == nil || !spreads(f) {
		return []disk.File{{
			Path: f.Filename, Mode: 0o644, Size: f.Document().Size(),
			Open: func() io.Reader { return f.Document() },
		}}
	}
	files := make([]disk.File, len(f.Archive.Files))
	for i := range f.Archive.Files {
		e := &f.Archive.Files[i]
		files[i] = disk.File{Path: e.Path, Mode: e.Mode, Size: e.Size, Open: func() io.Reader { return f.Archive.Open(e) }}
	}
	return files
}

// spreads reports whether the archive's files land, rather than the document.
func spreads(f *seedfile.File) bool {
	for _, d := range f.Meta.Grow {
		if d == "unfold" || d == "copy" {
			return true
		}
	}
	return false
}

// copies reports whether the first landing may make no directory.
func (p *Plan) copies() bool {
	for _, d := range p.File.Meta.Grow {
		if d == "unfold" {
			return false
		}
		if d == "copy" {
			return true
		}
	}
	return false
}
