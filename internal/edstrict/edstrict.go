// Package edstrict verifies Ed25519 signatures for formats that name a signer
// by its key: [Verify] leaves no case on which two machines could disagree, and
// [CheckKey] refuses keys that cannot name anybody.
//
// crypto/ed25519 takes keys of small order and keys in non-canonical form: with
// the key 01 00…00 the signature 01 00…00 fits every message (CAP-ED-05). So the
// guards of the Capsule rules CAP-ED-01 to CAP-ED-04 come first, in this order,
// and the primitive last:
//
//	key of another length than 32 bytes             bad_length
//	key's y, sign bit cleared, is 2^255−19 or more  non_canonical_public_key  CAP-ED-01
//	key's y is that of a point of order 1, 2, 4, 8  small_order_public_key    CAP-ED-02
//	key is no point of the curve                    not_on_curve              CAP-ED-04
//	signature of another length than 64 bytes       bad_length
//	S is the group order or more                    non_reduced_signature_s   CAP-ED-03
//	R's y, sign bit cleared, is 2^255−19 or more    non_canonical_r           CAP-ED-04
//	R's y is that of a point of order 1, 2, 4, 8    small_order_r             CAP-ED-04
//	crypto/ed25519 says no                          bad_signature
//
// Stated in the flags of the CCTV edge cases, which describe a signature and
// do not judge it, a signature whose S solves the cofactored equation is
// refused when it has any of these, and accepted otherwise:
//
//	low_order_A        the key is nobody's: anyone can sign with it
//	non_canonical_A    one key would have two names
//	low_order_R        no signer makes it but on purpose
//	non_canonical_R    one signature would have two spellings
//	low_order_residue  the equation holds only times eight: crypto/ed25519 and
//	                   RFC 8032's own code compare without the cofactor
//	reencoded_k        the hash was taken over other bytes than those given; it
//	                   always comes with a non-canonical A or R
//
// The remaining flags are no reason: low_order_component_A and
// low_order_component_R describe points of mixed order. Such a key has a
// secret, and where there is no residue all verifiers agree on its signatures.
//
// The two x = 0 points with the sign bit set, which are non-canonical as well,
// are found by their y and reported as being of small order.
package edstrict

import (
	"crypto/ed25519"

	"filippo.io/edwards25519"
	"seed/finding"
)

// Reason is why a key or a signature was refused, in the words of the Capsule
// format where it has one.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	NonCanonicalKey Reason = "non_canonical_public_key"
	SmallOrderKey   Reason = "small_order_public_key"
	NotOnCurve      Reason = "not_on_curve"
	NonReducedS     Reason = "non_reduced_signature_s"
	NonCanonicalR   Reason = "non_canonical_r"
	SmallOrderR     Reason = "small_order_r"
	BadSignature    Reason = "bad_signature"
	BadLength       Reason = "bad_length" // of the key or the signature
)

// Error says why a key or a signature was refused.
type Error struct {
	Reason Reason
	Rule   finding.Rule // zero for bad_length and bad_signature: those are the caller's rules
}

func (e *Error) Error() string {
	s := e.Reason.text()
	if e.Rule.ID != "" {
		s += " (" + e.Rule.ID + ")"
	}
	return s
}

func (r Reason) text() string {
	switch r {
	case NonCanonicalKey:
		return "public key is not in canonical form"
	case SmallOrderKey:
		return "public key has small order: anyone can sign with it"
	case NotOnCurve:
		return "public key is not a point of the curve"
	case NonReducedS:
		return "signature scalar is not reduced"
	case NonCanonicalR:
		return "signature point is not in canonical form"
	case SmallOrderR:
		return "signature point has small order"
	case BadSignature:
		return "signature does not match"
	case BadLength:
		return "public key or signature has the wrong length"
	}
	return string(r)
}

var (
	ruleCanonicalKey = finding.Rule{ID: "CAP-ED-01", Want: "a public key in canonical form"}
	ruleLargeOrder   = finding.Rule{ID: "CAP-ED-02", Want: "a public key that is not of small order"}
	ruleReducedS     = finding.Rule{ID: "CAP-ED-03", Want: "a signature with a reduced scalar"}
	rulePoints       = finding.Rule{ID: "CAP-ED-04", Want: "a public key on the curve and a signature point that is canonical and not of small order"}
)

// CheckKey returns nil when pub is fit to name a signer, or an [*Error].
func CheckKey(pub []byte) error {
	if len(pub) != ed25519.PublicKeySize {
		return &Error{Reason: BadLength}
	}
	y := maskedY(pub)
	if !below(&y, &fieldPrime) {
		return &Error{NonCanonicalKey, ruleCanonicalKey}
	}
	if smallOrder(&y) {
		return &Error{SmallOrderKey, ruleLargeOrder}
	}
	if _, err := new(edwards25519.Point).SetBytes(pub); err != nil {
		return &Error{NotOnCurve, rulePoints}
	}
	return nil
}

// Verify returns nil when sig is the signature of msg by pub, or an [*Error].
func Verify(pub, msg, sig []byte) error {
	if err := CheckKey(pub); err != nil {
		return err
	}
	if len(sig) != ed25519.SignatureSize {
		return &Error{Reason: BadLength}
	}
	if s := [32]byte(sig[32:]); !below(&s, &groupOrder) {
		return &Error{NonReducedS, ruleReducedS}
	}
	// R need not be decoded: the primitive compares it, byte by byte, with a
	// point that it computed, so an R off the curve cannot match.
	y := maskedY(sig)
	if !below(&y, &fieldPrime) {
		return &Error{NonCanonicalR, rulePoints}
	}
	if smallOrder(&y) {
		return &Error{SmallOrderR, rulePoints}
	}
	if !ed25519.Verify(pub, msg, sig) {
		return &Error{Reason: BadSignature}
	}
	return nil
}
