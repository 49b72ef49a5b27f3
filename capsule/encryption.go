package capsule

import (
	"errors"
	"slices"
	"strings"

	"seed/capsule/crypt"
	"seed/finding"
	"seed/jcs"
)

// verifyBlob checks cipher, blob and blob hash against one another, from the
// presence of the blob and never behind "is encrypted" (CAP-ENV-07).
func (v *verification) verifyBlob(files []hashed) {
	e := v.c.Envelope
	i := slices.IndexFunc(files, func(f hashed) bool { return f.path == blobPath })
	fail := func(reason Reason, msg string) { v.error(ruleCipher, AreaEncryptedBlob, reason, msg) }
	blobHash := e.Value.Member("encrypted_blob_hash")
	plain := e.Cipher == "none"
	if !plain && e.Cipher != crypt.Cipher {
		fail(UnsupportedCipher, "unsupported cipher: "+e.Value.Member("cipher").Shown())
	}
	switch {
	case i < 0 && !plain:
		fail(CipherWithoutBlob, "cipher is "+e.Value.Member("cipher").Shown()+" but the package has no content.enc")
	case i >= 0 && plain:
		fail(BlobWithoutCipher, "plain capsule must have cipher='none', got 'none' with a content.enc in the package")
	}
	switch {
	case i < 0 && !blobHash.IsNull():
		fail(BlobHashMismatch, "plain capsule must have envelope.encrypted_blob_hash=null")
	case i >= 0 && !blobHash.EqualText(files[i].sum):
		fail(BlobHashMismatch, "envelope.encrypted_blob_hash mismatch: "+blobHash.Shown()+" vs recomputed "+files[i].sum)
	}
}

// verifyEncryption compares the manifest's declaration with the signed cipher
// (CAP-MAN-08), and looks at the metadata it points to.
func (v *verification) verifyEncryption() {
	decl := v.c.Manifest.Value.Member("encryption")
	null := decl.IsNull() || !decl.Exists()
	fail := func(area Area, reason Reason, msg string) { v.error(ruleEncryption, area, reason, msg) }
	if !v.c.Encrypted() {
		if !null {
			fail(AreaEncryptionShape, EncryptionShape, "manifest.encryption must be null when envelope.cipher is 'none'")
		}
		return
	}
	switch {
	case null:
		fail(AreaEncryptionShape, EncryptionShape, "manifest.encryption is null but envelope.cipher is "+v.c.Envelope.Value.Member("cipher").Shown())
		return
	case decl.Kind() != jcs.Object:
		fail(AreaEncryptionShape, EncryptionShape, "manifest.encryption is not an object")
		return
	case !decl.Member("cipher").EqualText(v.c.Envelope.Cipher):
		fail(AreaEncryptionShape, EncryptionShape, "manifest.encryption.cipher "+decl.Member("cipher").Shown()+" does not equal envelope.cipher")
	}
	path := decl.Member("metadata_path").Str()
	listed := slices.ContainsFunc(v.c.Manifest.Files, func(f IndexEntry) bool { return f.Path == path })
	switch {
	case path == "":
		fail(AreaEncryptionMetadata, EncryptionMetadataPath, "manifest.encryption.metadata_path is not a non-empty string")
	case !v.c.Has(path):
		fail(AreaEncryptionMetadata, EncryptionMetadataPath, "manifest.encryption.metadata_path "+finding.Quote(path)+" is not in the package")
	case !listed:
		fail(AreaEncryptionMetadata, EncryptionMetadataPath, "manifest.encryption.metadata_path "+finding.Quote(path)+" is not in the content index")
	default:
		v.metadata()
	}
}

// metadata holds the decryption metadata to its strict shape and reports what a
// reader should know of it (CAP-ENC-08).
func (v *verification) metadata() {
	m, err := v.c.Recipients()
	if err != nil {
		rule, text := ruleMetadata, err.Error()
		var broken *finding.Error
		if errors.As(err, &broken) {
			rule, text = broken.Rule, broken.At.String()+": "+broken.Msg
		}
		v.error(rule, AreaEncryptionMetadata, EncryptionMetadataPath, "decryption metadata: "+text)
		return
	}
	if len(m.Bundles) == 0 {
		v.qualify(NobodyCanOpen)
		v.note("nobody can open this: key_bundles is empty")
	}
	if len(m.Unknown) > 0 {
		v.qualify(UnknownDecryptionMembers)
		v.note("decryption metadata has unknown members: " + finding.Quote(strings.Join(m.Unknown, ", ")))
	}
}
