package secrets

import "bytes"

// What a rule may see around its keyword. Chunks are joined so that every
// keyword is judged with exactly this much context, or to the ends of the file.
const (
	before = 512
	after  = 1024

	// small is the size below which chunks are gathered before they are judged.
	small = 4 << 10
)

// File judges one file whose bytes arrive in chunks of any size. It keeps a
// few kilobytes of them. A File is for one goroutine; any number of Files may
// be in use at once. The zero value is not ready: call Reset.
type File struct {
	path string // lower case
	bare bool   // values without quotes count: not a programming language
	late *Rule  // path rule that waits for content
	env  holderState

	head [2]byte // the first bytes, to know UTF-16
	wide bool

	carry []byte
	base  int64 // offset in the file of the bytes being judged
	done  int   // keywords that begin before carry[done] were judged
	n     int64 // bytes taken, after UTF-16 was made narrow

	line      int // newlines before the offset counted
	lineStart int64
	counted   int64

	hits []hit
	full bool
}

// NewFile returns a File for the file called path, which is relative and has
// slashes.
func NewFile(path string) *File {
	f := new(File)
	f.Reset(path)
	return f
}

// Reset makes f ready for another file, keeping its memory.
func (f *File) Reset(path string) {
	carry, hits := f.carry[:0], f.hits[:0]
	*f = File{carry: carry, hits: hits}
	f.path = lower(path)
	f.bare = readsBare(f.path)
	f.late = pathRule(f.path)
}

// Write takes the next bytes of the file. It does not keep chunk.
func (f *File) Write(chunk []byte) {
	if chunk = f.narrow(chunk); len(chunk) == 0 {
		return
	}
	if f.late != nil && f.late.kind == holder {
		f.env.feed(chunk)
	}
	start := f.n
	f.n += int64(len(chunk))
	if f.full {
		return
	}
	if len(chunk) <= small {
		f.carry = append(f.carry, chunk...)
		if len(f.carry) > 2*small {
			f.scan(f.carry, f.done, len(f.carry)-after)
			f.keep(f.carry)
		}
		return
	}
	from := 0
	if old := len(f.carry); old > 0 {
		f.carry = append(f.carry, chunk[:before+after]...)
		f.scan(f.carry, f.done, old+before)
		f.advance(f.carry, start) // nothing before the chunk is asked for again
		from = before
	}
	f.base = start
	f.scan(chunk, from, len(chunk)-after)
	f.keep(chunk)
}

// keep carries over what the keywords that are still to be judged need: those
// in the last bytes of buf.
func (f *File) keep(buf []byte) {
	cut := len(buf) - after - before
	f.advance(buf, f.base+int64(cut))
	f.carry = append(f.carry[:0], buf[cut:]...)
	f.base += int64(cut)
	f.done = before
}

// Close judges the rest and returns what was found. After Close only Reset may
// be called.
func (f *File) Close() Result {
	f.scan(f.carry, f.done, len(f.carry))
	return f.result()
}

// scan judges the keywords that begin in buf[from:to]; buf begins at f.base.
func (f *File) scan(buf []byte, from, to int) {
	if f.full {
		return
	}
	theFilter().find(buf, from, to, func(w *word, at int) bool {
		lo, hi := max(0, at-before), min(len(buf), at+after)
		v := &view{b: buf[lo:hi], at: at - lo, end: at - lo + len(w.text)}
		for _, r := range w.rules {
			if s, ok := f.judge(r, v); ok {
				f.add(r, buf, lo, s)
			}
		}
		return !f.full
	})
}

// advance moves the line counter to the offset upto. Offsets before it are no
// longer asked for.
func (f *File) advance(buf []byte, upto int64) {
	if upto <= f.counted {
		return
	}
	part := buf[f.counted-f.base : upto-f.base]
	f.line += bytes.Count(part, newline)
	if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
		f.lineStart = f.counted + int64(i) + 1
	}
	f.counted = upto
}

var newline = []byte{'\n'}

// narrow makes UTF-16 with a byte order mark readable for rules that know
// bytes only: some shells write it whenever output goes to a file.
func (f *File) narrow(chunk []byte) []byte {
	for i := f.n; i < 2 && int(i-f.n) < len(chunk); i++ {
		f.head[i] = chunk[i-f.n]
	}
	if !f.wide {
		f.wide = f.n < 2 && f.n+int64(len(chunk)) >= 2 && isUTF16(f.head[:])
	}
	if !f.wide {
		return chunk
	}
	thin := make([]byte, 0, len(chunk)/2+1)
	for _, c := range chunk {
		if c != 0 {
			thin = append(thin, c)
		}
	}
	return thin
}

func isUTF16(b []byte) bool {
	return len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff)
}
