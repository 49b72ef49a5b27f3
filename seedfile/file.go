package seedfile

import (
	"io"
	"slices"

	"seed/seedfile/transport"
)

// File is a seed that was read and conforms. It reads from the [io.ReaderAt] it
// was opened on, which must stay valid and unchanged.
type File struct {
	URL       string // of the usage comment
	Filename  string // that the here-document writes
	Sentinel  string
	Meta      *Metadata
	Archive   *Archive // nil unless type: archive
	Transport transport.Class
	Sum       string // cksum of the document, when the transport is canonical
	Size      int64
	Digest    [32]byte // SHA-256 of the whole seed, with [Options.Digest]

	r            io.ReaderAt
	name         string // in findings
	metaLine     int    // line of the metadata's first line after the ---
	doc, payload span
}

type span struct{ off, n int64 }

func (s span) end() int64 { return s.off + s.n }

// Document returns metadata and payload: what a shell writes to disk.
func (f *File) Document() *io.SectionReader { return io.NewSectionReader(f.r, f.doc.off, f.doc.n) }

// Payload returns what follows the metadata: what show and exec use.
func (f *File) Payload() *io.SectionReader {
	return io.NewSectionReader(f.r, f.payload.off, f.payload.n)
}

// Transport layers as they stand in the file, for a reader who wants to see
// what a shell would run.
func (f *File) TransportParts() (head, tail *io.SectionReader) {
	return io.NewSectionReader(f.r, 0, f.doc.off), io.NewSectionReader(f.r, f.doc.end(), f.Size-f.doc.end())
}

// carried reports whether the seed's canonical transport can grow it. A shell
// refuses what its profile does not carry (SP-TPL-08).
func (f *File) carried() bool {
	p := f.Transport.Profile
	for _, d := range f.Meta.Grow {
		switch d {
		case "show":
		case "unfold", "copy":
			if p == transport.Doc {
				return false
			}
		default:
			if p == transport.Doc || p == transport.Tree {
				return false
			}
		}
	}
	// T1-doc never looks into the payload.
	return p == transport.Doc || p == transport.Bin || f.Archive == nil ||
		!slices.ContainsFunc(f.Archive.Files, func(e Entry) bool { return e.Encoded })
}
