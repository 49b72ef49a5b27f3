package keys

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"seed/finding"
)

// Asker asks for a passphrase. What it returns is overwritten after use. A nil
// Asker means that nobody can be asked.
type Asker func(prompt string) ([]byte, error)

// maxFile is the most that is read of any key file, in bytes.
const maxFile = 16 << 10

var errNotPrivate = errors.New("not a private key: want a key file of seed, 64 hex digits, or an OpenSSH key of type ssh-ed25519")

// ParsePrivate reads a private key in any of the forms of the package comment.
// A key of another kind than want is refused before anybody is asked. Where
// want is empty, the file must say the kind.
func ParsePrivate(data []byte, want Kind, ask Asker) (*Private, error) {
	return parsePrivate(data, want, ask, "the key")
}

// parsePrivate calls the key by name when it asks.
func parsePrivate(data []byte, want Kind, ask Asker, name string) (*Private, error) {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	first = bytes.TrimSuffix(first, []byte("\r"))
	switch {
	case len(data) > maxFile:
		return nil, errNotPrivate
	case string(first) == beginOwn:
		k, err := parseKeyFile(data)
		if err != nil {
			return nil, err
		}
		if err := k.public.Kind.want(want); err != nil {
			return nil, err
		}
		return k.unlock(ask, name)
	case string(first) == beginOpenSSH:
		return parseOpenSSH(data, want)
	case bytes.HasPrefix(first, []byte("-----BEGIN ")):
		return nil, fmt.Errorf("%s, which is not read here; want a key file of seed or an OpenSSH one", armour(first))
	case looksPublic(first):
		return nil, errors.New("a public key; the private one is needed")
	}
	return parseHexSecret(data, want)
}

// parseHexSecret reads 64 hex digits and at most a line end.
func parseHexSecret(data []byte, want Kind) (*Private, error) {
	digits := bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r"))
	var secret [secretSize]byte
	defer clear(secret[:])
	if len(digits) != hex.EncodedLen(len(secret)) {
		return nil, errNotPrivate
	}
	if _, err := hex.Decode(secret[:], digits); err != nil {
		return nil, errNotPrivate // the decoder's error names a character of the secret
	}
	if want == "" {
		return nil, ruleTyped.Errorf(finding.Place{}, "64 hex digits do not say of which kind the key is").
			WithHint("say ed25519 for a key that signs, x25519 for one that receives")
	}
	return newPrivate(want, secret[:])
}

func looksPublic(line []byte) bool {
	s := string(line[:min(len(line), 16)])
	for _, begin := range []string{string(Signing) + ":", string(Receiving) + ":", "ssh-", "ecdsa-", "sk-"} {
		if strings.HasPrefix(s, begin) {
			return true
		}
	}
	return false
}

// armour names a form of keys by its first line. Nothing else of the line is
// shown: in a key on one line it goes on with the secret.
func armour(line []byte) string {
	label, _, _ := strings.Cut(strings.TrimPrefix(string(line), "-----BEGIN "), "-----")
	switch label {
	case "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK":
		return "a key in the form " + label
	}
	return "an armoured text of another form"
}

// onlyLine gives a text without the end of its last line.
func onlyLine(data []byte) string {
	return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
}

// MarshalPublic gives the file of a public key: one line, the key with its
// kind and, where there is one, its label.
func MarshalPublic(p Public, label string) ([]byte, error) {
	if err := CheckLabel(label); err != nil {
		return nil, err
	}
	if label != "" {
		label = " " + label
	}
	return []byte(p.String() + label + "\n"), nil
}

// ParsePublicFile reads the file of a public key and gives its label: the form
// of [MarshalPublic], an OpenSSH line of type ssh-ed25519 with its comment, or
// a private key file of seed, whose public half stands in the clear.
func ParsePublicFile(data []byte) (Public, string, error) {
	line := onlyLine(data[:min(len(data), maxFile)])
	switch {
	case len(data) > maxFile:
	case bytes.HasPrefix(data, []byte(beginOwn+"\n")):
		k, err := parseKeyFile(data)
		if err != nil {
			return Public{}, "", err
		}
		return k.public, k.label, nil
	case strings.HasPrefix(line, "-----BEGIN "):
		return Public{}, "", errors.New("a private key; the public one is needed")
	case strings.Contains(line, "\n"):
	case isKeyHex(line):
		return Public{}, "", ruleTyped.Errorf(finding.Place{}, "64 hex digits do not say of which kind the key is, or whether it is public").
			WithHint("write the kind in front of a public key: ed25519: or x25519:")
	case strings.HasPrefix(line, "ssh-") || strings.HasPrefix(line, "ecdsa-") || strings.HasPrefix(line, "sk-"):
		return parseSSHLine(line)
	default:
		key, label, _ := strings.Cut(line, " ")
		p, err := ParsePublic(key)
		if err != nil {
			return Public{}, "", err
		}
		if err := CheckLabel(label); err != nil {
			return Public{}, "", err
		}
		return p, label, nil
	}
	return Public{}, "", errors.New("not a file of one public key")
}
