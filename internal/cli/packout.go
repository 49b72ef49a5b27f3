package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"seed/finding"
	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/packer"
	"seed/internal/secrets"
	"seed/internal/ui"
	"seed/internal/visible"
	"seed/seedfile"
)

// scan looks for secrets in content that has no folder around it.
func (p *packing) scan(name string, r io.Reader) error {
	if p.f.allowSecrets {
		return nil
	}
	result, err := secrets.Scan(name, r)
	if err != nil {
		return err
	}
	p.secrets.Add(name, result)
	return nil
}

// repack gives a seed the current transport.
func (p *packing) repack(in *input) error {
	seed, rep, err := seedfile.Check(in, in.size, seedfile.Options{Name: in.name, Edited: true})
	if err != nil {
		return err
	}
	if seed == nil {
		return rep.Err()
	}
	if seed.Transport.Canonical && seed.Transport.Params.Sum != seed.Sum {
		p.warn = append(p.warn, "the seed was changed by hand since it was packed; the change is kept")
	}
	if seed.Archive == nil {
		err = p.scan(in.name, seed.Document())
	} else {
		err = p.scan(metadataName, bytes.NewReader(seed.Archive.Raw))
		for i := range seed.Archive.Files {
			e := &seed.Archive.Files[i]
			err = errors.Join(err, p.scan(e.Path, seed.Archive.Open(e)))
		}
	}
	if err != nil {
		return err
	}
	o := p.options("")
	if seed.Archive != nil && o.Type != "" {
		return &command.Failure{Err: errors.New("the type of an archive cannot be changed"), Code: command.Cannot, Reason: "usage"}
	}
	if p.packed, err = seedfile.Repack(seed, o); err != nil || !claims(seed.Meta) {
		return err
	}
	edited := seed.Transport.Canonical && seed.Transport.Params.Sum != seed.Sum
	return p.keepSignature(seed, o, edited)
}

// keepSignature takes a signature off that cannot hold any more because of what
// was changed here or by hand; one that was invalid when it came stays as it is,
// for whoever wants to know (SIG-11).
func (p *packing) keepSignature(seed *seedfile.File, o seedfile.PackOptions, edited bool) error {
	sig, err := seed.Signature()
	if err != nil {
		return err
	}
	changed := !bytes.Equal(p.packed.Meta.Raw(), seed.Meta.Raw())
	switch {
	case !changed && sig.State == seedfile.SignatureValid:
		return nil
	case !changed && !edited:
		p.warn = append(p.warn, "the signature is invalid and was kept: "+sig.Breach.Error()+"; seed sign --remove takes it off")
		return nil
	}
	who := ""
	if sig.State == seedfile.SignatureValid {
		who = " by " + sig.SignerText()
	}
	p.warn = append(p.warn, "the signature"+who+" was taken off, because what it covers was changed; seed sign gives the seed a new one")
	p.packed, err = seedfile.Unsign(seed, o)
	return err
}

// checkSigner refuses a document whose own frontmatter uses the names of the
// signature fields for something else: the seed would be one that nobody grows.
// One that was grown from a signed seed keeps its signature (SIG-11).
func (p *packing) checkSigner() error {
	if !p.document || p.sig.Breach == nil {
		return nil
	}
	p.sig.Breach.At = finding.Place{}
	return &command.Failure{
		Err: fmt.Errorf("the seed would have an invalid signature: %w", p.sig.Breach), Code: command.Cannot, Reason: "signature",
		Hint: "take the fields signer and signature out of the frontmatter, or carry the file as it is: --archive",
	}
}

// refuseSecrets stops the packing when something looks like a secret that the
// caller did not allow by name.
func (p *packing) refuseSecrets() error {
	found := slices.DeleteFunc(slices.Clone(p.secrets.Found()), func(s packer.Secret) bool { return !p.packs(s.Path) }) // left out anyway
	return command.RefuseSecrets(found, p.f.allowSecret, "packed")
}

// metadataName stands for the metadata where a file is named.
const metadataName = "(metadata)"

// scanMetadata looks at what was said about the seed, which goes out with it.
func (p *packing) scanMetadata() error {
	if len(p.packed.Files) == 0 {
		return nil // a document is looked at with its frontmatter
	}
	return p.scan(metadataName, bytes.NewReader(p.packed.Meta.Raw()))
}

// packs reports whether a path is in the seed. Documents have no paths.
func (p *packing) packs(name string) bool {
	if len(p.packed.Files) == 0 || name == metadataName {
		return true
	}
	_, found := slices.BinarySearchFunc(p.packed.Files, name, func(e seedfile.Entry, s string) int { return strings.Compare(e.Path, s) })
	return found
}

// write puts the seed where it belongs: checked with the strict reader first
// (SP-PACK-05), and only then visible to anybody.
func (p *packing) write(ctx context.Context) error {
	out := p.f.out
	fresh := false
	if out == "" && p.a.UI.OutTTY {
		name, _ := p.packed.Meta.Value("name")
		if name == "" {
			name = "seed"
		}
		out, fresh = name+".seed", true
	}
	if out == "" || out == "-" {
		return p.toStdout(ctx)
	}
	pending, err := disk.CreatePending(out, 0o644)
	if err != nil {
		return err
	}
	defer pending.Abort()
	seed, err := p.produce(ctx, pending, pending)
	if err != nil {
		return err
	}
	if fresh {
		if err := pending.CommitNew(); err != nil {
			if errors.Is(err, fs.ErrExist) {
				return &command.Failure{Err: fmt.Errorf("%s exists already: %w", out, err), Code: command.Cannot, Hint: "name the file to write: -o FILE"}
			}
			return err
		}
	} else if err := pending.Commit(); err != nil {
		return err
	}
	return p.report(p.a.UI.Out, seed, out)
}

func (p *packing) toStdout(ctx context.Context) error {
	tmp, err := os.CreateTemp("", "seed-pack-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	seed, err := p.produce(ctx, tmp, tmp)
	if err != nil {
		return err
	}
	p.stop()
	if _, err := io.Copy(p.a.UI.Out, io.NewSectionReader(tmp, 0, p.packed.Size)); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return p.report(p.a.UI.Err, seed, "standard output")
}

func (p *packing) produce(ctx context.Context, w io.Writer, r io.ReaderAt) (*seedfile.File, error) {
	seed, err := produce(ctx, p.packed, w, r)
	if err == nil {
		p.sig, err = seed.Signature()
	}
	if err == nil {
		err = p.checkSigner()
	}
	return seed, err
}

// produce writes a seed and reads it back.
func produce(ctx context.Context, packed *seedfile.Packed, w io.Writer, r io.ReaderAt) (*seedfile.File, error) {
	n, err := packed.WriteTo(ctxWriter{ctx, w})
	if err != nil {
		return nil, err
	}
	seed, err := seedfile.Open(r, n, seedfile.Options{Name: "packed seed", Digest: true})
	if err != nil {
		return nil, fmt.Errorf("check what was packed: %w", err)
	}
	if !seed.Transport.Canonical {
		return nil, errors.New("check what was packed: its transport is not canonical")
	}
	return seed, nil
}

// ctxFS stops opening files when the work is cancelled.
type ctxFS struct {
	ctx context.Context
	fs.FS
}

func (c ctxFS) Open(name string) (fs.File, error) {
	if c.ctx.Err() != nil {
		return nil, context.Cause(c.ctx)
	}
	return c.FS.Open(name)
}

// ctxWriter stops writing when the work is cancelled.
type ctxWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c ctxWriter) Write(b []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.w.Write(b)
}

// packJSON is the summary of pack.
type packJSON struct {
	Seed     string        `json:"seed"`
	Digest   string        `json:"digest"`
	Size     int64         `json:"size"`
	Profile  string        `json:"transport"`
	Name     string        `json:"name,omitempty"`
	Type     string        `json:"type,omitempty"`
	Grow     []string      `json:"grow"`
	URL      string        `json:"url"`
	Files    int           `json:"files"`
	Bytes    int64         `json:"bytes"`
	Left     []packer.Left `json:"left_out"`
	Warnings []string      `json:"warnings"`

	Signature signatureJSON `json:"signature"`
}

// stop ends the progress before anything else is printed.
func (p *packing) stop() {
	if p.progress != nil {
		p.progress.Done()
	}
}

func (p *packing) report(w io.Writer, seed *seedfile.File, out string) error {
	p.stop()
	m := p.packed
	for _, s := range m.Skipped {
		p.left = append(p.left, packer.Left{Path: s.Path, Why: s.Why})
	}
	if m.AddedLF {
		p.warn = append(p.warn, "the file had no final newline and got one; --archive keeps exact bytes (SP-PAY-03)")
	}
	p.warn = append(p.warn, m.Warnings...)
	for _, msg := range unportable(m.Files, 20) {
		p.warn = append(p.warn, msg+" (SP-PATH-04)")
	}
	sum := packJSON{
		Seed: out, Digest: digest(seed), Size: seed.Size, Profile: m.Profile.String(), Name: m.Meta.Name, Type: m.Meta.Type,
		Grow: m.Meta.Grow, URL: m.Params.URL, Files: len(m.Files), Left: p.left, Warnings: p.warn,
	}
	if sum.Left == nil {
		sum.Left = []packer.Left{}
	}
	if sum.Warnings == nil {
		sum.Warnings = []string{}
	}
	for _, f := range m.Files {
		sum.Bytes += f.Size
	}
	if seed.Archive == nil {
		sum.Files, sum.Bytes = 1, seed.Payload().Size()
	}
	if p.a.JSON {
		sum.Signature = (&trusting{a: p.a}).describe(p.sig, m.Meta)
		return p.a.UI.JSON(sum)
	}
	for _, warning := range p.warn {
		p.a.UI.Warn("%s", warning)
	}
	const most = 200
	for i, l := range p.left {
		if i == most {
			p.a.UI.Note("left out %d more (--json lists all)", len(p.left)-most)
			break
		}
		p.a.UI.Note("left out %s: %s", l.Path, l.Why)
	}
	_, err := fmt.Fprintf(w, "%s  %s, %s  %s  %s\n", visible.Text(out), ui.Plural(int64(sum.Files), "file", "files"),
		ui.Size(sum.Bytes), sum.Profile, sum.Digest)
	return err
}

func digest(seed *seedfile.File) string { return fmt.Sprintf("sha256:%x", seed.Digest) }
