package zipstore

import (
	"bytes"
	"encoding/binary"
)

const (
	sigEnd     = "PK\x05\x06"
	sigLocator = "PK\x06\x07"

	endLen     = 22
	locatorLen = 20
	maxEnd     = endLen + 1<<16 - 1 // with the longest comment

	none16 = 1<<16 - 1 // "see the ZIP64 record"
	none32 = 1<<32 - 1
)

// end is the end-of-central-directory record.
type end struct {
	off       int64 // where it lies
	count     int
	dirOffset int64
	dirSize   int64
	comment   []byte
}

// findEnd returns where in tail, the last bytes of a file from offset base on, the
// one end record lies. A program that searches backwards takes the first signature it meets, one
// that searches forwards another: a file in which they could differ is refused.
func findEnd(tail []byte, base int64) (int, error) {
	found, trailing := -1, int64(0)
	for i := 0; ; i++ {
		next := bytes.Index(tail[i:], []byte(sigEnd))
		if next < 0 {
			break
		}
		i += next
		if found >= 0 && len(tail) > found+endLen {
			return 0, refuse(ruleOneEnd, AmbiguousEOCD, "", base+int64(i), "a second end record could be meant")
		}
		if i+endLen > len(tail) {
			break
		}
		rec := tail[i : i+endLen]
		switch stop := i + endLen + int(le16(rec[20:])); {
		case stop == len(tail):
			found = i
		case stop < len(tail) && int64(le32(rec[12:]))+int64(le32(rec[16:])) == base+int64(i):
			trailing = base + int64(stop)
		}
	}
	switch {
	case found >= 0:
		return found, nil
	case trailing > 0:
		return 0, refuse(ruleEnd, TrailingBytes, "", trailing, "bytes follow the end record")
	}
	return 0, refuse(ruleEnd, MalformedContainer, "", 0, "no end record: not a ZIP file, or cut short")
}

// readEnd finds the end record and checks what it says against the file and the
// limits, before anything is read or reserved on its word.
func readEnd(s *source, o Options) (*end, error) {
	if s.size < endLen {
		return nil, refuse(ruleEnd, MalformedContainer, "", 0, "%d bytes are too few for a ZIP file", s.size)
	}
	at, err := findEnd(s.tail, s.tailOff)
	if err != nil {
		return nil, err
	}
	off := s.tailOff + int64(at)
	if off >= locatorLen {
		b, err := s.at(off-locatorLen, locatorLen)
		if err != nil {
			return nil, err
		}
		if isLocator(b) {
			return nil, refuse(ruleNoZIP64, ZIP64, "", off-locatorLen, "a ZIP64 locator precedes the end record")
		}
	}
	rec := s.tail[at:]
	disk, dirDisk, onDisk, count := le16(rec[4:]), le16(rec[6:]), le16(rec[8:]), le16(rec[10:])
	e := &end{
		off:       off,
		count:     int(count),
		dirSize:   int64(le32(rec[12:])),
		dirOffset: int64(le32(rec[16:])),
		comment:   bytes.Clone(rec[endLen:]),
	}
	switch {
	case onDisk == none16, count == none16, e.dirSize == none32, e.dirOffset == none32:
		return nil, refuse(ruleNoZIP64, ZIP64, "", off, "the end record points to ZIP64 fields")
	case disk != 0, dirDisk != 0:
		return nil, refuse(ruleNoZIP64, MalformedContainer, "", off, "the archive spans several disks")
	case onDisk != count:
		return nil, refuse(ruleDirectory, EntryCountMismatch, "", off, "the end record counts %d entries and %d on this disk", count, onDisk)
	case e.count > o.MaxEntries:
		return nil, refuse(ruleLimits, EntryCountLimit, "", off, "%d entries, the limit is %d", e.count, o.MaxEntries)
	case o.Strict && len(e.comment) > 0:
		return nil, refuse(ruleDescriptor, NotStrict, "", off, "the archive has a comment of %d bytes", len(e.comment))
	}
	return e, e.checkDirectory(s)
}

// checkDirectory holds the place and size of the central directory to the end
// record's own place.
func (e *end) checkDirectory(s *source) error {
	if e.dirOffset+e.dirSize != e.off {
		shifted, err := e.shifted(s)
		switch {
		case err != nil:
			return err
		case shifted > 0:
			return refuse(ruleCoverage, LeadingBytes, "", 0, "%d bytes precede the archive", shifted)
		}
		return refuse(ruleDirectory, MalformedContainer, "", e.off, "the central directory does not end at the end record")
	}
	switch n := int64(e.count); {
	case e.dirSize < n*centralLen:
		return refuse(ruleDirectory, EntryCountMismatch, "", e.off, "a central directory of %d bytes cannot hold %d entries", e.dirSize, n)
	case e.dirSize > n*(centralLen+3*maxName):
		return refuse(ruleDirectory, EntryCountMismatch, "", e.off, "a central directory of %d bytes is too large for %d entries", e.dirSize, n)
	}
	return nil
}

// shifted tells how many bytes were put before an archive, which shifts everything
// but the offsets in it, or 0 when that is not what is wrong with it.
func (e *end) shifted(s *source) (int64, error) {
	start := e.off - e.dirSize
	by := start - e.dirOffset
	if by <= 0 || e.dirSize == 0 {
		return by, nil
	}
	first, err := s.at(by, len(sigLocal))
	if err != nil || string(first) != sigLocal {
		return 0, err
	}
	record, err := s.at(start, len(sigCentral))
	if err != nil || string(record) != sigCentral {
		return 0, err
	}
	return by, nil
}

func isLocator(b []byte) bool { return string(b[:len(sigLocator)]) == sigLocator }

func le16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
