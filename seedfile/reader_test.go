package seedfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"seed/seedfile"
)

var errFire = errors.New("disk on fire")

// failing reads text, but every reading that touches a byte from at on fails.
type failing struct {
	text string
	at   int64
	err  error // nil: the file ends there instead
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) <= f.at {
		return strings.NewReader(f.text).ReadAt(p, off)
	}
	n := copy(p, f.text[min(off, f.at):f.at])
	if f.err != nil {
		return n, f.err
	}
	return n, io.EOF
}

// flaky fails the n-th reading and no other.
type flaky struct {
	text string
	fail int64
	n    atomic.Int64
	seen atomic.Bool
}

func (f *flaky) ReadAt(p []byte, off int64) (int, error) {
	if f.n.Add(1) == f.fail {
		f.seen.Store(true)
		return 0, errFire
	}
	return strings.NewReader(f.text).ReadAt(p, off)
}

// A reader that fails, and a file that is shorter than it was, are errors of
// their own: no verdict about the seed, and no seed (SP-FMT-11).
func TestSP_FMT_11_ReadErrors(t *testing.T) {
	t.Parallel()
	text := wrap(archive(section("a", ` enc="base64"`, "AAAA\n") + section("b", "", strings.Repeat("é\n", 1<<20)) + arcEnd))
	size := int64(len(text))
	for _, cause := range []error{errFire, nil} {
		want := cause
		if want == nil {
			want = io.ErrUnexpectedEOF
		}
		for at := int64(0); at < size; at += size/53 + 1 {
			f, rep, err := seedfile.Check(&failing{text, at, cause}, size, seedfile.Options{Digest: true})
			if !errors.Is(err, want) || ruleOf(err) != "" || f != nil || rep != nil {
				t.Fatalf("fails at %d: got %v, want %v and nothing else", at, err, want)
			}
		}
	}
}

// Whichever reading fails, the seed is either read whole by others or not at all;
// a failure never turns into a broken rule. Line numbers are the exception: they
// are only asked for when a rule is broken already.
func TestSP_FMT_11_OneReadFails(t *testing.T) {
	t.Parallel()
	text := canonical(archive(section("a", ` enc="base64"`, "AAAA\n")+section("b", "", "x\n")+arcEnd), 3)
	for fail := int64(1); ; fail++ {
		r := &flaky{text: text, fail: fail}
		f, rep, err := seedfile.Check(r, int64(len(text)), seedfile.Options{Digest: true, Hidden: true})
		if !r.seen.Load() {
			if fail < 5 || err != nil || rep.Err() != nil {
				t.Fatalf("without failure: got %v after %d readings, want a seed", err, fail)
			}
			return
		}
		if ruleOf(err) != "" || (err == nil) != (f != nil) {
			t.Errorf("reading %d fails: got %v, file %v", fail, err, f != nil)
		}
		if err != nil && !errors.Is(err, errFire) {
			t.Errorf("reading %d fails: got %v, want %v", fail, err, errFire)
		}
		if err == nil && rep.Err() != nil {
			t.Errorf("reading %d fails: got the breach %v, want %v", fail, rep.Err(), errFire)
		}
	}
}

// pattern is a file that is made up while it is read: a beginning, then one
// text over and over, then an end.
type pattern struct {
	head, fill, tail string
	size             int64
}

func (p *pattern) ReadAt(b []byte, off int64) (int, error) {
	n := 0
	for n < len(b) && off < p.size {
		var src string
		switch tail := p.size - int64(len(p.tail)); {
		case off < int64(len(p.head)):
			src = p.head[off:]
		case off >= tail:
			src = p.tail[off-tail:]
		default:
			at := (off - int64(len(p.head))) % int64(len(p.fill))
			src = p.fill[at:]
			if room := tail - off; int64(len(src)) > room {
				src = src[:room]
			}
		}
		k := copy(b[n:], src)
		n, off = n+k, off+int64(k)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// heapOf runs f and returns by how much the heap was larger during it, at most.
func heapOf(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc // an upper bound of every peak
}

func longLine(size int64) *pattern {
	return &pattern{head: usageLine + "\n" + boot + openLine + simpleMeta, fill: strings.Repeat("x", 1<<16), tail: "\n" + sentinel + "\n", size: size}
}

// SP-PAY-04, SP-FMT-12: one line of 64 MiB, anywhere, in little memory.
func TestSP_PAY_04_HugeLine(t *testing.T) { // not parallel: it measures the heap
	const size = 64 << 20
	blob := strings.Repeat("x", 1<<16)
	for name, c := range map[string]struct {
		r    *pattern
		rule string
	}{
		"payload":           {longLine(size), ""},
		"line 1":            {&pattern{head: "# Usage: curl -sSL https://x", fill: blob, size: size}, "SP-FMT-02"},
		"bootstrap":         {&pattern{head: usageLine + "\n", fill: blob, tail: "\n" + openLine + simpleMeta + sentinel + "\n", size: size}, ""},
		"no sentinel":       {&pattern{head: usageLine + "\n" + boot + openLine + simpleMeta, fill: blob, size: size}, "SP-FMT-06"},
		"metadata":          {&pattern{head: usageLine + "\n" + boot + openLine + "---\n" + required + "x: ", fill: blob, tail: "\n---\n\n" + sentinel + "\n", size: size}, "SP-META-02"},
		"here-document":     {&pattern{head: usageLine + "\n" + boot + `cat > "$TARGET/`, fill: blob, size: size}, "SP-FMT-06"},
		"archive member":    {&pattern{head: usageLine + "\n" + boot + openLine + archive(section("a", "", "")), fill: blob, tail: arcEnd + sentinel + "\n", size: size}, ""},
		"archive path":      {&pattern{head: usageLine + "\n" + boot + openLine + archive(`<!--seed:a1b2c3@file path="`), fill: blob, tail: arcEnd + sentinel + "\n", size: size}, "SP-PATH-01"},
		"archive fields":    {&pattern{head: usageLine + "\n" + boot + openLine + archiveMeta + "---\nx: ", fill: blob, tail: "\n---\n" + sentinel + "\n", size: size}, "SP-ARC-01"},
		"base64 member":     {&pattern{head: usageLine + "\n" + boot + openLine + archive(section("a", ` enc="base64"`, "")), fill: blob, tail: arcEnd + sentinel + "\n", size: size}, "SP-ARC-09"},
		"after the payload": {&pattern{head: wrap(simpleMeta), fill: blob, size: size}, ""},
	} {
		var err error
		grown := heapOf(func() { _, err = seedfile.Open(c.r, c.r.size, seedfile.Options{Digest: true, Hidden: true}) })
		if ruleOf(err) != c.rule || (err == nil) != (c.rule == "") {
			t.Errorf("%s: got %v, want %q", name, err, c.rule)
		}
		if grown > 32<<20 {
			t.Errorf("%s: got %d MiB of heap, want under 32", name, grown>>20)
		}
	}
}

// SP-FMT-12: 2 GiB of one line. Only with SEED_TEST_FULL=1.
func TestSP_FMT_12_TwoGiBLine(t *testing.T) { // not parallel: it measures the heap
	if os.Getenv("SEED_TEST_FULL") != "1" {
		t.Skip("takes long; set SEED_TEST_FULL=1")
	}
	r := longLine(2<<30 + 5)
	var err error
	grown := heapOf(func() { _, err = seedfile.Open(r, r.size, seedfile.Options{}) })
	if err != nil || grown > 32<<20 {
		t.Errorf("got %v and %d MiB of heap, want no error under 32", err, grown>>20)
	}
	// Every byte of it was looked at: one bad byte anywhere is found.
	for _, at := range []int64{1 << 20, 1<<30 + 12345, r.size - int64(len(r.tail)) - 1} {
		_, err := seedfile.Open(&spoilt{r, at}, r.size, seedfile.Options{})
		if want := fmt.Sprintf("line %d: NUL byte at byte %d (SP-FMT-01)", docLine+7, at); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// spoilt is a file with a NUL at one place.
type spoilt struct {
	io.ReaderAt
	at int64
}

func (s *spoilt) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.ReaderAt.ReadAt(p, off)
	if s.at >= off && s.at < off+int64(n) {
		p[s.at-off] = 0
	}
	return n, err
}

// SP-ARC-10: the number of files is bounded, and what lies behind the bound is
// still looked at.
func TestSP_ARC_10_TooManyFiles(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(archiveMeta + arcFields)
	for i := range seedfile.MaxFiles + 1 {
		if i == seedfile.MaxFiles {
			f := mustOpen(t, wrap(b.String()+arcEnd))
			if len(f.Archive.Files) != seedfile.MaxFiles {
				t.Errorf("got %d files, want %d", len(f.Archive.Files), seedfile.MaxFiles)
			}
		}
		fmt.Fprintf(&b, "<!--seed:a1b2c3@file path=\"%x\"-->\n", i)
	}
	text := wrap(b.String() + arcEnd)
	refused(t, text, "SP-ARC-10", arcLine)
	refused(t, text+"\xff", "SP-FMT-01", strings.Count(text, "\n")+1)
	// The same bytes as text are no archive and have no such bound.
	mustOpen(t, strings.Replace(text, "unfold\ntype: archive", "show\ntype: context", 1))
}

// SP-FMT-12: the digest is that of the whole file, and reading leaves no
// goroutine behind.
func TestDigest(t *testing.T) {
	t.Parallel()
	text := wrap(simpleMeta + strings.Repeat("0123456789\n", 200_000))
	f, err := seedfile.Open(strings.NewReader(text), int64(len(text)), seedfile.Options{Digest: true})
	if err != nil || f.Digest != sha(text) {
		t.Errorf("got %x, %v, want %x", f.Digest, err, sha(text))
	}
	head, tail := f.TransportParts()
	all := new(bytes.Buffer)
	for _, r := range []io.Reader{head, f.Document(), tail} {
		if _, err := all.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
	}
	if all.String() != text {
		t.Error("got other bytes from head, document and tail together than the file has")
	}
}

// SP-ARC-10: delimiters beyond the limit are not remembered, so a file of
// nothing else takes no more memory than the largest archive.
func TestSP_ARC_10_DelimitersOnly(t *testing.T) { // not parallel: it measures the heap
	small := heapDelimiters(t, 17<<20) // just over the limit
	large := heapDelimiters(t, 102<<20)
	if large > 2*small {
		t.Errorf("got %d MiB of heap for six times the file of %d MiB, want at most twice as much", large>>20, small>>20)
	}
}

func heapDelimiters(t *testing.T, size int64) uint64 {
	t.Helper()
	r := &pattern{
		head: usageLine + "\n" + boot + openLine + archive(section("a", "", "")), fill: strings.Repeat("<!--seed:a1b2c3@", 1<<12), tail: "\n" + sentinel + "\n",
		size: size,
	}
	var err error
	grown := heapOf(func() { _, err = seedfile.Open(r, r.size, seedfile.Options{}) })
	if ruleOf(err) != "SP-ARC-10" {
		t.Errorf("got %v, want SP-ARC-10", err)
	}
	return grown
}
