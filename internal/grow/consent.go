package grow

import (
	"context"
	"path/filepath"

	"seed/finding"
	"seed/internal/keys"
	"seed/seedfile"
)

// readSignature finds out who signed the seed and whether the user trusts them.
func (p *Plan) readSignature() (err error) {
	if p.Signature, err = p.File.Signature(); err != nil {
		return err
	}
	if p.Signature.State != seedfile.SignatureValid || p.o.Trusted == nil {
		return nil
	}
	if e, ok := p.o.Trusted(p.Signature.Signer); ok {
		p.Signer = &e
	}
	return nil
}

// Signed is the verdict over the signature. A seed that claims one and does not
// hold it is not grown at all, whatever else speaks for it: somebody changed it,
// or lied about who made it (SIG-12).
func (p *Plan) Signed() error {
	if p.Signature.State != seedfile.SignatureInvalid {
		return nil
	}
	broken := *p.Signature.Breach
	return broken.WithHint("get the seed anew from whoever signed it; a seed whose signature is invalid is never grown")
}

// granted says who gave a consent before the start, "" when nobody did.
func (p *Plan) granted(kind string) string {
	switch {
	case kind == "":
		return ""
	case p.o.Allow[kind], kind == "install" && p.o.Yes:
		return ByFlag
	case p.Signer != nil && p.Signer.Allows(keys.Permission(kind)):
		return BySigner
	}
	return ""
}

// missing reports whether a step waits for a yes.
func (s *Step) missing() bool { return s.Needs != "" && s.By == "" }

// consentPossible fails when a step needs a yes that nobody can give (SP-GROW-06).
func (p *Plan) consentPossible(s *Step) error {
	if !s.missing() || p.o.Ask != nil && p.o.CanAsk() {
		return nil
	}
	e := ruleConsent.Errorf(finding.Place{}, "%s needs your consent, and there is no terminal to ask on", what(s))
	e.Err = ErrConsent
	hint := "read what it would do with seed inspect, then: --allow " + s.Needs
	if p.Signer != nil {
		hint += "; its signer is trusted, but not with " + s.Needs
	}
	return e.WithHint(hint)
}

func what(s *Step) string {
	if s.Needs == "url" {
		return "the script at " + finding.Quote(s.Directive)
	}
	return s.Directive
}

// consent asks for every yes that is still missing, before anything is changed.
func (p *Plan) consent(ctx context.Context) error {
	for _, s := range p.Steps {
		if !s.missing() {
			continue
		}
		q := Question{Kind: s.Needs, Script: s.Code}
		switch s.Needs {
		case "exec":
			q.Text = "Run this script in " + p.Dest + "?"
		case "url":
			q.Text = "Run this script from " + s.Directive + " in " + p.Dest + "?"
		case "install":
			q.Text = "Link " + filepath.Join(p.Dest, p.File.Meta.Name) + " into " + p.o.BinDir + "?"
		}
		yes, err := p.o.Ask(ctx, q)
		if err != nil {
			return err
		}
		if !yes {
			e := ruleConsent.Errorf(finding.Place{}, "%s was declined; nothing was changed", what(s))
			e.Err = ErrConsent
			return e
		}
		s.By = ByTerminal
	}
	return nil
}

// Permission is the consent that a directive needs, "" for one that needs none.
func Permission(directive string) string {
	switch directive {
	case "show", "unfold", "copy":
		return ""
	case "exec", "install":
		return directive
	}
	return "url"
}
