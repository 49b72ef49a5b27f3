package testkit

import (
	"encoding/hex"
	"fmt"
)

// Signed is a vector for signed seeds (docs/spec/signed-seeds.md). Its body is a
// document, as in seed/document: each of them is a conforming one, and what is
// judged is its signature alone. In the header
//
//	expect: valid
//	rule: SIG-08
//	note: a document with one line
//	secret: 000102…
//	message: 73656564…
//
// expect is "valid", "invalid" or "unsigned"; rule is the one rule that an
// invalid one breaks, or the rule that the vector is about. Where the document
// was signed, secret is the Ed25519 seed of the test key and message is what was
// signed, both in hex: signing the document without its signature line must give
// that line again.
type Signed struct {
	Name    string // file name without ".txt"
	Expect  string
	Rule    string
	Note    string
	Secret  []byte // nil unless Expect is "valid"
	Message []byte // nil unless Expect is "valid"
	Body    []byte
}

// SignedDocuments returns the vectors of seed/signed in the order of their names.
func SignedDocuments() ([]Signed, error) {
	return load("seed/signed", parseSigned)
}

func parseSigned(name, text string) (Signed, error) {
	s := Signed{Name: name}
	fields, body, err := split(text)
	if err != nil {
		return s, err
	}
	s.Body = body
	for key, value := range fields {
		var err error
		switch key {
		case "expect":
			s.Expect = value
		case "rule":
			s.Rule = value
		case "note":
			s.Note = value
		case "secret":
			s.Secret, err = hex.DecodeString(value)
		case "message":
			s.Message, err = hex.DecodeString(value)
		default:
			err = fmt.Errorf("not a field of this kind of vector")
		}
		if err != nil {
			return s, fmt.Errorf("header field %q: %w", key, err)
		}
	}
	if s.Expect == "" || s.Rule == "" || s.Note == "" || (s.Expect == "valid") != (s.Secret != nil && s.Message != nil) {
		return s, fmt.Errorf("header needs expect, rule and note, and secret and message when it is valid")
	}
	return s, nil
}
