package seedfile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"seed/finding"
	"seed/internal/edstrict"
)

// The rules of signed seeds (docs/spec/signed-seeds.md) that a reader holds a
// seed to, in the order in which it does.
var (
	ruleSigPair   = finding.Rule{ID: "SIG-01", Want: "the fields signer and signature, both or neither"}
	ruleSigOnce   = finding.Rule{ID: "SIG-02", Want: "the fields signer and signature once each"}
	ruleSigner    = finding.Rule{ID: "SIG-03", Want: "a signer of ed25519: and 64 lower-case hex digits"}
	ruleSigForm   = finding.Rule{ID: "SIG-04", Want: "a signature of 128 lower-case hex digits"}
	ruleSigPlace  = finding.Rule{ID: "SIG-05", Want: "the signature as the last line of the metadata"}
	ruleSigKey    = finding.Rule{ID: "SIG-06", Want: "a key that can name a signer"}
	ruleSigStrict = finding.Rule{ID: "SIG-07", Want: "a signature in its one form"}
	ruleSigMatch  = finding.Rule{ID: "SIG-08", Want: "a signature of this metadata and this payload by this key"}
)

const (
	signatureDomain = "seed-signature-v1\x00"
	signerLine      = "signer: ed25519:"
	signatureLine   = "signature: "
)

// SignatureState is what the mathematics says about a seed's signature. Whether
// its signer is trusted is not a question for this package.
type SignatureState int

// A seed that claims a signature and does not hold it is never taken for one
// that claims none.
const (
	Unsigned         SignatureState = iota // neither field is there
	SignatureValid                         // the signer signed this metadata and this payload
	SignatureInvalid                       // anything else
)

func (s SignatureState) String() string {
	switch s {
	case Unsigned:
		return "unsigned"
	case SignatureValid:
		return "valid"
	case SignatureInvalid:
		return "invalid"
	}
	return fmt.Sprintf("SignatureState(%d)", int(s))
}

// Signature is the verdict on a seed's signature.
type Signature struct {
	State  SignatureState
	Signer [32]byte       // Ed25519 public key; zero unless the signature is valid
	Breach *finding.Error // why the signature is invalid; nil otherwise
}

// SignerText returns the signer as it stands in metadata and key lists,
// "ed25519:" and 64 hex digits, or "" unless the signature is valid.
func (s Signature) SignerText() string {
	if s.State != SignatureValid {
		return ""
	}
	return "ed25519:" + hex.EncodeToString(s.Signer[:])
}

// Signature checks the seed's signature, for which it reads the whole payload.
// The error is only for a payload that could not be read. The verdict is about
// the bytes that were read: whoever acts on it takes the payload from a source
// that nobody else can change in between.
func (f *File) Signature() (Signature, error) {
	c, bad := f.Meta.claim()
	switch {
	case bad != nil:
		return f.invalid(bad), nil
	case c == nil:
		return Signature{}, nil
	}
	// A hopeless key is not worth gigabytes of hashing.
	err := edstrict.CheckKey(c.key[:])
	if err == nil {
		payload, ioErr := f.payloadSum()
		if ioErr != nil {
			return Signature{}, fmt.Errorf("read seed: %w", ioErr)
		}
		err = edstrict.Verify(c.key[:], signedMessage(c.meta, payload), c.sig[:])
	}
	if err != nil {
		return f.invalid(c.refusal(err)), nil
	}
	return Signature{State: SignatureValid, Signer: c.key}, nil
}

func (f *File) invalid(bad *sigFault) Signature {
	at := finding.Place{Name: f.name, Line: f.metaLine + bad.line}
	return Signature{State: SignatureInvalid, Breach: bad.rule.Errorf(at, "%s", bad.msg)}
}

// payloadSum is the SHA-256 of the payload.
func (f *File) payloadSum() (sum [32]byte, err error) {
	h := sha256.New()
	n, err := io.CopyBuffer(struct{ io.Writer }{h}, onlyReader{f.Payload()}, make([]byte, readSize))
	if err == nil && n != f.payload.n {
		err = io.ErrUnexpectedEOF
	}
	h.Sum(sum[:0])
	return sum, err
}

// signedMessage is what is signed. Everything in it has a fixed length, so no
// two pairs of metadata and payload share a message, and no message of another
// format begins with the domain.
func signedMessage(meta []byte, payload [32]byte) []byte {
	m := sha256.Sum256(meta)
	return append(append([]byte(signatureDomain), m[:]...), payload[:]...)
}

// claim is what the two fields say, once their form is right.
type claim struct {
	key             [32]byte
	sig             [64]byte
	meta            []byte // the metadata without the signature's line
	signerAt, sigAt int    // their lines
}

// sigFault is a broken rule on a line of the metadata, counted from 0.
type sigFault struct {
	rule finding.Rule
	line int
	msg  string
}

// claim reads the two fields. Both results are nil when neither is there.
func (m *Metadata) claim() (*claim, *sigFault) {
	signer, signature := m.heads("signer"), m.heads("signature")
	switch {
	case len(signer) == 0 && len(signature) == 0:
		return nil, nil
	case len(signature) == 0:
		return nil, &sigFault{ruleSigPair, signer[0], `the metadata has a "signer" and no "signature"`}
	case len(signer) == 0:
		return nil, &sigFault{ruleSigPair, signature[0], `the metadata has a "signature" and no "signer"`}
	case len(signer) > 1:
		return nil, &sigFault{ruleSigOnce, signer[1], `field "signer" stands in the metadata twice`}
	case len(signature) > 1:
		return nil, &sigFault{ruleSigOnce, signature[1], `field "signature" stands in the metadata twice`}
	}
	c := &claim{signerAt: signer[0], sigAt: signature[0]}
	key, sig := m.Field("signer"), m.Field("signature")
	switch {
	case !hexLine(c.key[:], key, signerLine):
		return nil, &sigFault{ruleSigner, c.signerAt, `the signer is not written as "signer: ed25519:" and 64 lower-case hex digits: ` + finding.Quote(key)}
	case !hexLine(c.sig[:], sig, signatureLine):
		return nil, &sigFault{ruleSigForm, c.sigAt, `the signature is not written as "signature: " and 128 lower-case hex digits: ` + finding.Quote(sig)}
	case c.sigAt != len(m.lines)-1:
		return nil, &sigFault{ruleSigPlace, c.sigAt, "the signature is not the last line of the metadata"}
	}
	raw := m.Raw()
	c.meta = raw[:len(raw)-len(sig)]
	return c, nil
}

// heads returns the indices of the lines that name the key.
func (m *Metadata) heads(key string) []int {
	var at []int
	for i, l := range m.lines {
		if l.head && l.key == key {
			at = append(at, i)
		}
	}
	return at
}

// hexLine decodes a field that is exactly one line of a prefix and as many
// digits as dst takes. A continuation would make it two.
func hexLine(dst []byte, lines, prefix string) bool {
	digits, ok := strings.CutPrefix(lines, prefix)
	digits, ok2 := strings.CutSuffix(digits, "\n")
	if !ok || !ok2 || len(digits) != 2*len(dst) || !allBytes(digits, isLowerHex) {
		return false
	}
	_, err := hex.Decode(dst, []byte(digits))
	return err == nil
}

func isLowerHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

// refusal says which rule of this format a refused key or signature breaks.
func (c *claim) refusal(err error) *sigFault {
	reason := edstrict.BadSignature
	if strict := (*edstrict.Error)(nil); errors.As(err, &strict) {
		reason = strict.Reason
	}
	why := (&edstrict.Error{Reason: reason}).Error() // without the other format's rule id
	switch reason {
	case edstrict.NonCanonicalKey, edstrict.SmallOrderKey, edstrict.NotOnCurve:
		return &sigFault{ruleSigKey, c.signerAt, "the signer's " + why}
	case edstrict.NonReducedS, edstrict.NonCanonicalR, edstrict.SmallOrderR:
		return &sigFault{ruleSigStrict, c.sigAt, "the " + why}
	}
	return &sigFault{ruleSigMatch, c.sigAt, "the signature is not that of the signer over this metadata and payload"}
}
