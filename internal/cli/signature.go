package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"seed/finding"
	"seed/internal/grow"
	"seed/internal/keys"
	"seed/internal/ui"
	"seed/internal/visible"
	"seed/seedfile"
)

var ruleActing = finding.Rule{ID: "SIG-12", Want: "a signer that the receiver trusts"}

// trusting is whom this run trusts. The list is read when the first signer is
// looked up: a seed that is not signed needs neither a home nor a sound list.
type trusting struct {
	a    *app
	only []keys.Public // --allowlist: nobody else counts
	list *keys.Trust
	err  error // why there is no list
}

func (t *trusting) load() *keys.Trust {
	if t.list != nil {
		return t.list
	}
	if t.list, t.err = t.a.Trust(); t.err != nil {
		t.list = &keys.Trust{}
		t.a.UI.Warn("no signer counts as trusted: %v", t.err)
	}
	return t.list
}

// find gives the entry of a signer whose trust has not ended.
func (t *trusting) find(key [32]byte) (keys.Trusted, bool) { return t.load().Find(key, time.Now()) }

// signatureJSON is the verdict on a signature in the four words of the product;
// "intact" is said of the whole seed.
type signatureJSON struct {
	State   string            `json:"state"` // unsigned, signed, invalid
	Signer  string            `json:"signer,omitempty"`
	Label   string            `json:"label,omitempty"`
	Trusted bool              `json:"trusted"`
	May     []keys.Permission `json:"may"`
	Expires string            `json:"expires,omitempty"`
	Expired bool              `json:"expired,omitempty"` // was trusted until then
	Wants   []string          `json:"wants"`             // permissions that growing it needs
	Allowed bool              `json:"allowed"`           // trusted, and with all that it wants
	Rule    string            `json:"rule,omitempty"`    // that an invalid signature breaks
	Reason  string            `json:"reason,omitempty"`

	TrustError string `json:"trust_error,omitempty"` // why the list of signers could not be used
}

func (t *trusting) describe(sig seedfile.Signature, meta *seedfile.Metadata) signatureJSON {
	j := signatureJSON{State: "unsigned", May: []keys.Permission{}, Wants: wants(meta)}
	switch sig.State {
	case seedfile.SignatureInvalid:
		j.State, j.Rule, j.Reason = "invalid", sig.Breach.Rule.ID, sig.Breach.Msg
	case seedfile.SignatureValid:
		j.State, j.Signer = "signed", sig.SignerText()
		t.judge(&j, sig.Signer)
	}
	return j
}

// judge adds what the user said about a signer.
func (t *trusting) judge(j *signatureJSON, signer [32]byte) {
	entry, err := t.load().Match(j.Signer)
	if t.err != nil {
		j.TrustError = t.err.Error()
	}
	if err == nil {
		j.Label, j.Expired = entry.Label, entry.Expired(time.Now())
		j.Trusted = !j.Expired
		if !entry.Expires.IsZero() {
			j.Expires = entry.Expires.UTC().Format(time.RFC3339)
		}
	}
	permitted := j.Trusted
	if t.only != nil {
		j.Trusted = slices.Contains(t.only, keys.Public{Kind: keys.Signing, Key: signer})
	}
	if permitted && j.Trusted {
		j.May = append(j.May, entry.May...)
	}
	_, denied := j.permits()
	j.Allowed = j.Trusted && len(denied) == 0
}

// permits tells what the seed wants and may from what it wants and may not.
func (j *signatureJSON) permits() (allowed, denied []string) {
	e := keys.Trusted{May: j.May}
	for _, w := range j.Wants {
		if e.Allows(keys.Permission(w)) {
			allowed = append(allowed, w)
		} else {
			denied = append(denied, w)
		}
	}
	return allowed, denied
}

// wants lists the permissions that growing needs, each once.
func wants(meta *seedfile.Metadata) []string {
	out := []string{}
	for _, d := range meta.Grow {
		if need := grow.Permission(d); need != "" && !slices.Contains(out, need) {
			out = append(out, need)
		}
	}
	return out
}

// line says it to people.
func (j *signatureJSON) line(p ui.Paint) string {
	switch j.State {
	case "unsigned":
		return "not signed"
	case "invalid":
		return p.Bad("invalid signature") + ": " + visible.Text(j.Reason) + " (" + j.Rule + ")"
	}
	label := ""
	if j.Label != "" {
		label = " as " + finding.Quote(j.Label)
	}
	line := p.Good("signed") + " by " + j.Signer + ", "
	switch {
	case !j.Trusted && j.Expired:
		return line + p.Warn("not trusted") + ": trust" + label + " ended " + j.Expires
	case !j.Trusted && j.Label != "":
		return line + p.Warn("not trusted") + " here, listed" + label
	case !j.Trusted:
		return line + p.Warn("not trusted") + ": an unknown signer"
	}
	line += p.Good("trusted") + label
	allowed, denied := j.permits()
	if len(allowed) > 0 {
		line += ", " + p.Good("allowed") + ": " + strings.Join(allowed, ", ")
	}
	if len(denied) > 0 {
		line += ", " + p.Warn("not allowed") + ": " + strings.Join(denied, ", ")
	}
	return line
}

// demand adds a breach for a signer that is not trusted.
func (j *signatureJSON) demand(rep *finding.Report, only bool) {
	why := ""
	switch {
	case j.Trusted:
		return
	case j.State == "unsigned":
		why = "a trusted signer is demanded, and the seed is not signed"
	case j.State == "invalid":
		why = "a trusted signer is demanded, and the signature is invalid"
	case only:
		why = "the signer is not on the allowlist"
	case j.Expired:
		why = "a trusted signer is demanded, and trust in this one has ended"
	default:
		why = "a trusted signer is demanded, and this one is not trusted"
	}
	rep.Add(ruleActing.Errorf(finding.Place{}, "%s", why).Finding)
}

// settle makes a seed that claims a signature one that nobody else can change:
// a verdict on bytes means nothing for what is then read from a file that was
// written to in between. It reports whether the seed has to be read again.
func (in *input) settle(ctx context.Context, seed *seedfile.File) (bool, error) {
	if in.file == nil || seed == nil || !claims(seed.Meta) {
		return false, nil
	}
	own, err := spoolFile(ctx, in.file, in.name, in.where)
	if err != nil {
		return false, err
	}
	*in = *own
	return true, nil
}

// claims reports whether metadata says anything about a signature.
func claims(meta *seedfile.Metadata) bool {
	return slices.ContainsFunc(meta.Keys(), func(k string) bool { return k == "signer" || k == "signature" })
}
