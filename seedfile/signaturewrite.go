package seedfile

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
)

var errSigningKey = errors.New("the private key is damaged: its two halves do not belong together")

// Sign gives a seed a signature, in the place of one that it may have. All other
// metadata, the payload, the URL and the file name stay as they are, except for
// the fields named in the options; the transport is the current one, as Repack
// writes it, because it names the checksum of the document. The same seed and
// key give the same bytes. The seed must stay readable until the result is
// written.
func Sign(f *File, key ed25519.PrivateKey, o PackOptions) (*Packed, error) {
	// With another public half than its own, a key signs in a way that gives
	// the secret away.
	if len(key) != ed25519.PrivateKeySize || !ed25519.NewKeyFromSeed(key.Seed()).Equal(key) {
		return nil, errSigningKey
	}
	return repack(f, o, func(m *Metadata, payload [32]byte) (*Metadata, error) {
		signer := signerLine + hex.EncodeToString(key[ed25519.PrivateKeySize-ed25519.PublicKeySize:]) + "\n"
		m = m.splice("signature", "").splice("signer", signer)
		sig := ed25519.Sign(key, signedMessage(m.Raw(), payload))
		return m.With("signature", signatureLine+hex.EncodeToString(sig)+"\n")
	})
}

// Unsign takes the signature off a seed, valid or not, and keeps everything else
// as Sign does. A seed without one is packed again.
func Unsign(f *File, o PackOptions) (*Packed, error) {
	return repack(f, o, func(m *Metadata, _ [32]byte) (*Metadata, error) {
		return m.splice("signer", "").With("signature", "")
	})
}
