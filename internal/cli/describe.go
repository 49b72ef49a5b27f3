package cli

import (
	"io"
	"io/fs"
	"slices"

	"seed/seedfile"
)

// describe sets what the content of a folder tells about the seed: a skill has
// its name and description in SKILL.md, an install spec has a SEED.md. A type
// that the caller names becomes the kind, because the type of a folder is
// always archive (SP-META-08). Only files that are packed say anything.
func describe(o *seedfile.TreeOptions, fsys fs.FS, members []seedfile.Member, typ string) {
	packs := func(name string) bool {
		return slices.ContainsFunc(members, func(m seedfile.Member) bool { return m.Path == name && m.Mode.IsRegular() })
	}
	kind := typ
	if typ == "archive" {
		kind = ""
	}
	var skill *seedfile.Metadata
	if packs("SKILL.md") {
		skill = frontmatterOf(fsys, "SKILL.md")
	}
	switch {
	case skill != nil:
		if name, ok := skill.Value("name"); ok && o.Name == "" && seedfile.PlainName(name) {
			o.Name = name
		}
		if kind == "" {
			kind = "skill"
		}
	case kind == "" && packs("SEED.md"):
		kind = "openseed"
	}
	if kind != "" {
		o.Extra = "kind: " + kind + "\n"
	}
	if skill != nil {
		o.Extra += skill.Field("description")
	}
}

// frontmatterOf reads at most as much of a file as frontmatter can be.
func frontmatterOf(fsys fs.FS, name string) *seedfile.Metadata {
	f, err := fsys.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, seedfile.MaxMetadata))
	if err != nil {
		return nil
	}
	return seedfile.Frontmatter(text)
}
