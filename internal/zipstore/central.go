package zipstore

import "strings"

const (
	sigCentral = "PK\x01\x02"
	centralLen = 46

	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3
	flagPatch      = 1 << 5
	flagStrong     = 1 << 6
	flagUTF8       = 1 << 11
	flagMasked     = 1 << 13

	dosDirectory = 0x10

	typeMask    = 0o170000
	typeSymlink = 0o120000
	typeDir     = 0o040000
	typeRegular = 0o100000
)

// record is one record of the central directory.
type record struct {
	name       string
	flags      uint16
	method     uint16
	crc        uint32
	compressed int64
	size       int64
	attributes uint32
	header     int64 // offset of the local header
	comment    int   // bytes of a comment, which belongs to no content
	entry      int   // index into Archive.Entries, -1 for a directory marker
}

// readCentral walks the central directory. It fills a.Entries and a.Dirs, all
// but the data offsets, and returns the records for the check of local headers.
func (a *Archive) readCentral(s *source, e *end, o Options) ([]record, error) {
	records := make([]record, 0, e.count)
	a.Entries = make([]Entry, 0, e.count)
	a.index = make(map[string]int32, e.count)
	var total, names int64
	for off := e.dirOffset; off < e.off; {
		if len(records) == e.count {
			return nil, refuse(ruleDirectory, EntryCountMismatch, "", off, "the central directory has more than the declared %d entries", e.count)
		}
		rec, n, err := readRecord(s, off, e.off)
		if err != nil {
			return nil, err
		}
		if err := rec.check(off); err != nil {
			return nil, err
		}
		total += max(rec.size, rec.compressed)
		names += int64(len(rec.name))
		switch {
		case total > o.MaxTotal:
			return nil, refuse(ruleLimits, TotalSizeLimit, rec.name, off, "the files have more than %d bytes together", o.MaxTotal)
		case names > MaxNames:
			return nil, refuse(ruleLimits, TotalSizeLimit, "", off, "the names have more than %d bytes together", int64(MaxNames))
		}
		if err := rec.checkShape(off); err != nil {
			return nil, err
		}
		a.EntryComments += int64(rec.comment)
		if rec.comment > 0 && o.Strict {
			return nil, refuse(ruleDescriptor, NotStrict, rec.name, off, "the entry has a comment of %d bytes", rec.comment)
		}
		if !a.add(&rec) {
			return nil, refuse(ruleUnique, DuplicateEntry, rec.name, off, "the name stands here twice")
		}
		records = append(records, rec)
		off += n
	}
	if len(records) != e.count {
		return nil, refuse(ruleDirectory, EntryCountMismatch, "", e.off, "the central directory has %d entries, %d are declared", len(records), e.count)
	}
	return records, nil
}

// add enters rec under its name without the slash of a marker, so that nothing
// is a file and a directory at once. It reports whether the name was free.
func (a *Archive) add(rec *record) bool {
	key := strings.TrimSuffix(rec.name, "/")
	if _, taken := a.index[key]; taken {
		return false
	}
	rec.entry = -1
	if isDir(rec.name) {
		a.Dirs = append(a.Dirs, rec.name)
	} else {
		rec.entry = len(a.Entries)
		a.Entries = append(a.Entries, Entry{
			Name:       rec.name,
			Size:       rec.size,
			CRC32:      rec.crc,
			Descriptor: rec.flags&flagDescriptor != 0,
			Mode:       rec.attributes >> 16,
		})
	}
	a.index[key] = int32(rec.entry)
	return true
}

// readRecord reads the record at off, which must end at or before stop, and
// returns its length.
func readRecord(s *source, off, stop int64) (record, int64, error) {
	if stop-off < centralLen {
		return record{}, 0, refuse(ruleDirectory, MalformedContainer, "", off, "the central directory is cut short")
	}
	b, err := s.at(off, centralLen)
	if err != nil {
		return record{}, 0, err
	}
	if string(b[:4]) != sigCentral {
		return record{}, 0, refuse(ruleDirectory, MalformedContainer, "", off, "no record of the central directory here")
	}
	nameLen, extraLen, commentLen := int(le16(b[28:])), int(le16(b[30:])), int(le16(b[32:]))
	n := centralLen + nameLen + extraLen + commentLen
	if stop-off < int64(n) {
		return record{}, 0, refuse(ruleDirectory, MalformedContainer, "", off, "a record reaches past the central directory")
	}
	rec := record{
		flags:      le16(b[8:]),
		method:     le16(b[10:]),
		crc:        le32(b[16:]),
		compressed: int64(le32(b[20:])),
		size:       int64(le32(b[24:])),
		attributes: le32(b[38:]),
		header:     int64(le32(b[42:])),
	}
	disk := le16(b[34:])
	b, err = s.at(off+centralLen, nameLen+extraLen)
	if err != nil {
		return record{}, 0, err
	}
	rec.name, rec.comment = string(b[:nameLen]), commentLen
	switch {
	case rec.compressed == none32, rec.size == none32, rec.header == none32, disk == none16:
		return record{}, 0, refuse(ruleNoZIP64, ZIP64, rec.name, off, "the record points to ZIP64 fields")
	case disk != 0:
		return record{}, 0, refuse(ruleNoZIP64, MalformedContainer, rec.name, off, "the entry lies on another disk")
	}
	return rec, int64(n), checkExtra(b[nameLen:], rec.name, off)
}

// check holds the name and the kind of storage to the rules.
func (r *record) check(off int64) error {
	if why := checkName(r.name); why != "" {
		return refuse(ruleName, UnsafePath, r.name, off, "%s", why)
	}
	switch {
	case r.flags&flagUTF8 == 0 && !isASCII(r.name):
		return refuse(ruleEncoding, AmbiguousNameEncoding, r.name, off, "the name is not ASCII and not marked as UTF-8")
	case r.flags&(flagEncrypted|flagStrong|flagMasked) != 0:
		return refuse(ruleStored, UnsupportedCompression, r.name, off, "the entry is encrypted")
	case r.flags&flagPatch != 0:
		return refuse(ruleStored, UnsupportedCompression, r.name, off, "the entry is a patch")
	case r.method != 0:
		return refuse(ruleStored, UnsupportedCompression, r.name, off, "compression method %d is not stored", r.method)
	}
	return nil
}

// checkShape holds the type of the entry to its name and sizes. The mode is
// looked at whatever system the record says it comes from: some programs do so.
func (r *record) checkShape(off int64) error {
	dir := isDir(r.name)
	switch kind := r.attributes >> 16 & typeMask; {
	case kind == typeSymlink:
		return refuse(ruleType, SymlinkEntry, r.name, off, "the entry is a symbolic link")
	case kind == typeDir && !dir:
		return refuse(ruleType, DirectoryMarkerShape, r.name, off, "the mode says directory, the name does not")
	case kind != 0 && kind != typeRegular && kind != typeDir:
		return refuse(ruleType, UnsupportedEntryType, r.name, off, "the entry is neither a file nor a directory")
	}
	switch {
	case !dir && r.attributes&dosDirectory != 0:
		return refuse(ruleMarker, DirectoryMarkerShape, r.name, off, "the attributes say directory, the name does not")
	case dir && (r.size != 0 || r.compressed != 0):
		return refuse(ruleMarker, DirectoryMarkerShape, r.name, off, "a directory with content")
	case dir && r.crc != 0:
		return refuse(ruleCRC, CRCMismatch, r.name, off, "a directory with the CRC-32 of some content")
	case r.size != r.compressed:
		return refuse(ruleStored, MalformedContainer, r.name, off, "a stored entry with two sizes, %d and %d", r.compressed, r.size)
	}
	return nil
}

// checkExtra looks for the one extra field that can give an entry another name.
// All others are ignored, and so is what does not parse as fields.
func checkExtra(b []byte, name string, off int64) error {
	const (
		unicodePath = 0x7075
		fieldLen    = 4     // id and size
		prefixLen   = 1 + 4 // version and CRC-32 of the header's name
	)
	for len(b) >= fieldLen {
		id, n := le16(b), int(le16(b[2:]))
		b = b[fieldLen:]
		body := b[:min(n, len(b))]
		if id == unicodePath && (len(body) < max(n, prefixLen) || body[0] != 1 || string(body[prefixLen:]) != name) {
			return refuse(ruleEncoding, AmbiguousNameEncoding, name, off, "a Unicode path field gives the entry another name")
		}
		b = b[len(body):]
	}
	return nil
}
