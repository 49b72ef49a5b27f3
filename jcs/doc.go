// Package jcs reads strict JSON and writes it in canonical form (RFC 8785).
// Everything in a capsule that is hashed or signed goes through it.
//
// It implements section 4 of the Capsule rules, CAP-JSON and CAP-JCS. Two kinds
// of trouble are kept apart:
//
//   - What is no strict JSON makes [Doc.Parse] fail: bad UTF-8, bad syntax,
//     anything after the value, a member name twice in one object, a document
//     too deep or too large.
//   - What is JSON but means different things to different programs (a lone
//     surrogate, a number that is not finite, an integer beyond 2^53-1) is
//     noted in [Doc.Refused]. Such a document can be read and shown; it must not
//     be hashed.
//
// A document becomes a flat tape of 16 bytes for each value and member name.
// Texts stay in the source, which the [Doc] keeps and which must not be changed
// while it is in use. Unknown members are kept like all others, so a hash is
// always over the value as stored:
//
//	{ "b": 1.0, "a": "\u0041", "x-new": null }
//
// has the canonical form
//
//	{"a":"A","b":1,"x-new":null}
//
// The package knows nothing of capsules, has no reflection and maps JSON to no
// Go types.
package jcs
