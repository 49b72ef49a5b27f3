package grow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"seed/finding"
	"seed/internal/disk"
)

// Result is what growing did.
type Result struct {
	Dest     string   `json:"dest"`
	Created  []string `json:"created"`
	Replaced []string `json:"replaced"`
	Same     []string `json:"same"`
	Link     string   `json:"link,omitempty"` // made by install
	Steps    []*Step  `json:"steps"`
	// RecordErr is why the record for ungrow could not be written, or nil. The
	// files are in place all the same.
	RecordErr error `json:"-"`
}

// Run grows the seed. Whatever fails before the first file is in place leaves
// nothing behind; what landed before a failing script stays, and the error says
// so (SP-GROW-01, SP-GROW-05).
func (p *Plan) Run(ctx context.Context) (*Result, error) {
	if !p.ready {
		return nil, errors.New("the plan was only looked at, not prepared")
	}
	if err := p.consent(ctx); err != nil {
		return nil, err
	}
	r := &Result{Dest: p.Dest, Steps: p.Steps, Created: []string{}, Replaced: []string{}, Same: []string{}}
	for _, s := range p.Steps {
		s.Status = "not run"
	}
	landed := false
	if !spreads(p.File) {
		if err := p.land(ctx, r, false); err != nil {
			return r, err
		}
		landed = true
	}
	for _, s := range p.Steps {
		if p.o.Announce != nil {
			p.o.Announce(s)
		}
		err := p.do(ctx, s, r)
		if err != nil {
			s.Status = "failed"
			if landed && (len(r.Created) > 0 || len(r.Replaced) > 0) {
				err = p.stays(err, r)
			}
			return r, err
		}
		s.Status = "done"
		landed = landed || s.Directive == "unfold" || s.Directive == "copy"
	}
	return r, nil
}

// stays adds to an error that files are in place already.
func (p *Plan) stays(err error, r *Result) error {
	hint := "what was written below " + p.Dest + " before that stays"
	if p.o.Journal != nil && r.RecordErr == nil {
		hint += "; seed ungrow removes it"
	}
	var broken *finding.Error
	if errors.As(err, &broken) {
		if broken.Hint != "" {
			hint = broken.Hint + "; " + hint
		}
		return broken.WithHint(hint)
	}
	return fmt.Errorf("%w; %s", err, hint)
}

func (p *Plan) do(ctx context.Context, s *Step, r *Result) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	switch s.Directive {
	case "show":
		if err := p.o.Show(p.File.Payload()); err != nil {
			return fmt.Errorf("show payload: %w (%w)", err, ErrStep)
		}
		return nil
	case "unfold", "copy":
		if p.landed {
			return nil // a second one finds the same files there
		}
		p.landed = true
		return p.land(ctx, r, s.Directive == "copy")
	case "install":
		return p.install(r)
	default:
		if err := p.makeDest(r); err != nil {
			return err
		}
		return p.exec(ctx, s)
	}
}

// land puts the files in place and records them for ungrow.
func (p *Plan) land(ctx context.Context, r *Result, noMkdir bool) error {
	tree, err := disk.NewTree(p.Dest)
	if err != nil {
		return inTheWay(err)
	}
	defer tree.Close()
	if err := tree.Write(ctx, p.Files); err != nil {
		return err
	}
	landed, err := tree.Land(ctx, disk.Options{Force: p.o.Force, NoMkdir: noMkdir})
	if err != nil {
		return inTheWay(err)
	}
	r.Created = append(r.Created, landed.Created...)
	r.Replaced = append(r.Replaced, landed.Replaced...)
	r.Same = append(r.Same, landed.Same...)
	r.RecordErr = errors.Join(r.RecordErr, p.record(landed))
	return nil
}

// makeDest makes the destination for a script that runs before anything landed.
func (p *Plan) makeDest(r *Result) error {
	fresh, err := absent(p.Dest)
	if err != nil || !fresh {
		return err
	}
	if err := os.MkdirAll(p.Dest, 0o755); err != nil {
		return err
	}
	r.RecordErr = errors.Join(r.RecordErr, p.record(&disk.Landed{Dirs: []string{"."}}))
	return nil
}

func (p *Plan) record(landed *disk.Landed) error {
	if p.o.Journal == nil || len(landed.Created)+len(landed.Replaced)+len(landed.Dirs) == 0 {
		return nil
	}
	sums := make(map[string][32]byte, len(p.Files))
	for _, f := range p.Files {
		sums[f.Path] = f.Sum
	}
	var entries []disk.Tracked
	for _, list := range [][]string{landed.Created, landed.Replaced} {
		for _, path := range list {
			entries = append(entries, disk.Tracked{Path: path, Sum: sums[path]})
		}
	}
	for _, d := range landed.Dirs {
		entries = append(entries, disk.Tracked{Path: d, Dir: true})
	}
	return p.o.Journal.Add(p.Dest, p.origin(), entries, "")
}

func (p *Plan) origin() Origin {
	o := Origin{Source: p.o.Source}
	if p.File.Digest != ([32]byte{}) {
		o.Digest = fmt.Sprintf("sha256:%x", p.File.Digest)
	}
	return o
}

// install links the file into the bin directory (SP-DIR-05). It never edits a
// profile and never replaces what is there.
func (p *Plan) install(r *Result) error {
	target := filepath.Join(p.Dest, p.File.Meta.Name)
	link := filepath.Join(p.o.BinDir, p.File.Meta.Name)
	if err := executable(target); err != nil {
		e := ruleInstall.Errorf(finding.Place{Name: target}, "there is no executable file to install")
		e.Err = ErrStep
		return e
	}
	if err := os.MkdirAll(p.o.BinDir, 0o755); err != nil {
		return err
	}
	// Symlink fails on anything that exists, so there is no gap to race for.
	if err := os.Symlink(target, link); err != nil {
		if to, _ := os.Readlink(link); to == target {
			return nil // made by us before
		}
		e := ruleInstall.Errorf(finding.Place{Name: link}, "cannot link: %w", err)
		e.Err = ErrStep
		return e
	}
	r.Link = link
	if p.o.Journal != nil {
		r.RecordErr = errors.Join(r.RecordErr, p.o.Journal.Add(p.Dest, Origin{}, nil, link))
	}
	return nil
}
