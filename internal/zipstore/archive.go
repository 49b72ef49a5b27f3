package zipstore

import (
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"seed/finding"
)

// Entry is one file of an archive.
type Entry struct {
	Name       string
	Size       int64
	CRC32      uint32
	Offset     int64  // of the data
	Descriptor bool   // a data descriptor follows the data
	Mode       uint32 // the Unix mode, 0 when there is none
}

// Archive is the directory of an archive that was found in order. Its methods may
// be called from several goroutines at once.
type Archive struct {
	Entries []Entry  // files only, in the order of the central directory
	Dirs    []string // directory markers, with their slash
	Comment []byte   // of the whole archive, sealed by nothing
	// EntryComments counts the bytes of comments of single entries; like
	// Comment, they belong to no content.
	EntryComments int64

	r     io.ReaderAt
	index map[string]int32 // into Entries, -1 for a directory
}

// Open reads the directory and the local headers of the archive that is the
// first size bytes of r. What breaks a rule is an [*Error]; other errors come
// from r or from limits in o that are negative. The content is not read.
func Open(r io.ReaderAt, size int64, o Options) (*Archive, error) {
	o, err := o.limits()
	if err != nil {
		return nil, err
	}
	s, err := newSource(r, max(size, 0))
	if err != nil {
		return nil, err
	}
	e, err := readEnd(s, o)
	if err != nil {
		return nil, err
	}
	a := &Archive{r: r, Comment: e.comment}
	records, err := a.readCentral(s, e, o)
	if err != nil {
		return nil, err
	}
	if err := a.readLocal(s, records, e, o); err != nil {
		return nil, err
	}
	return a, nil
}

// Find returns the file of that name, or nil.
func (a *Archive) Find(name string) *Entry {
	i, ok := a.index[name]
	if !ok || i < 0 {
		return nil
	}
	return &a.Entries[i]
}

// Section returns the stored bytes of e. Nobody checks their CRC-32.
func (a *Archive) Section(e *Entry) *io.SectionReader {
	return io.NewSectionReader(a.r, e.Offset, e.Size)
}

// Open returns the content of e. Where the end would be it gives an [*Error]
// instead of io.EOF if length or CRC-32 are not those of the directory.
func (a *Archive) Open(e *Entry) io.Reader {
	return &checkedReader{src: a.Section(e), entry: e}
}

// ReadFile returns the whole checked content of e. A file of more than max bytes
// is refused before memory is reserved for it.
func (a *Archive) ReadFile(e *Entry, max int64) ([]byte, error) {
	if e.Size > min(max, math.MaxInt) {
		return nil, refuse(ruleLimits, TotalSizeLimit, e.Name, e.Offset, "the file has %d bytes, the limit is %d", e.Size, max)
	}
	content := make([]byte, e.Size)
	n, err := a.r.ReadAt(content, e.Offset)
	if n < len(content) && err != io.EOF {
		return nil, fmt.Errorf("read %s: %w", finding.Quote(e.Name), err)
	}
	if err := e.verify(int64(n), crc32.ChecksumIEEE(content[:n])); err != nil {
		return nil, err
	}
	return content, nil
}

// verify compares what was read with what the directory says.
func (e *Entry) verify(n int64, crc uint32) error {
	switch {
	case n != e.Size:
		return refuse(ruleCRC, CRCMismatch, e.Name, e.Offset, "%d bytes of %d are there", n, e.Size)
	case crc != e.CRC32:
		return refuse(ruleCRC, CRCMismatch, e.Name, e.Offset, "CRC-32 of the content is %08x, the directory says %08x", crc, e.CRC32)
	}
	return nil
}

type checkedReader struct {
	src   io.Reader
	entry *Entry
	n     int64
	crc   uint32
	err   error
}

func (c *checkedReader) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.src.Read(p)
	c.crc = crc32.Update(c.crc, crc32.IEEETable, p[:n])
	c.n += int64(n)
	if err == io.EOF {
		if bad := c.entry.verify(c.n, c.crc); bad != nil {
			err = bad
		}
	}
	c.err = err
	return n, err
}
