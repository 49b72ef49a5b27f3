package capsule

import (
	"bytes"
	"crypto/ecdh"
	"errors"
	"fmt"
	"io"
	"slices"

	"seed/capsule/crypt"
	"seed/finding"
	"seed/jcs"
)

// ErrNotAddressed is wrapped by Decrypt when no bundle is for the key.
var ErrNotAddressed = crypt.ErrNotAddressed

// Decrypt opens the content of an encrypted capsule and returns the capsule
// inside, unverified. The caller must have verified c at L2 before: the blob's
// hash is what ties it to the signed envelope (CAP-ENC-12). The whole content is
// held in memory, once: it is one message, and no byte of it is given out before
// its tag was checked.
func (c *Capsule) Decrypt(key *ecdh.PrivateKey) (*Capsule, error) {
	plain, err := c.decrypt(key)
	if err != nil {
		return nil, err
	}
	return openMemory(plain, c.limits, c.strict)
}

func (c *Capsule) decrypt(key *ecdh.PrivateKey) ([]byte, error) {
	if !c.Encrypted() {
		return nil, errors.New("the capsule is not encrypted")
	}
	meta, err := c.Recipients()
	if err != nil {
		return nil, err
	}
	if meta.Cipher != c.Envelope.Cipher {
		return nil, ruleDecrypt.Errorf(finding.Place{Name: crypt.MetadataPath}, "cipher %s does not equal envelope.cipher", finding.Quote(meta.Cipher))
	}
	keys, err := meta.Keys(c.Envelope.Version, key)
	if err != nil {
		return nil, err
	}
	defer clear(keys)
	blob := c.blob
	c.blob = nil // decrypted in its place
	if blob == nil {
		if blob, err = c.ReadFile(blobPath, c.Size); err != nil {
			return nil, err
		}
	}
	for i, k := range keys {
		try := blob // opened in its place
		if i < len(keys)-1 {
			try = bytes.Clone(blob)
		}
		plain, oerr := crypt.Open(try, k, meta.ContentNonce, c.aad())
		if oerr == nil {
			return plain, nil
		}
		err = oerr
	}
	return nil, err
}

// addressed reports whether it is worth keeping the content for key. It decides
// nothing: whether the key opens the content is found out when L2 is through.
func (c *Capsule) addressed(key *ecdh.PrivateKey) bool {
	if key == nil || !c.Encrypted() || !c.Has(blobPath) {
		return false
	}
	meta, err := c.Recipients()
	return err == nil && slices.ContainsFunc(meta.Bundles, func(b crypt.Bundle) bool {
		return bytes.Equal(b.Recipient[:], key.PublicKey().Bytes())
	})
}

// aad rebuilds the associated data from the outer documents.
func (c *Capsule) aad() []byte {
	return crypt.Context{
		Version: c.Envelope.Version, CapsuleID: c.Envelope.CapsuleID, FirstEventHash: c.Envelope.FirstEventHash,
		OriginatorKey: c.Manifest.OriginatorKey, Cipher: c.Envelope.Cipher,
	}.AAD()
}

// verifyInner goes from a finished L2 to L3: decrypt, then the full procedure on
// the content, tied to its outer envelope.
func (c *Capsule) verifyInner(outer *Result, o *Options) (*Result, *Capsule, []byte, error) {
	defer func() { c.blob = nil }()
	if outer.Verdict != Valid {
		return outer, c, nil, nil
	}
	plain, err := c.decrypt(o.Recipient)
	switch {
	case errors.Is(err, crypt.ErrNotAddressed):
		// The capsule is what it claims to be; the question was not answered.
		outer.OK = false
		outer.Decryption = &Decryption{Reason: NotAddressed, Error: err.Error()}
		outer.Errors = append(outer.Errors, "L3: no matching recipient bundle: the capsule is not addressed to this key")
		return outer, c, nil, nil
	case err != nil:
		var refused *RefusedError
		var broken *finding.Error
		if !errors.As(err, &refused) && !errors.As(err, &broken) &&
			!errors.Is(err, crypt.ErrAuthentication) && !errors.Is(err, crypt.ErrWrappedKey) {
			return nil, nil, nil, err // reading failed
		}
		return c.failedInner(outer, DecryptionFailed, "L3: content does not open with the recipient's key: "+err.Error()), c, nil, nil
	}
	res, inner, err := c.verifyPlain(plain, outer, o)
	return res, inner, plain, err
}

// verifyPlain judges the plaintext of c.
func (c *Capsule) verifyPlain(plain []byte, outer *Result, o *Options) (*Result, *Capsule, error) {
	inner, err := openMemory(plain, o.Limits, o.Strict)
	if err != nil {
		res, err := refusal(err, o)
		if err != nil {
			return nil, nil, err
		}
		res.Level, res.Outer, res.Decryption = "L3", outer, &Decryption{OK: true}
		for i := range res.Problems {
			res.Problems[i].Scope = "inner"
		}
		return res, nil, nil
	}
	res, err := inner.verify(o, c)
	if err != nil {
		return nil, nil, err
	}
	res.Level, res.Outer, res.Decryption = "L3", outer, &Decryption{OK: true}
	return res, inner, nil
}

// failedInner is the result when the content cannot be had although it is
// addressed to the key: the capsule contradicts itself.
func (c *Capsule) failedInner(outer *Result, reason Reason, msg string) *Result {
	res := newResult()
	res.Level, res.Outer = "L3", outer
	res.CapsuleID, res.SignedAt = outer.CapsuleID, outer.SignedAt
	res.FormatVersion, res.Profile, res.Trust = outer.FormatVersion, outer.Profile, outer.Trust
	res.VersionPolicy, res.Custody = outer.VersionPolicy, outer.Custody
	res.Decryption = &Decryption{Reason: reason, Error: msg}
	res.Errors = append(res.Errors, msg)
	res.Problems = append(res.Problems, Problem{
		Rule: ruleDecrypt.ID, Area: AreaL3, Reason: reason, Message: msg, Path: blobPath, Scope: "outer",
	})
	return res
}

// crossCheck ties decrypted content to the envelope around it (CAP-VER-17).
func (v *verification) crossCheck(outer *Capsule) {
	in, out := v.c, outer
	fail := func(rule finding.Rule, reason Reason, msg string) { v.error(rule, AreaL3, reason, msg) }
	if in.Encrypted() {
		fail(ruleInnerCipher, NestedEncryption, "L3: the content is itself encrypted: inner cipher is "+in.Envelope.Value.Member("cipher").Shown())
	}
	for _, name := range [...]string{"capsule_id", "first_event_hash", "entry_hash"} {
		if !sameAnchor(in.Envelope.Value.Member(name), out.Envelope.Value.Member(name)) {
			fail(ruleCrossCheck, InnerOuterMismatch, fmt.Sprintf("L3: inner.%s does not match outer.%s", name, name))
		}
	}
	if in.Manifest.OriginatorKey != out.Manifest.OriginatorKey {
		fail(ruleCrossCheck, InnerOuterMismatch, "L3: inner.originator.public_key does not match outer.originator.public_key")
	}
	if in.Envelope.Version != out.Envelope.Version {
		fail(ruleCrossCheck, InnerOuterMismatch, "L3: inner.version does not match outer.version")
	}
	a, b := in.Manifest.Value.Member("signer_commitment"), out.Manifest.Value.Member("signer_commitment")
	if a.Exists() != b.Exists() || a.Exists() && !sameValue(a, b) {
		fail(ruleCommitment, InnerOuterMismatch, "L3: inner.signer_commitment does not match outer.signer_commitment")
	}
	a, b = in.Manifest.Value.Member("predecessors"), out.Manifest.Value.Member("predecessors")
	if in.Manifest.Version != Version06 && a.Exists() && b.Exists() && !sameValue(a, b) {
		fail(ruleLineageL3, InnerOuterMismatch, "L3: inner.predecessors does not match outer.predecessors")
	}
}

// sameValue compares two values by their canonical form.
func sameValue(a, b jcs.Value) bool {
	return bytes.Equal(a.AppendCanonical(nil), b.AppendCanonical(nil))
}

// VerifyContent is the second half of L3 for a caller who has the content of an
// encrypted capsule: the full procedure on the plaintext, tied to the outer
// envelope. outer is the L2 result of c and must be valid; nil means that the
// caller sees to that beside this and fills Result.Outer in.
func (c *Capsule) VerifyContent(plaintext []byte, outer *Result, o Options) (*Result, error) {
	res, _, err := c.verifyPlain(plaintext, outer, &o)
	return res, err
}

// VerifyDecrypt is Verify at L3 for a caller who keeps the content: it also
// returns the bytes of the capsule inside, nil unless the whole verified.
func VerifyDecrypt(r io.ReaderAt, size int64, o Options) (*Result, []byte, error) {
	c, err := open(r, size, o.Limits, o.Strict)
	if err != nil {
		res, err := refusal(err, &o)
		return res, nil, err
	}
	outer, err := c.verify(&o, nil)
	if err != nil {
		return nil, nil, err
	}
	if o.Recipient == nil || !c.Encrypted() {
		return outer, nil, nil
	}
	res, _, plain, err := c.verifyInner(outer, &o)
	if err != nil || res.Verdict != Valid || res.Outer == nil {
		plain = nil
	}
	return res, plain, err
}
