package keys

import (
	"bytes"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"seed/finding"
)

const (
	beginOpenSSH = "-----BEGIN OPENSSH PRIVATE KEY-----"
	endOpenSSH   = "-----END OPENSSH PRIVATE KEY-----"
	magicOpenSSH = "openssh-key-v1\x00"
	sshEd25519   = "ssh-ed25519"
	sshBlock     = 8 // to which the unencrypted private part is padded
)

var errOpenSSH = errors.New("malformed OpenSSH private key")

// wire reads the strings of the SSH protocol. After the first mistake it is
// bad and gives zero values.
type wire struct {
	b   []byte
	bad bool
}

func (w *wire) take(n uint32) []byte {
	if w.bad || uint64(n) > uint64(len(w.b)) {
		w.bad = true
		return nil
	}
	out := w.b[:n]
	w.b = w.b[n:]
	return out
}

func (w *wire) uint32() uint32 {
	b := w.take(4)
	if b == nil {
		return 0
	}
	return binary.BigEndian.Uint32(b)
}

func (w *wire) bytes() []byte  { return w.take(w.uint32()) }
func (w *wire) string() string { return string(w.bytes()) }

// end reports whether everything was there and nothing is left.
func (w *wire) end() bool { return !w.bad && len(w.b) == 0 }

// parseOpenSSH reads an ed25519 key in the format openssh-key-v1 that has no
// passphrase.
func parseOpenSSH(data []byte, want Kind) (*Private, error) {
	raw, err := unarmour(data)
	if err != nil {
		return nil, err
	}
	defer clear(raw)
	w := &wire{b: raw}
	if string(w.take(uint32(len(magicOpenSSH)))) != magicOpenSSH {
		return nil, fmt.Errorf("%w: not of the format openssh-key-v1", errOpenSSH)
	}
	cipher, kdf, options := w.string(), w.string(), w.bytes()
	count, public, private := w.uint32(), w.bytes(), w.bytes()
	if !w.end() {
		return nil, fmt.Errorf("%w: its parts do not fit", errOpenSSH)
	}
	if cipher != "none" || kdf != "none" {
		return nil, errors.New("an OpenSSH key with a passphrase, which is not read here; " +
			"copy the file, take the passphrase off the copy with ssh-keygen -p -f COPY, import that and delete it")
	}
	if len(options) != 0 || count != 1 {
		return nil, fmt.Errorf("%w: want one key", errOpenSSH)
	}
	key, err := sshPublicBlob(public)
	if err != nil {
		return nil, err
	}
	if err := Signing.want(want); err != nil {
		return nil, err
	}
	return sshPrivatePart(private, key)
}

// sshPrivatePart reads the part that a passphrase would encrypt.
func sshPrivatePart(b []byte, public [32]byte) (*Private, error) {
	w := &wire{b: b}
	one, two := w.uint32(), w.uint32()
	kind, key, pair, comment := w.string(), w.bytes(), w.bytes(), w.string()
	switch {
	case w.bad || len(b)%sshBlock != 0 || len(w.b) >= sshBlock:
		return nil, fmt.Errorf("%w: its private part does not fit", errOpenSSH)
	case one != two:
		return nil, fmt.Errorf("%w: its check numbers differ", errOpenSSH)
	case kind != sshEd25519 || len(pair) != 64:
		return nil, fmt.Errorf("%w: its private part is not of type ssh-ed25519", errOpenSSH)
	}
	for i, pad := range w.b {
		if int(pad) != i+1 {
			return nil, fmt.Errorf("%w: its padding is wrong", errOpenSSH)
		}
	}
	p, err := newPrivate(Signing, pair[:32])
	if err != nil {
		return nil, err
	}
	for _, half := range [][]byte{public[:], key, pair[32:]} {
		if subtle.ConstantTimeCompare(half, p.Key[:]) != 1 {
			p.Wipe()
			return nil, fmt.Errorf("%w: its public key does not belong to the private one", errOpenSSH)
		}
	}
	if CheckLabel(comment) == nil {
		p.Label = comment
	}
	return p, nil
}

// unarmour decodes the base64 between the two lines of dashes.
func unarmour(data []byte) ([]byte, error) {
	text := make([]byte, 0, len(data))
	defer func() { clear(text[:cap(text)]) }()
	ended := false
	for i, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		switch {
		case i == 0 && string(line) == beginOpenSSH:
		case i == 0 || ended || len(line) == 0:
			return nil, fmt.Errorf("%w: line %d does not belong to it", errOpenSSH, i+1)
		case string(line) == endOpenSSH:
			ended = true
		default:
			text = append(text, line...)
		}
	}
	if !ended {
		return nil, fmt.Errorf("%w: it is cut off", errOpenSSH)
	}
	raw := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Strict().Decode(raw, text)
	if err != nil || base64.StdEncoding.EncodedLen(n) != len(text) {
		clear(raw)
		return nil, fmt.Errorf("%w: not base64", errOpenSSH)
	}
	return raw[:n], nil
}

// sshPublicBlob reads an encoded public key.
func sshPublicBlob(b []byte) (key [32]byte, err error) {
	w := &wire{b: b}
	kind := w.string()
	if !w.bad && kind != sshEd25519 {
		return key, fmt.Errorf("an SSH key of type %s; only ssh-ed25519 can be used", finding.Quote(kind))
	}
	pub := w.bytes()
	if !w.end() || len(pub) != len(key) {
		return key, errors.New("malformed SSH public key")
	}
	copy(key[:], pub)
	return key, nil
}

// parseSSHLine reads "ssh-ed25519 BASE64 comment".
func parseSSHLine(line string) (Public, string, error) {
	kind, rest, _ := strings.Cut(line, " ")
	if kind != sshEd25519 {
		return Public{}, "", fmt.Errorf("an SSH key of type %s; only ssh-ed25519 can be used", finding.Quote(kind))
	}
	text, comment, _ := strings.Cut(rest, " ")
	blob, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || base64.StdEncoding.EncodedLen(len(blob)) != len(text) {
		return Public{}, "", errors.New("malformed SSH public key: not base64")
	}
	key, err := sshPublicBlob(blob)
	if err != nil {
		return Public{}, "", err
	}
	p := Public{Signing, key}
	if err := p.check(); err != nil {
		return Public{}, "", err
	}
	if CheckLabel(comment) != nil {
		comment = ""
	}
	return p, comment, nil
}
