package zipstore

import (
	"cmp"
	"slices"
)

const (
	sigLocal      = "PK\x03\x04"
	sigDescriptor = "PK\x07\x08"

	localLen = 30

	plainDescriptor  = 12
	signedDescriptor = 16
)

// readLocal holds the local headers against the records, in the order in which
// they lie in the file, and gives every byte before the central directory to one
// entry. Records themselves may be in any order.
func (a *Archive) readLocal(s *source, records []record, e *end, o Options) error {
	slices.SortFunc(records, func(x, y record) int { return cmp.Compare(x.header, y.header) })
	pos := int64(0) // end of what is accounted for
	for i := range records {
		rec := &records[i]
		next := e.dirOffset
		if i+1 < len(records) {
			next = records[i+1].header
		}
		data, err := rec.readHeader(s, pos, e.dirOffset)
		if err != nil {
			return err
		}
		if e.dirOffset-data < rec.compressed {
			return refuse(ruleCoverage, MalformedContainer, rec.name, data, "the content reaches into the central directory")
		}
		pos = data + rec.compressed
		if rec.flags&flagDescriptor != 0 {
			if o.Strict {
				return refuse(ruleDescriptor, NotStrict, rec.name, pos, "the entry has a data descriptor")
			}
			if err := rec.checkDescriptor(s, pos, next, e.dirOffset); err != nil {
				return err
			}
			pos = next
		}
		if rec.entry >= 0 {
			a.Entries[rec.entry].Offset = data
		}
	}
	switch {
	case pos == e.dirOffset:
		return nil
	case pos == 0:
		return refuse(ruleCoverage, LeadingBytes, "", 0, "%d bytes precede the archive", e.dirOffset)
	}
	return refuse(ruleCoverage, MalformedContainer, "", pos, "%d bytes before the central directory belong to no entry", e.dirOffset-pos)
}

// readHeader checks the local header of r, which must begin at pos and end
// before stop, and returns where the data begins.
func (r *record) readHeader(s *source, pos, stop int64) (int64, error) {
	off := r.header
	if stop-off < localLen {
		return 0, refuse(ruleCoverage, MalformedContainer, r.name, off, "no room for a local header before the central directory")
	}
	b, err := s.at(off, localLen)
	if err != nil {
		return 0, err
	}
	if string(b[:4]) != sigLocal {
		return 0, refuse(ruleLocal, LocalCentralNameMismatch, r.name, off, "no local header at the offset of the record")
	}
	local := record{
		flags:      le16(b[6:]),
		method:     le16(b[8:]),
		crc:        le32(b[14:]),
		compressed: int64(le32(b[18:])),
		size:       int64(le32(b[22:])),
	}
	nameLen, extraLen := int(le16(b[26:])), int(le16(b[28:]))
	data := off + localLen + int64(nameLen) + int64(extraLen)
	if data > stop {
		return 0, refuse(ruleCoverage, MalformedContainer, r.name, off, "the local header reaches into the central directory")
	}
	if b, err = s.at(off+localLen, nameLen); err != nil {
		return 0, err
	}
	if string(b) != r.name {
		return 0, refuse(ruleLocal, LocalCentralNameMismatch, r.name, off, "the local header has another name")
	}
	switch {
	case off > pos && pos == 0:
		return 0, refuse(ruleCoverage, LeadingBytes, "", 0, "%d bytes precede the first entry", off)
	case off > pos:
		return 0, refuse(ruleCoverage, MalformedContainer, r.name, pos, "%d bytes before the entry belong to no entry", off-pos)
	case off < pos:
		return 0, refuse(ruleCoverage, MalformedContainer, r.name, off, "the entry overlaps another")
	}
	if b, err = s.at(data-int64(extraLen), extraLen); err != nil {
		return 0, err
	}
	if err := checkExtra(b, r.name, off); err != nil {
		return 0, err
	}
	return data, r.checkFields(&local)
}

// checkFields compares the rest of the local header. A writer that streams does
// not know CRC and sizes yet and may leave zeros, or what it knows.
func (r *record) checkFields(local *record) error {
	streamed := r.flags&flagDescriptor != 0
	agree := func(l, c int64) bool { return l == c || streamed && l == 0 }
	what := ""
	switch {
	case local.compressed == none32, local.size == none32:
		return refuse(ruleNoZIP64, ZIP64, r.name, r.header, "the local header points to ZIP64 fields")
	case local.flags != r.flags:
		what = "flags"
	case local.method != r.method:
		what = "compression method"
	case !agree(int64(local.crc), int64(r.crc)):
		what = "CRC-32"
	case !agree(local.compressed, r.compressed), !agree(local.size, r.size):
		what = "size"
	default:
		return nil
	}
	return refuse(ruleLocal, LocalCentralMismatch, r.name, r.header, "the local header has another %s", what)
}

// checkDescriptor checks the data descriptor that fills the file from pos to the
// next entry. Where that is tells whether it has a signature.
func (r *record) checkDescriptor(s *source, pos, next, stop int64) error {
	n := next - pos
	if next > stop || n != plainDescriptor && n != signedDescriptor {
		return refuse(ruleDescriptor, MalformedContainer, r.name, pos, "no data descriptor between the content and what follows")
	}
	b, err := s.at(pos, int(n))
	if err != nil {
		return err
	}
	signed := n == plainDescriptor
	if n == signedDescriptor {
		signed = string(b[:4]) == sigDescriptor
		b = b[4:]
	}
	if !signed || le32(b) != r.crc || int64(le32(b[4:])) != r.compressed || int64(le32(b[8:])) != r.size {
		return refuse(ruleLocal, LocalCentralMismatch, r.name, pos, "the data descriptor disagrees with the central directory")
	}
	return nil
}
