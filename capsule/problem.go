package capsule

import (
	"fmt"

	"seed/finding"
)

// Area is the part of a capsule that a problem concerns.
type Area string

// The areas, as reports and tests compare them.
const (
	AreaContentIndex       Area = "content_index"
	AreaChain              Area = "chain"
	AreaEnvelope           Area = "envelope"
	AreaEncryptedBlob      Area = "encrypted_blob"
	AreaSignerSet          Area = "signer_set"
	AreaOriginatorBinding  Area = "originator_binding"
	AreaLineage            Area = "lineage"
	AreaContainer          Area = "container"
	AreaVersion            Area = "version"
	AreaProfile            Area = "profile"
	AreaParticipants       Area = "participants"
	AreaCapsuleID          Area = "capsule_id"
	AreaManifestHash       Area = "manifest_hash"
	AreaChainAnchor        Area = "chain_anchor"
	AreaFirstEventBinding  Area = "first_event_hash_binding"
	AreaEncryptionShape    Area = "encryption_shape"
	AreaEncryptionMetadata Area = "encryption_metadata_path"
	AreaL3                 Area = "l3"
)

// Reason is the word for a problem that programs branch on.
type Reason string

// Reasons for refusing at open. The container's own are those of the scanner:
// duplicate_entry, unsafe_path, trailing_bytes and so on.
const (
	MissingRequiredFile     Reason = "missing_required_file"
	InvalidJSON             Reason = "invalid_json"
	DuplicateMember         Reason = "duplicate_member"
	InvalidManifestShape    Reason = "invalid_manifest_shape"
	UnsupportedVersionNewer Reason = "unsupported_version_newer"
	UnsupportedVersionOlder Reason = "unsupported_version_older"
	UnsupportedProfile      Reason = "unsupported_profile"
	ProfileMismatch         Reason = "profile_mismatch"
	DocumentTooLarge        Reason = "document_too_large"
	TooDeep                 Reason = "too_deep"
)

// Reasons of the verify stage. Those of the chain are in package chain, those of
// signatures are words such as small_order_public_key.
const (
	VersionMismatch        Reason = "version_mismatch"
	FirstEventHashBinding  Reason = "first_event_hash_binding"
	EncryptionShape        Reason = "encryption_shape"
	EncryptionMetadataPath Reason = "encryption_metadata_path"
	CipherWithoutBlob      Reason = "cipher_without_blob"
	BlobWithoutCipher      Reason = "blob_without_cipher"
	BlobHashMismatch       Reason = "blob_hash_mismatch"
	UnsupportedCipher      Reason = "unsupported_cipher"
	ActorNamespace         Reason = "actor_namespace"
	EmptyChainWithAnchors  Reason = "empty_chain_with_anchors"
	NullAnchorOverEvents   Reason = "null_anchor_over_events"
	AnchorMismatch         Reason = "anchor_mismatch"
	MissingChain           Reason = "missing_chain"
	DuplicateSigner        Reason = "duplicate_signer"
	InvalidSigner          Reason = "invalid_signer"
	NonCanonicalHex        Reason = "non_canonical_hex"
	Canonicalization       Reason = "canonicalization_refused"
	CapsuleIDMismatch      Reason = "capsule_id_mismatch"
	ManifestHashMismatch   Reason = "manifest_hash_mismatch"
	IndexMismatch          Reason = "index_mismatch"
	FileHashMismatch       Reason = "file_hash_mismatch"
	FileNotIndexed         Reason = "file_not_indexed"
	FileMissing            Reason = "file_missing"
	IndexNotSorted         Reason = "index_not_sorted"
	SignerSetMismatch      Reason = "signer_set_mismatch"
	OriginatorNotSigned    Reason = "originator_not_signed"
	LineageMalformed       Reason = "lineage_malformed"
	InnerOuterMismatch     Reason = "inner_outer_mismatch"
	NestedEncryption       Reason = "nested_encryption"
	NotAddressed           Reason = "not_addressed"
	DecryptionFailed       Reason = "decryption_failed"
)

// Problem is one thing wrong with a capsule.
type Problem struct {
	Rule    string `json:"rule"` // "CAP-IDX-04"
	Area    Area   `json:"area"`
	Reason  Reason `json:"reason,omitempty"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"` // entry of the container
	Seq     int    `json:"seq,omitempty"`  // position of the event, from 1
	Scope   string `json:"scope"`          // "outer" or "inner"; a plain capsule has only an outer
}

// RefusedError is why a file could not be opened as a capsule at all.
type RefusedError struct {
	Problem
	// Unsupported is set when the file may be fine and this build is not enough:
	// a version or profile it does not know.
	Unsupported bool

	version VersionFact
	profile ProfileFact
}

func (e *RefusedError) Error() string {
	msg := e.Message
	if e.Path != "" {
		msg = finding.Quote(e.Path) + ": " + msg
	}
	return fmt.Sprintf("%s (%s)", msg, e.Rule)
}

func refuse(rule finding.Rule, area Area, reason Reason, path, format string, args ...any) *RefusedError {
	return &RefusedError{Problem: Problem{
		Rule: rule.ID, Area: area, Reason: reason, Path: path, Message: fmt.Sprintf(format, args...), Scope: "outer",
	}}
}
