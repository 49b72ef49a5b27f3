package capsulecmd

import (
	"fmt"

	"seed/capsule"
)

// decryptHint is for lineage that names what an encrypted file holds.
const decryptHint = "it is encrypted, and lineage names its content: compare with the decrypted file (seed capsule decrypt)"

// custody says of each file that was supplied as a predecessor and is not a
// verified part of the lineage why it is not.
func (c *cmds) custody(res *capsule.Result, supplied []capsule.Source) []string {
	var lines []string
	for _, src := range supplied {
		if why := c.notInLineage(res, src); why != "" {
			lines = append(lines, src.Name+": "+why)
		}
	}
	return lines
}

func (c *cmds) notInLineage(res *capsule.Result, src capsule.Source) string {
	own, opened, err := capsule.VerifyOpen(src.Reader, src.Size, capsule.Options{})
	switch {
	case err != nil:
		return fmt.Sprintf("could not be read: %v", err)
	case own.Verdict == capsule.Unsupported:
		return "this build cannot judge it"
	case opened == nil:
		return "not a capsule that can be opened"
	case own.Verdict != capsule.Valid:
		return "does not verify itself: " + brokenWords(own)
	}
	why := "is valid and not in the declared lineage"
	for _, e := range res.Lineage.Entries {
		switch {
		case e.ManifestHash == own.ManifestHash && e.CapsuleID == own.CapsuleID:
			if !opened.Encrypted() {
				return ""
			}
			return "is in the lineage, and its encrypted content cannot be verified"
		case e.CapsuleID == own.CapsuleID:
			why = "is another sealed state of the capsule that the lineage names"
		}
	}
	if opened.Encrypted() {
		why += "; " + c.UI.Own(decryptHint)
	}
	return why
}
