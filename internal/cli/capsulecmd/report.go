package capsulecmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seed/capsule"
	"seed/internal/command"
	"seed/internal/ui"
	"seed/internal/visible"
)

// maxShown is how many problems a person is shown; --json has all.
const maxShown = 50

// printReport prints a verdict with everything that belongs beside it.
func (c *cmds) printReport(f *file, res *capsule.Result, trust *signers, supplied []capsule.Source) error {
	p := c.UI.Color
	out := &command.Lines{W: c.UI.Out}
	verdict, head, state := string(res.Verdict), c.headline(res, trust), ""
	switch {
	case res.Verdict == capsule.Valid && !res.OK:
		verdict += ", but a demand is not met; it is named below"
		head, state = p.Bad("not as demanded"), head
	case len(res.Qualifiers)+len(outerQualifiers(res)) > 0:
		verdict += ", but read it with what is named below"
	}
	out.Printf("%s: %s", visible.Text(f.name), head)
	for _, row := range [][2]string{
		{"state", state},
		{"verdict", verdict},
		{"level", level(res)},
		{"capsule", visible.Line(res.CapsuleID, 64)},
		{"manifest", res.ManifestHash},
		{"size", ui.Size(f.size)},
		{"signed at", claim(res.SignedAt)},
	} {
		if row[1] != "" {
			out.Printf("  %-10s %s", row[0], row[1])
		}
	}
	out.Printf("\n%s", p.Bold("Checks"))
	c.printChecks(out, res)
	if len(res.Envelope.Signers) > 0 {
		out.Printf("\n%s", p.Bold("Signers"))
		c.printSigners(out, res, trust)
	}
	if res.Outer != nil && !slices.EqualFunc(res.Outer.Envelope.Signers, res.Envelope.Signers, sameSigner) {
		out.Printf("\n%s", p.Bold("Signers of the outer capsule"))
		c.printSigners(out, res.Outer, trust)
	}
	if len(res.Lineage.Entries) > 0 {
		out.Printf("\n%s", p.Bold("Lineage, as declared; a predecessor does not countersign"))
		for _, e := range res.Lineage.Entries {
			out.Printf("  %d. %s%s", e.Depth, visible.Line(e.Status, 30), because(e.Reason))
			out.Printf("     %s", visible.Line(e.CapsuleID, 64))
		}
	}
	outside := outerQualifiers(res)
	if len(res.Qualifiers)+len(outside) > 0 {
		out.Printf("\n%s", p.Bold("Beside the verdict"))
	}
	for _, q := range res.Qualifiers {
		c.item(out, "  ", p.Warn("- "), visible.Text(c.phrase(q, trust)))
	}
	for _, q := range outside {
		c.item(out, "  ", p.Warn("- "), "outside: "+visible.Text(c.phrase(q, trust)))
	}
	c.printTrouble(out, res, trust, supplied)
	if res.Verdict == capsule.Valid {
		out.Printf("")
		if res.Has(capsule.EncryptedOuterOnly) {
			c.item(out, "", "", provesOuter)
		} else {
			c.item(out, "", "", proves)
		}
	}
	if res.Has(capsule.EncryptedOuterOnly) || res.Outer != nil {
		c.item(out, "", "", openToAll)
	}
	return out.Err
}

const (
	// proves is what a verdict is worth (CAP-CHN-21).
	proves = "Proves order and content at the time of sealing; not time, truth or authority."
	// provesOuter is that of a capsule whose content was not read.
	provesOuter = "Proves who sealed the encrypted bytes; what is inside was not read."
	// openToAll is what encryption does not hide (CAP-ENC-06).
	openToAll = "Readable for everybody: originator, participants, recipients' keys, size, time."
)

// sameSigner compares what is shown of two signers; they signed two envelopes.
func sameSigner(a, b capsule.Signer) bool {
	return a.Role == b.Role && a.PublicKey == b.PublicKey && a.Valid == b.Valid && a.Trusted == b.Trusted && a.Reason == b.Reason
}

// outerQualifiers are what the outer capsule of a verified content has to say
// beyond the content's own.
func outerQualifiers(res *capsule.Result) []capsule.Qualifier {
	if res.Outer == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(res.Outer.Qualifiers), func(q capsule.Qualifier) bool {
		return q == capsule.EncryptedOuterOnly || res.Has(q)
	})
}

// phrase is the text of a qualifier, with the list that it speaks of.
func (c *cmds) phrase(q capsule.Qualifier, trust *signers) string {
	if q == capsule.NoTrustedSigner && trust.file {
		return q.Phrase() + " (the allowlist is your trust file)"
	}
	return q.Phrase()
}

// printTrouble lists what is wrong with the capsule and which demands are not met.
func (c *cmds) printTrouble(out *command.Lines, res *capsule.Result, trust *signers, supplied []capsule.Source) {
	p := c.UI.Color
	if len(res.Problems) > 0 {
		out.Printf("\n%s", p.Bold("Problems"))
	}
	for i, pr := range res.Problems {
		if i == maxShown {
			out.Printf("  ... and %s more (--json lists all)", ui.Count(int64(len(res.Problems)-maxShown)))
			break
		}
		c.item(out, "  ", p.Bad(pr.Rule)+" ", visible.Text(problemText(pr)))
	}
	if res.Verdict != capsule.Valid {
		for _, note := range res.Notes {
			c.item(out, "  ", p.Dim("note: "), visible.Text(note))
		}
		return
	}
	unmet := unmetDemands(res, trust)
	if no(res.Custody.Satisfied) {
		unmet = append(unmet, "every predecessor file verified and in the lineage")
	}
	if len(unmet) > 0 {
		out.Printf("\n%s", p.Bold("Demanded and not met"))
	}
	for _, u := range unmet {
		c.item(out, "  ", p.Bad("- "), visible.Text(u))
	}
	if no(res.Custody.Satisfied) {
		for _, line := range c.custody(res, supplied) {
			c.item(out, "    ", "", visible.Text(line))
		}
	}
}

func no(b *bool) bool { return b != nil && !*b }

// unmetDemands lists what was demanded of a valid capsule and is not so.
func unmetDemands(res *capsule.Result, trust *signers) []string {
	var unmet []string
	if no(res.Trust.Satisfied) {
		text := "a signer that you trust"
		for _, s := range res.Envelope.Signers {
			if said := trust.listed(s.PublicKey); said != "" {
				text += "; " + visible.Line(s.Role, 30) + " is " + said
				break
			}
		}
		unmet = append(unmet, text)
	}
	if no(res.VersionPolicy.Satisfied) {
		unmet = append(unmet, "one of the accepted format versions")
	}
	if no(res.Profile.AcceptedByPolicy) {
		unmet = append(unmet, "one of the accepted profiles")
	}
	if d := res.Decryption; d != nil && !d.OK {
		unmet = append(unmet, "content that the key opens: "+d.Error)
	}
	return unmet
}

// problemText says where a problem is and what it is.
func problemText(p capsule.Problem) string {
	where := ""
	if p.Scope == "inner" {
		where = "inner: "
	}
	switch {
	case p.Seq > 0:
		where += fmt.Sprintf("event %d: ", p.Seq)
	case p.Path != "":
		where += p.Path + ": "
	}
	return where + p.Message
}

// headline is the verdict in the words of the product.
func (c *cmds) headline(res *capsule.Result, trust *signers) string {
	return headline(c.UI.Color, res, trust)
}

func headline(p ui.Paint, res *capsule.Result, trust *signers) string {
	switch {
	case res.Verdict == capsule.Unsupported:
		return p.Bad("unsupported") + ", this build cannot judge it"
	case res.Stage == "open" && res.Reason != "crc_mismatch":
		return p.Bad("invalid") + ", not a capsule that can be opened"
	case res.Verdict != capsule.Valid:
		return p.Bad("invalid") + ", " + brokenWords(res)
	}
	intact := p.Good("intact")
	if res.Has(capsule.EncryptedOuterOnly) {
		intact += " outside" // a qualifier says the rest
	}
	return intact + ", " + signedWords(res) + ", " + trustWords(p, res, trust)
}

// brokenWords says which of intact and signed does not hold.
func brokenWords(res *capsule.Result) string {
	var words []string
	signing := []capsule.Area{capsule.AreaEnvelope, capsule.AreaSignerSet, capsule.AreaOriginatorBinding}
	failing := res.Failing()
	if slices.ContainsFunc(failing, func(a capsule.Area) bool { return !slices.Contains(signing, a) }) {
		words = append(words, "not intact")
	}
	if slices.ContainsFunc(failing, func(a capsule.Area) bool { return slices.Contains(signing, a) }) {
		words = append(words, "not validly signed")
	}
	return strings.Join(words, ", ")
}

func signedWords(res *capsule.Result) string {
	seen := map[string]bool{}
	for _, s := range res.Envelope.Signers {
		seen[s.PublicKey] = true
	}
	if len(seen) == 1 {
		return "signed by " + visible.Line(res.Envelope.Signers[0].Role, 30) + ", valid"
	}
	return fmt.Sprintf("signed by %d keys, all valid", len(seen))
}

func trustWords(p ui.Paint, res *capsule.Result, trust *signers) string {
	if res.TrustedSignerCount == 0 {
		return p.Warn("not trusted")
	}
	var names []string
	for _, s := range res.Envelope.Signers {
		if label := trust.labels[s.PublicKey]; s.Trusted && label != "" && !slices.Contains(names, label) {
			names = append(names, label)
		}
	}
	if len(names) == 0 {
		return p.Good("trusted")
	}
	return p.Good("trusted") + " (" + visible.Line(strings.Join(names, ", "), 40) + ")"
}

func (c *cmds) printSigners(out *command.Lines, res *capsule.Result, trust *signers) {
	p := c.UI.Color
	for i, s := range res.Envelope.Signers {
		if i == maxShown {
			out.Printf("  ... and %s more (--json lists all)", ui.Count(int64(len(res.Envelope.Signers)-maxShown)))
			return
		}
		state := p.Bad("not valid")
		switch {
		case s.Valid && s.Trusted:
			state = "signed, valid, " + p.Good("trusted")
			if label := trust.labels[s.PublicKey]; label != "" {
				state += " as " + visible.Line(label, 24)
			}
		case s.Valid:
			state = "signed, valid, " + p.Warn("not trusted")
		case s.Reason != "":
			state += ": " + visible.Line(s.Reason, 40)
		}
		out.Printf("  %s: %s", visible.Line(cmp.Or(s.Role, "(no role)"), 30), state)
		out.Printf("    %s", visible.Line(s.PublicKey, 64))
		if said := trust.listed(s.PublicKey); s.Valid && !s.Trusted && said != "" {
			out.Printf("    %s", p.Warn(said))
		}
	}
}

func level(res *capsule.Result) string {
	switch {
	case res.Level == "L3":
		return "L3, the encrypted content was opened and checked"
	case res.Stage == "open":
		return ""
	}
	return res.Level
}

// claim marks a time that only the signer vouches for (CAP-ENV-08).
func claim(text string) string {
	if text == "" {
		return ""
	}
	return visible.Line(text, 30) + " (the signer's claim)"
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + visible.Line(reason, 40)
}

// item prints a paragraph that is wrapped at blanks and hangs below its mark.
// Mark and text have been made visible; styles in them take no columns.
func (c *cmds) item(out *command.Lines, indent, mark, text string) {
	width := c.UI.Columns() - len(indent)
	line, used := mark, plainWidth(mark)
	hang := indent + "  "
	first := true
	for word := range strings.FieldsSeq(text) {
		w := plainWidth(word)
		if !first && used+1+w > width {
			out.Printf("%s%s", indent, line)
			line, used, indent, first = "", 0, hang, true
			width = c.UI.Columns() - len(hang)
		}
		if !first {
			line, used = line+" ", used+1
		}
		line, used, first = line+word, used+w, false
	}
	out.Printf("%s%s", indent, strings.TrimRight(line, " "))
}

// plainWidth is the width of text without the styles that Paint put around it.
func plainWidth(s string) int {
	n := 0
	for {
		before, rest, styled := strings.Cut(s, "\x1b[")
		n += ui.DisplayWidth(before)
		if !styled {
			return n
		}
		_, s, _ = strings.Cut(rest, "m")
	}
}
