// Package keys is the one key store and the one list of trusted signers for
// seeds, SEED folders and capsules.
//
// A key has a kind: Ed25519 keys sign, X25519 keys receive. Bytes cannot tell
// the two apart, and content encrypted to a signing key is locked for ever, so
// the kind travels with the key (CAP-ENC-10): in text as "ed25519:" or
// "x25519:" and 64 hex digits, in a key file as a line of its own. Hex alone is
// taken only where the caller fixes the kind.
//
// # Key file
//
// A private key is a small text of lines in this order, each ended by LF;
// Label and Created may be missing:
//
//	-----BEGIN SEED PRIVATE KEY-----
//	Format: 1
//	Kind: ed25519
//	Public: <64 lower-case hex digits>
//	Label: laptop
//	Created: 2026-08-01T12:00:00Z
//	Protection: argon2id m=65536 t=3 p=4 salt=<32 hex digits>
//
//	<base64 of the secret, one line>
//	-----END SEED PRIVATE KEY-----
//
// With "Protection: none" the secret is the 32 bytes of the Ed25519 seed or
// the X25519 scalar. Otherwise it is their ChaCha20-Poly1305 encryption with
// every byte before it as additional data, a nonce of zeros, and the key that
// Argon2id makes of the passphrase; the salt is new for every file, so no key
// meets the nonce twice. What the cost may be is bounded before it is spent. The
// armour is there so that scanners for leaked secrets know the file.
//
// Read as well: 64 hex digits and at most a line end, as the Capsule reference
// writes them, where the caller says the kind; and OpenSSH's private key files
// of type ssh-ed25519 without a passphrase.
//
// # Trust
//
// trust.yaml lists signers, see [ParseTrust]. It labels and permits; it never
// makes a signature valid.
//
// The package asks nobody and prints nothing: passphrases come through an
// [Asker]. No error and no formatted value holds a secret.
package keys
