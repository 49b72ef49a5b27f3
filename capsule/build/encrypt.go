package build

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"seed/capsule"
	"seed/capsule/crypt"
	"seed/finding"
	"seed/internal/sums"
	"seed/internal/zipstore"
)

var (
	ruleSameSigners = finding.Rule{ID: "CAP-ENC-05", Want: "an outer capsule sealed by those who sealed the content"}
	ruleReopen      = finding.Rule{ID: "CAP-ENC-11", Want: "encrypted content that opens again before it is written"}
)

// Encrypt seals a verified plain capsule inside an outer one. plain are its
// bytes, which are overwritten; spare capacity of crypt.Overhead bytes saves a
// copy. The signers must be those of the capsule, all of them: whoever seals the
// outer one claims its content.
func Encrypt(w Target, c *capsule.Capsule, res *capsule.Result, plain []byte, o EncryptOptions) (*Sealed, error) {
	d, err := Resume(c, res)
	if err != nil {
		return nil, err
	}
	d.SignedAt, d.Signers, d.Recipients, d.Rand = c.Envelope.SignedAt, o.Signers, o.Recipients, o.Rand
	d.MinimalOuter, d.Progress = o.MinimalOuter, o.Progress
	if err := d.check(); err != nil {
		return nil, err
	}
	if len(d.Recipients) == 0 {
		return nil, errors.New("name at least one recipient")
	}
	if err := sameSigners(c.Envelope.Signers, d.Signers); err != nil {
		return nil, err
	}
	b := &builder{d: d, events: res.Chain.Events, content: res.ManifestHash}
	b.seal = seal{d: &b.d, first: c.Envelope.FirstEventHash, entry: c.Envelope.EntryHash}
	b.id = c.Envelope.CapsuleID
	return encrypt(w, plain, &b.seal, b)
}

// EncryptOptions are the choices of Encrypt.
type EncryptOptions struct {
	Signers      []Signer
	Recipients   [][32]byte
	Rand         io.Reader
	MinimalOuter bool
	Progress     func(bytes int64)
}

func sameSigners(want []capsule.Signer, have []Signer) error {
	keys := make(map[[2]string]bool, len(have))
	for _, s := range have {
		keys[[2]string{s.Role, publicHex(s.Key)}] = true
	}
	for _, s := range want {
		pair := [2]string{s.Role, s.PublicKey}
		if !keys[pair] {
			return ruleSameSigners.Errorf(finding.Place{}, "the capsule is sealed by role %s with key %s, whose private key was not given",
				finding.Quote(s.Role), s.PublicKey).WithHint("give every signer's key: --key for the originator, --sign ROLE=KEY for others")
		}
		delete(keys, pair)
	}
	for pair := range keys {
		return ruleSameSigners.Errorf(finding.Place{}, "role %s with key %s did not seal the capsule", finding.Quote(pair[0]), pair[1])
	}
	return nil
}

// writeEncrypted builds the plain capsule in memory and seals it inside an outer
// one.
func (b *builder) writeEncrypted(w Target) (*Sealed, error) {
	var inner Memory
	n, err := b.write(&inner)
	if err != nil {
		return nil, err
	}
	if _, err := verified(&inner, n, b.d.Progress); err != nil {
		return nil, err
	}
	return encrypt(w, inner.Bytes(), &b.seal, b)
}

// encrypt seals the bytes of a plain capsule, which it overwrites, to the
// draft's recipients.
func encrypt(w Target, inner []byte, plain *seal, b *builder) (*Sealed, error) {
	d := plain.d
	if d.Rand == nil {
		return nil, errors.New("encrypting needs randomness: Draft.Rand is nil")
	}
	id, err := capsule.DeriveID(d.Version, d.Originator(), plain.first)
	if err != nil {
		return nil, err
	}
	var key [32]byte
	defer clear(key[:])
	meta := crypt.Metadata{Cipher: crypt.Cipher}
	for _, secret := range [][]byte{key[:], meta.ContentNonce[:]} {
		if _, err := io.ReadFull(d.Rand, secret); err != nil {
			return nil, fmt.Errorf("read randomness: %w", err)
		}
	}
	for i, r := range d.Recipients {
		bundle, err := crypt.Wrap(d.Rand, d.Version, r, key)
		if err != nil {
			return nil, fmt.Errorf("recipient %d: %w", i+1, err)
		}
		meta.Bundles = append(meta.Bundles, bundle)
	}
	aad := crypt.Context{
		Version: d.Version, CapsuleID: id, FirstEventHash: plain.first, OriginatorKey: d.Originator(), Cipher: crypt.Cipher,
	}.AAD()
	blob, err := crypt.Seal(inner, key, meta.ContentNonce, aad)
	if err != nil {
		return nil, err
	}
	metadata := meta.Marshal()
	jobs := []sums.Job{{Size: int64(len(blob)), Data: blob}}
	sums.Run(jobs, d.Progress)
	outer := seal{
		d: d, first: plain.first, entry: plain.entry, blob: hex.EncodeToString(jobs[0].SHA256[:]),
		index: []capsule.IndexEntry{{Path: crypt.MetadataPath, SHA256: sum(metadata)}},
	}
	manifest, envelope, _, err := outer.documents()
	if err != nil {
		return nil, err
	}
	n, err := zipstore.Write(io.NewOffsetWriter(w, 0), []zipstore.File{
		entry(manifestPath, manifest), entry(envelopePath, envelope), entry(crypt.MetadataPath, metadata),
		{Name: "content.enc", Size: int64(len(blob)), CRC32: jobs[0].CRC32, Data: blob},
	}, zipstore.Options{})
	if err != nil {
		return nil, err
	}
	return b.reopen(w, n, blob, key, meta.ContentNonce, aad)
}

// entry is a small file that is in memory.
func entry(path string, data []byte) zipstore.File {
	return zipstore.File{Name: path, Size: int64(len(data)), CRC32: crc32.ChecksumIEEE(data), Data: data}
}

// reopen verifies the outer capsule as written and opens its content with the
// key in hand, before anybody relies on a recipient being able to (CAP-ENC-11).
func (b *builder) reopen(w Target, n int64, blob []byte, key [32]byte, nonce [12]byte, aad []byte) (*Sealed, error) {
	c, err := capsule.Open(w, n, capsule.Limits{})
	if err != nil {
		return nil, fmt.Errorf("read back what was written: %w", err)
	}
	// What was written is read on one core while another opens what was sealed.
	var outer *capsule.Result
	var failed error
	var wg sync.WaitGroup
	wg.Go(func() { outer, failed = verified(w, n, b.d.Progress) })
	res, err := b.open(c, blob, key, nonce, aad)
	wg.Wait()
	if err := cmp.Or(failed, err); err != nil {
		return nil, err
	}
	if b.content != "" && res.ManifestHash != b.content {
		return nil, ruleReopen.Errorf(finding.Place{Name: "content.enc"}, "the capsule changed since it was verified")
	}
	res.Outer = outer
	return b.sealed(n, res), nil
}

// open decrypts the content of c and verifies it.
func (b *builder) open(c *capsule.Capsule, blob []byte, key [32]byte, nonce [12]byte, aad []byte) (*capsule.Result, error) {
	content, err := crypt.Open(blob, key, nonce, aad)
	if err != nil {
		return nil, ruleReopen.Errorf(finding.Place{Name: "content.enc"}, "%w", err)
	}
	res, err := c.VerifyContent(content, nil, capsule.Options{Progress: b.d.Progress})
	if err != nil {
		return nil, err
	}
	return res, refused(res)
}
