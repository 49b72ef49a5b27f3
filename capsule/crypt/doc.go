// Package crypt is the encryption of a capsule, section 9 of the Capsule rules:
// one content key for the inner capsule, wrapped once for each recipient.
//
// The outer capsule carries content.enc, which is the inner ZIP under
// ChaCha20-Poly1305 ([Seal], [Open]) bound to the outer capsule's identity
// ([Context]), and skills/decryption/decryption.json ([Metadata]):
//
//	{
//	  "cipher": "ChaCha20-Poly1305",
//	  "content_nonce": "dfa82a72f26327ce57f73a66",
//	  "key_bundles": [
//	    {
//	      "recipient_public_key": "702f964d…474de46a",
//	      "ephemeral_public_key": "8095d4c1…1fce6377",
//	      "wrap_nonce": "cc5177aa2d15e878e8211088",
//	      "wrapped_key": "00de5851…6863d9b2"
//	    }
//	  ]
//	}
//
// A bundle is made by [Wrap] and opened by [Metadata.Unwrap]:
//
//	shared   = X25519(ephemeral secret, recipient)
//	wrap key = HKDF-SHA-256(shared, salt = recipient, info = "capsule-key-wrap-v" + version)
//	wrapped  = ChaCha20-Poly1305(wrap key, wrap nonce, content key)
//
// Nothing here says who encrypted: that is what the signatures of the inner and
// the outer capsule are for. Recipients and the number of them can be read by
// anyone.
//
// The package is pure: randomness is an argument, and no file is touched.
// Buffers that held a secret are cleared before a function returns. That is
// what can be promised: the standard library keeps copies of its own.
package crypt

import "errors"

// Cipher is the one cipher of the format.
const Cipher = "ChaCha20-Poly1305"

// MetadataPath is where the metadata lie in an encrypted capsule.
const MetadataPath = "skills/decryption/decryption.json"

// Limits of the metadata, for readers and writers. A bundle as [Metadata.Marshal]
// writes it takes 377 bytes, so that MaxBundles of them are within MaxMetadata:
// what was accepted can always be written and read again.
const (
	MaxMetadata = 2 << 20 // bytes
	MaxBundles  = 4096
)

var (
	// ErrNotAddressed is returned by [Metadata.Unwrap] when no bundle names the
	// key.
	ErrNotAddressed = errors.New("not addressed to this key: no matching recipient bundle")
	// ErrWrappedKey is returned by [Metadata.Unwrap] when bundles name the key
	// and none of them opens: they are damaged, or made for another version.
	ErrWrappedKey = errors.New("the wrapped key does not open")
	// ErrAuthentication is returned by [Open] when content, nonce, context and
	// key do not belong together.
	ErrAuthentication = errors.New("the encrypted content does not authenticate")
)
