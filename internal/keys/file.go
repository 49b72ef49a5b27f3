package keys

import (
	"bytes"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/crypto/chacha20poly1305"

	"seed/finding"
)

const (
	beginOwn = "-----BEGIN SEED PRIVATE KEY-----"
	endOwn   = "-----END SEED PRIVATE KEY-----"

	timeForm = "2006-01-02T15:04:05Z" // UTC
)

// keyFile is a key file taken apart, its secret still as it is kept.
type keyFile struct {
	public  Public
	label   string
	created string
	protect protection
	head    []byte // everything before body
	body    []byte
}

// Marshal gives the key file of p, see the package comment. An empty pass
// leaves the secret unprotected; pass stays the caller's to overwrite, and so
// does the result. Created is a time in the form 2026-08-01T12:00:00Z or "".
// The salt comes from random, nil meaning the system's.
func (p *Private) Marshal(label, created string, pass []byte, random io.Reader) ([]byte, error) {
	if p.secret == nil {
		return nil, errNoSecret
	}
	if err := CheckLabel(label); err != nil {
		return nil, err
	}
	if err := checkCreated(created); err != nil {
		return nil, err
	}
	k := keyFile{public: p.Public, label: label, created: created}
	if len(pass) > 0 {
		var err error
		if k.protect, err = newProtection(random); err != nil {
			return nil, err
		}
	}
	out := k.appendHead(make([]byte, 0, 1024))
	body := p.secret()[:]
	if k.protect.on() {
		var err error
		if body, err = k.protect.seal(pass, body, out); err != nil {
			return nil, err
		}
	}
	out = base64.StdEncoding.AppendEncode(out, body)
	return append(out, "\n"+endOwn+"\n"...), nil
}

func (k *keyFile) appendHead(out []byte) []byte {
	out = fmt.Appendf(out, "%s\nFormat: 1\nKind: %s\nPublic: %s\n", beginOwn, k.public.Kind, k.public.Hex())
	if k.label != "" {
		out = fmt.Appendf(out, "Label: %s\n", k.label)
	}
	if k.created != "" {
		out = fmt.Appendf(out, "Created: %s\n", k.created)
	}
	return fmt.Appendf(out, "Protection: %s\n\n", k.protect)
}

func checkCreated(s string) error {
	if t, err := time.Parse(timeForm, s); s != "" && (err != nil || t.Format(timeForm) != s) {
		return errors.New("the time of creation is not of the form 2026-08-01T12:00:00Z")
	}
	return nil
}

// fileReader takes a key file line by line.
type fileReader struct {
	rest []byte
	line int
}

func (r *fileReader) next() ([]byte, error) {
	r.line++
	line, rest, ok := bytes.Cut(r.rest, []byte("\n"))
	if !ok {
		return nil, r.errorf("the key file is cut off")
	}
	r.rest = rest
	return line, nil
}

func (r *fileReader) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{r.line}, args...)...)
}

// at puts the line in front of an error.
func (r *fileReader) at(err error) error {
	if broken, ok := err.(*finding.Error); ok {
		broken.At.Line = r.line
		return broken
	}
	return r.errorf("%w", err)
}

// field reads the line "name: value". An optional one that is not there is "".
func (r *fileReader) field(name string, optional bool) (string, error) {
	before := *r
	line, err := r.next()
	if err != nil {
		return "", err
	}
	value, ok := bytes.CutPrefix(line, []byte(name+": "))
	switch {
	case ok && len(value) > 0:
		return string(value), nil
	case ok || !optional:
		return "", r.errorf("want %q and a value", name+": ")
	}
	*r = before
	return "", nil
}

// parseKeyFile reads everything but the secret. There is one spelling of a key
// file: what it accepts, Marshal could have written.
func parseKeyFile(data []byte) (*keyFile, error) {
	r := &fileReader{rest: data}
	if bytes.IndexByte(data, '\r') >= 0 {
		return nil, errors.New("the lines of a key file end in LF alone; something has changed that")
	}
	if line, err := r.next(); err != nil || string(line) != beginOwn {
		return nil, r.errorf("not a key file of seed")
	}
	if version, err := r.field("Format", false); err != nil {
		return nil, err
	} else if version != "1" {
		return nil, r.errorf("key file of format %s; this version of seed reads 1", finding.Quote(version))
	}
	k := &keyFile{}
	if err := k.parseHead(r); err != nil {
		return nil, err
	}
	k.head = data[:len(data)-len(r.rest)]
	text, err := r.next()
	if err != nil {
		return nil, err
	}
	size := secretSize
	if k.protect.on() {
		size += chacha20poly1305.Overhead
	}
	k.body = make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Strict().Decode(k.body, text)
	k.body = k.body[:n]
	if err != nil || n != size || len(text) != base64.StdEncoding.EncodedLen(size) {
		return nil, r.errorf("the secret part is not %d bytes in base64", size)
	}
	if line, err := r.next(); err != nil || string(line) != endOwn {
		return nil, r.errorf("want %q", endOwn)
	}
	if len(r.rest) > 0 {
		return nil, errors.New("more text after the end of the key")
	}
	return k, nil
}

func (k *keyFile) parseHead(r *fileReader) error {
	kind, err := r.field("Kind", false)
	if err != nil {
		return err
	}
	public, err := r.field("Public", false)
	if err != nil {
		return err
	}
	if public != strings.ToLower(public) {
		return r.errorf("the public key is not in lower case")
	}
	if k.public, err = ParsePublic(kind + ":" + public); err != nil {
		return r.at(err)
	}
	if k.label, err = r.field("Label", true); err != nil {
		return err
	}
	if err := CheckLabel(k.label); err != nil {
		return r.at(err)
	}
	if k.created, err = r.field("Created", true); err != nil {
		return err
	}
	if err := checkCreated(k.created); err != nil {
		return r.at(err)
	}
	protect, err := r.field("Protection", false)
	if err != nil {
		return err
	}
	if k.protect, err = parseProtection(protect); err != nil {
		return r.at(err)
	}
	if line, err := r.next(); err != nil || len(line) > 0 {
		return r.errorf("want an empty line")
	}
	return nil
}

// unlock gives the private key, asking for the passphrase where there is one.
func (k *keyFile) unlock(ask Asker, name string) (*Private, error) {
	secret := k.body
	if k.protect.on() {
		if ask == nil {
			return nil, ErrNeedPassphrase
		}
		pass, err := ask("passphrase of " + name + ":")
		if err != nil {
			return nil, fmt.Errorf("ask for the passphrase: %w", err)
		}
		secret, err = k.protect.open(pass, k.body, k.head)
		clear(pass)
		if err != nil {
			return nil, err
		}
	}
	defer clear(secret)
	p, err := newPrivate(k.public.Kind, secret)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(p.Key[:], k.public.Key[:]) != 1 {
		p.Wipe()
		return nil, errors.New("the public key in the file does not belong to the private one")
	}
	p.Label = k.label
	return p, nil
}
