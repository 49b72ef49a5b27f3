// Package zipstore reads and writes the one kind of ZIP file a capsule may be:
// stored entries, nothing hidden, nothing that two programs could read in two
// ways. It implements section 2 of the Capsule specification (CAP-ZIP-01 to -25).
//
// [Open] takes the central directory as the one authority for the set of
// entries, holds every local header against it and accounts for every byte:
//
//	local header, name, extra, data[, descriptor]   for each entry, from offset 0
//	central directory                               one record for each entry
//	end record[, comment]                           up to the last byte
//
// What does not fit that picture is refused with an [*Error]. Open reads
// headers only; [Archive.Open] and [Archive.ReadFile] check the CRC-32 of what
// they hand out. [Write] gives the same bytes for the same files, in any order.
//
// The package does not compress, does not know what a capsule holds and does
// not extract: which names can stand beside each other on a disk is decided
// where files are made.
package zipstore

import (
	"fmt"

	"seed/finding"
)

// Limits that hold when [Options] names none.
const (
	DefaultMaxEntries = 10_000
	DefaultMaxTotal   = 1 << 30
)

// MaxNames is how many bytes the names of one archive may have together. They
// are all that Open keeps in memory in proportion to what the file says.
const MaxNames = 32 << 20

// Options are the limits of one archive. The zero value holds the defaults.
type Options struct {
	MaxEntries int   // records of the central directory, directory markers too
	MaxTotal   int64 // bytes of all files together
	Strict     bool  // refuse data descriptors and an archive comment
}

// limits fills in the defaults. A limit that is not a positive number is a
// mistake of the caller and not a property of the file.
func (o Options) limits() (Options, error) {
	switch {
	case o.MaxEntries < 0:
		return o, fmt.Errorf("entry limit %d is not a positive number", o.MaxEntries)
	case o.MaxTotal < 0:
		return o, fmt.Errorf("size limit %d is not a positive number", o.MaxTotal)
	}
	if o.MaxEntries == 0 {
		o.MaxEntries = DefaultMaxEntries
	}
	if o.MaxTotal == 0 {
		o.MaxTotal = DefaultMaxTotal
	}
	return o, nil
}

// Reason is the word by which programs tell refusals apart.
type Reason string

// The reasons, in the words of the specification.
const (
	MalformedContainer       Reason = "malformed_container"
	TrailingBytes            Reason = "trailing_bytes"
	LeadingBytes             Reason = "leading_bytes"
	AmbiguousEOCD            Reason = "ambiguous_eocd"
	ZIP64                    Reason = "zip64"
	EntryCountMismatch       Reason = "entry_count_mismatch"
	EntryCountLimit          Reason = "entry_count_limit"
	TotalSizeLimit           Reason = "total_size_limit"
	UnsafePath               Reason = "unsafe_path"
	DuplicateEntry           Reason = "duplicate_entry"
	UnsupportedCompression   Reason = "unsupported_compression"
	SymlinkEntry             Reason = "symlink_entry"
	UnsupportedEntryType     Reason = "unsupported_entry_type"
	DirectoryMarkerShape     Reason = "directory_marker_shape"
	LocalCentralNameMismatch Reason = "local_central_name_mismatch"
	LocalCentralMismatch     Reason = "local_central_mismatch"
	AmbiguousNameEncoding    Reason = "ambiguous_name_encoding"
	CRCMismatch              Reason = "crc_mismatch"
	NotStrict                Reason = "not_strict"
)

// Error says which rule an archive broke. Every other error of this package is
// the caller's own: a reader or writer that failed, a limit that is no limit.
type Error struct {
	Rule   finding.Rule
	Reason Reason
	Entry  string // the raw name, may hold anything; "" when the archive is meant
	Offset int64  // into the archive, of the record or data that is wrong
	Msg    string
}

func (e *Error) Error() string {
	s := e.Msg
	if e.Entry != "" {
		s = finding.Quote(e.Entry) + ": " + s
	}
	return s + " (" + e.Rule.ID + ")"
}

// Finding is the refusal in the shared vocabulary. Its place is the name of the
// entry, quoted unless it is a name that this package lets pass.
func (e *Error) Finding() finding.Finding {
	at := e.Entry
	if at != "" && checkName(at) != "" {
		at = finding.Quote(at)
	}
	return finding.Finding{Rule: e.Rule, At: finding.Place{Name: at}, Msg: e.Msg}
}

func refuse(rule finding.Rule, why Reason, entry string, off int64, format string, args ...any) error {
	return &Error{Rule: rule, Reason: why, Entry: entry, Offset: off, Msg: fmt.Sprintf(format, args...)}
}
