package zipstore

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"seed/finding"
)

const (
	versionNeeded = 10
	madeBy        = 0x031e // Unix, 3.0
	firstDay      = 0x0021 // 1980-01-01
	regular0664   = (typeRegular | 0o664) << 16
)

// File is one file to write. Size and CRC32 are those of the content that Open
// gives: they stand before it in the archive.
type File struct {
	Name  string
	Size  int64
	CRC32 uint32
	Open  func() (io.ReadCloser, error)
	Data  []byte // the content itself, when Open is nil
}

// Size returns the length of the archive that Write makes of files.
func Size(files []File) int64 {
	n := int64(endLen)
	for i := range files {
		n += files[i].span() + centralLen + int64(len(files[i].Name))
	}
	return n
}

// Write writes an archive of files, ordered by the UTF-16 code units of their
// names, and returns how many bytes it wrote. What [Open] with the same options
// would refuse is refused here, as an [*Error]: all of it before the first byte,
// but for content that is not as declared or that looks like the end of an
// archive. After an error the bytes written are no archive.
func Write(w io.Writer, files []File, o Options) (int64, error) {
	files, err := ordered(files, o)
	if err != nil {
		return 0, err
	}
	total := Size(files)
	out := newSink(w, total)
	if err := out.archive(files, total); err != nil {
		return out.count.n, err
	}
	err = out.w.Flush()
	return out.count.n, err
}

func checkFiles(files []File, o Options) error {
	switch n := len(files); {
	case n > o.MaxEntries:
		return refuse(ruleWritable, EntryCountLimit, "", 0, "%d entries, the limit is %d", n, o.MaxEntries)
	case n >= none16:
		return refuse(ruleNoZIP64, ZIP64, "", 0, "%d entries need ZIP64", n)
	}
	var total, names, dirOffset int64
	for i := range files {
		f := &files[i]
		why := checkName(f.Name)
		if why == "" && isDir(f.Name) {
			why = "the name is that of a directory"
		}
		total += f.Size // cannot overflow: both are below the limit of 32 bits
		names += int64(len(f.Name))
		dirOffset += f.span()
		switch {
		case why != "":
			return refuse(ruleWritable, UnsafePath, f.Name, 0, "%s", why)
		case f.Size < 0:
			return fmt.Errorf("write %s: size %d is negative", finding.Quote(f.Name), f.Size)
		case f.Size >= none32, dirOffset >= none32:
			return refuse(ruleNoZIP64, ZIP64, f.Name, 0, "the archive would need ZIP64")
		case total > o.MaxTotal:
			return refuse(ruleLimits, TotalSizeLimit, f.Name, 0, "the files have more than %d bytes together", o.MaxTotal)
		case names > MaxNames:
			return refuse(ruleLimits, TotalSizeLimit, "", 0, "the names have more than %d bytes together", int64(MaxNames))
		}
	}
	return nil
}

// span is how much of the archive the local entry takes.
func (f *File) span() int64 { return localLen + int64(len(f.Name)) + f.Size }

// direct is from where on a call of the writer costs less than a copy to save it.
const direct = 16 << 10

// sink passes bytes on, counts them and keeps the last ones.
type sink struct {
	w     *bufio.Writer
	count counter
	off   int64
	base  int64 // where the tail begins
	tail  []byte
	crc   uint32 // of the content being written
}

// counter knows what reached the writer, whatever is left in a buffer.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

func newSink(w io.Writer, total int64) *sink {
	s := &sink{count: counter{w: w}, base: max(total-maxEnd, 0)}
	s.tail = make([]byte, 0, total-s.base)
	s.w = bufio.NewWriterSize(&s.count, 64<<10)
	return s
}

func (s *sink) Write(p []byte) (int, error) {
	if past := s.off + int64(len(p)) - s.base; past > 0 {
		s.tail = append(s.tail, p[max(int64(len(p))-past, 0):]...)
	}
	s.off += int64(len(p))
	s.crc = crc32.Update(s.crc, crc32.IEEETable, p)
	if len(p) < direct {
		return s.w.Write(p)
	}
	if err := s.w.Flush(); err != nil {
		return 0, err
	}
	n, err := s.count.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}

// archive writes everything. The end record comes last and only if a reader will
// find no other: content may hold one, and its place decides whether it counts.
func (s *sink) archive(files []File, total int64) error {
	buf := make([]byte, 256<<10)
	for i := range files {
		if _, err := s.Write(files[i].local(buf[:0])); err != nil {
			return err
		}
		if err := s.content(&files[i], buf); err != nil {
			return err
		}
	}
	dirOffset, header := s.off, int64(0)
	for i := range files {
		if _, err := s.Write(files[i].central(buf[:0], header)); err != nil {
			return err
		}
		header += files[i].span()
	}
	b := appendEnd(buf[:0], len(files), int(total-endLen-dirOffset), dirOffset)
	if len(s.tail) >= locatorLen && isLocator(s.tail[len(s.tail)-locatorLen:]) {
		return refuse(ruleNoZIP64, ZIP64, "", s.off-locatorLen, "the last record looks like a ZIP64 locator")
	}
	if _, err := findEnd(append(s.tail, b...), s.base); err != nil {
		return err
	}
	_, err := s.Write(b)
	return err
}

// appendEnd appends the end record of a directory.
func appendEnd(b []byte, files, dirSize int, dirOffset int64) []byte {
	b = append(b, sigEnd...)
	b = append16(b, 0, 0, uint16(files), uint16(files))
	b = append32(b, uint32(dirSize), uint32(dirOffset))
	return append16(b, 0)
}

// content copies the content of f and holds it to what f declares.
func (s *sink) content(f *File, buf []byte) (err error) {
	if f.Open == nil {
		return s.memory(f, len(buf))
	}
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("open %s: %w", finding.Quote(f.Name), err)
	}
	defer func() {
		if bad := r.Close(); err == nil && bad != nil {
			err = fmt.Errorf("close %s: %w", finding.Quote(f.Name), bad)
		}
	}()
	off := s.off
	s.crc = 0
	n, err := io.CopyBuffer(s, io.LimitReader(r, f.Size), buf)
	if err != nil {
		return fmt.Errorf("write %s: %w", finding.Quote(f.Name), err)
	}
	more, err := io.CopyN(io.Discard, r, 1)
	if err != nil && err != io.EOF {
		return fmt.Errorf("read %s: %w", finding.Quote(f.Name), err)
	}
	return s.verify(f, off, n, more)
}

// memory writes content that need not be read, a piece at a time.
func (s *sink) memory(f *File, piece int) error {
	off := s.off
	s.crc = 0
	fits := min(f.Size, int64(len(f.Data)))
	for rest := f.Data[:fits]; len(rest) > 0; {
		n, err := s.Write(rest[:min(len(rest), piece)])
		if err != nil {
			return fmt.Errorf("write %s: %w", finding.Quote(f.Name), err)
		}
		rest = rest[n:]
	}
	return s.verify(f, off, fits, int64(len(f.Data))-fits)
}

// verify compares n bytes that were written from off on, and what was left over,
// with what f declares.
func (s *sink) verify(f *File, off, n, more int64) error {
	switch {
	case n < f.Size:
		return refuse(ruleFields, CRCMismatch, f.Name, off, "the content has %d bytes, %d were declared", n, f.Size)
	case more > 0:
		return refuse(ruleFields, CRCMismatch, f.Name, off, "the content has more than the declared %d bytes", f.Size)
	case s.crc != f.CRC32:
		return refuse(ruleFields, CRCMismatch, f.Name, off, "CRC-32 of the content is %08x, %08x was declared", s.crc, f.CRC32)
	}
	return nil
}

func (f *File) local(b []byte) []byte {
	b = append(b, sigLocal...)
	b = f.common(b)
	b = append16(b, 0) // no extra
	return append(b, f.Name...)
}

func (f *File) central(b []byte, header int64) []byte {
	b = append(b, sigCentral...)
	b = append16(b, madeBy)
	b = f.common(b)
	b = append16(b, 0, 0, 0, 0) // no extra, no comment, disk 0, no internal attributes
	b = append32(b, regular0664, uint32(header))
	return append(b, f.Name...)
}

// common is what local header and record share, from the version needed to the
// length of the name.
func (f *File) common(b []byte) []byte {
	flags := uint16(0)
	if !isASCII(f.Name) {
		flags = flagUTF8
	}
	b = append16(b, versionNeeded, flags, 0, 0, firstDay)
	b = append32(b, f.CRC32, uint32(f.Size), uint32(f.Size))
	return append16(b, uint16(len(f.Name)))
}

func append16(b []byte, values ...uint16) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}

func append32(b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}
