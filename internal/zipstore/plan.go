package zipstore

import (
	"io"
	"slices"

	"seed/jcs"
)

// Plan is the layout of an archive whose content is not known yet. Names and
// sizes fix where everything goes, so content can be put in its place while it is
// summed, in any order and from several goroutines. It is for whoever reads the
// archive back with [Open]: what makes one ambiguous is not looked for here.
type Plan struct {
	files   []File
	headers []int64 // offset of each local header
	index   map[string]int
	size    int64
}

// NewPlan lays files out in the order that [Write] gives them and refuses what
// Write refuses before its first byte. Only names and sizes count.
func NewPlan(files []File, o Options) (*Plan, error) {
	files, err := ordered(files, o)
	if err != nil {
		return nil, err
	}
	p := &Plan{files: files, headers: make([]int64, len(files)), index: make(map[string]int, len(files)), size: Size(files)}
	off := int64(0)
	for i := range files {
		p.headers[i] = off
		p.index[files[i].Name] = i
		off += files[i].span()
	}
	return p, nil
}

// Size is the length of the archive.
func (p *Plan) Size() int64 { return p.size }

// Offset is where the local header of a file stands; its content follows.
func (p *Plan) Offset(name string) int64 { return p.headers[p.index[name]] }

// AppendHeader sums a file up: it appends the local header for content of that
// CRC-32, which the directory will then have too. Calls for different files may
// be made at once.
func (p *Plan) AppendHeader(dst []byte, name string, crc uint32) []byte {
	f := &p.files[p.index[name]]
	f.CRC32 = crc
	return f.local(dst)
}

// Finish writes the directory, once every file has its header.
func (p *Plan) Finish(w io.WriterAt) error {
	var b []byte
	for i := range p.files {
		b = p.files[i].central(b, p.headers[i])
	}
	dirOffset := p.size - endLen - int64(len(b))
	b = appendEnd(b, len(p.files), len(b), dirOffset)
	_, err := w.WriteAt(b, dirOffset)
	return err
}

// ordered checks files and returns them sorted.
func ordered(files []File, o Options) ([]File, error) {
	o, err := o.limits()
	if err != nil {
		return nil, err
	}
	if err := checkFiles(files, o); err != nil {
		return nil, err
	}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return jcs.CompareUTF16(a.Name, b.Name) })
	for i := range files[:max(len(files)-1, 0)] {
		if files[i].Name == files[i+1].Name {
			return nil, refuse(ruleWritable, DuplicateEntry, files[i].Name, 0, "the name stands here twice")
		}
	}
	return files, nil
}
