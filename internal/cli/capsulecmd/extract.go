package capsulecmd

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/finding"
	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/packer"
	"seed/internal/pathrule"
	"seed/internal/ui"
	"seed/seedfile"
)

var ruleExtract = finding.Rule{ID: "CAP-ZIP-26", Want: "names that can stand beside each other on any disk"}

type extractFlags struct{ force, unverified bool }

func (c *cmds) extractCmd() *cobra.Command {
	var o extractFlags
	cmd := &cobra.Command{
		Use:     "extract FILE DIR",
		GroupID: "read",
		Short:   "Write all files of a capsule into a folder",
		Long: `Verify a capsule and write all its files below DIR, which must be empty or new; --force
lets them into a folder that is not empty and replaces files of other content. No link
is followed, no file is made executable, and names that would not work on every system
are refused. It lands wholly or not at all. A capsule that does not verify is refused;
--unverified writes its files all the same. An encrypted capsule is written as it is,
its content still encrypted. FILE may be - for standard input.

Exit codes: 0 written; 2 refused or failed, and nothing was written.`,
		Example: `  seed capsule extract work.capsule ./work
  seed capsule extract work.capsule ./work --force`,
		Args: command.Args(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := c.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			return c.extract(cmd.Context(), f, args[1], o)
		},
	}
	cmd.Flags().BoolVar(&o.force, "force", false, "write into a folder that is not empty, and replace files of other content")
	cmd.Flags().BoolVar(&o.unverified, "unverified", false, "write the files of a capsule that does not verify")
	return cmd
}

type extractJSON struct {
	File        string          `json:"file"`
	Destination string          `json:"destination"`
	CapsuleID   string          `json:"capsule_id"`
	Verdict     capsule.Verdict `json:"verdict"`
	Trusted     int             `json:"trusted_signer_count"`
	Encrypted   bool            `json:"encrypted"`
	Files       []payloadJSON   `json:"files"`
	Bytes       int64           `json:"bytes"`
	Created     int             `json:"created"`
	Replaced    int             `json:"replaced"`
	Same        int             `json:"same"`
}

func (c *cmds) extract(ctx context.Context, f *file, dest string, o extractFlags) error {
	trust, err := c.trusted(nil, false)
	if err != nil {
		return err
	}
	res, opened, err := c.judgeOpen(f, trust.options())
	if err != nil {
		return err
	}
	if res.Verdict != capsule.Valid {
		if err := refuseInvalid(f, res, opened != nil, o.unverified); err != nil {
			return err
		}
		c.UI.Warn("%s does not verify; its files are written because of --unverified", f.name)
	}
	files, err := outgoing(f, opened)
	if err != nil {
		return err
	}
	landed, err := c.land(ctx, dest, files, o.force, func() error {
		if res.Verdict != capsule.Valid {
			return nil
		}
		return unchanged(f, opened, files)
	})
	if err != nil {
		return err
	}
	j := extractJSON{
		File: f.name, Destination: dest, CapsuleID: res.CapsuleID, Verdict: res.Verdict, Trusted: res.TrustedSignerCount,
		Encrypted: opened.Encrypted(), Created: len(landed.Created), Replaced: len(landed.Replaced), Same: len(landed.Same),
		Files: []payloadJSON{},
	}
	for _, e := range files {
		j.Files = append(j.Files, payloadJSON{e.Path, e.Size})
		j.Bytes += e.Size
	}
	if c.JSON {
		return c.UI.JSON(j)
	}
	if j.Encrypted {
		c.UI.Note("the content is encrypted and was written as it is; seed capsule decrypt opens it")
	}
	for _, q := range res.Qualifiers {
		c.UI.Note("%s", c.phrase(q, trust))
	}
	c.UI.Done("%s: %s, %s; %s", dest, ui.Plural(int64(len(files)), "file", "files"), ui.Size(j.Bytes), headline(false, res, trust))
	return nil
}

// refuseInvalid says why a capsule is not extracted, or nil when it may be.
func refuseInvalid(f *file, res *capsule.Result, opened, unverified bool) error {
	if opened && unverified {
		return nil
	}
	failure := &command.Failure{
		Err: fmt.Errorf("%s does not verify; nothing was written", f.name), Code: command.Cannot, Reason: "invalid",
	}
	for i, p := range res.Problems {
		if i == 5 {
			failure.Details = append(failure.Details, fmt.Sprintf("and %d more", len(res.Problems)-i))
			break
		}
		failure.Details = append(failure.Details, problemText(p)+" ("+p.Rule+")")
	}
	failure.Hint = "seed capsule verify has the whole report"
	if opened {
		failure.Hint += "; --unverified writes the files all the same"
	}
	return failure
}

// outgoing lists the files to write, or everything that is wrong with their names.
func outgoing(f *file, opened *capsule.Capsule) ([]disk.File, error) {
	var (
		bad     []string
		set     pathrule.Set
		members []seedfile.Member
		files   []disk.File
	)
	for _, e := range opened.Entries() {
		err := pathrule.Check(e.Path)
		if err == nil {
			err = set.Add(e.Path)
		}
		switch why := pathrule.Portable(e.Path); {
		case err != nil:
			bad = append(bad, finding.Quote(e.Path)+": "+err.Error())
			continue
		case why != "":
			bad = append(bad, finding.Quote(e.Path)+": the path "+why)
			continue
		}
		members = append(members, seedfile.Member{Path: e.Path})
		open := func() io.Reader { return opened.File(e.Path) }
		if structural(e.Path) {
			data, err := document(f, opened, e)
			if err != nil {
				return nil, err
			}
			open = func() io.Reader { return bytes.NewReader(data) }
		}
		files = append(files, disk.File{Path: e.Path, Mode: 0o644, Size: e.Size, Open: open})
	}
	for _, pair := range packer.Collisions(members) {
		bad = append(bad, fmt.Sprintf("%s and %s are one path where case or Unicode form does not count", finding.Quote(pair[0]), finding.Quote(pair[1])))
	}
	if len(bad) == 0 {
		return files, nil
	}
	const most = 20
	if n := len(bad); n > most {
		bad = append(bad[:most], fmt.Sprintf("and %d more", n-most))
	}
	return nil, &command.Failure{
		Err:  ruleExtract.Errorf(finding.Place{Name: f.name}, "it has names that cannot be written safely; nothing was written"),
		Code: command.Cannot, Reason: "unsafe_path", Details: bad,
	}
}

// document reads one of the two files that no index covers, and holds it to be
// the one that was judged.
func document(f *file, opened *capsule.Capsule, e capsule.Entry) ([]byte, error) {
	data, err := opened.ReadFile(e.Path, e.Size)
	if err != nil {
		return nil, unreadable(f, err)
	}
	judged := opened.Manifest.Value
	if e.Path == envelopePath {
		judged = opened.Envelope.Value
	}
	if !bytes.Equal(bytes.Trim(data, " \t\r\n"), judged.Raw()) {
		return nil, changed(f)
	}
	return data, nil
}

func changed(f *file) error {
	return &command.Failure{
		Err: fmt.Errorf("%s was changed while it was read; nothing was written", f.name), Code: command.Cannot, Reason: "changed",
	}
}

// land stages the files, lets check look at their sums and moves them in place.
func (c *cmds) land(ctx context.Context, dest string, files []disk.File, force bool, check func() error) (*disk.Landed, error) {
	done, err := disk.Recover(dest)
	for _, r := range done {
		if r.Undone {
			c.UI.Note("took back an unfinished landing in %s", filepath.Dir(r.Stage))
		}
	}
	if err != nil {
		return nil, err
	}
	if !force {
		there, err := os.ReadDir(dest)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case len(there) > 0:
			return nil, &command.Failure{
				Err: fmt.Errorf("%s is not empty (CAP-ZIP-26)", dest), Code: command.Cannot, Reason: "exists",
				Hint: "name a new folder, or use --force",
			}
		}
	}
	tree, err := disk.NewTree(dest)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	if err := tree.Write(ctx, files); err != nil {
		return nil, err
	}
	if err := check(); err != nil {
		return nil, err
	}
	return tree.Land(ctx, disk.Options{Force: force})
}

// unchanged compares what was staged with what was verified: the file may have
// been written to in between.
func unchanged(f *file, opened *capsule.Capsule, files []disk.File) error {
	want := make(map[string]string, len(files))
	for _, e := range opened.Manifest.Files {
		want[e.Path] = e.SHA256
	}
	if opened.Encrypted() {
		want["content.enc"] = opened.Envelope.BlobHash
	}
	for _, e := range files {
		if sum, ok := want[e.Path]; ok && sum != hex.EncodeToString(e.Sum[:]) {
			return changed(f)
		}
	}
	return nil
}
