package secrets_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"seed/internal/secrets"
)

var sameRule = cmpopts.EquateComparable(&secrets.Rule{})

func githubKey() string { return plain("gh¦p_R4nd0mT3xtOf36Lett3rsAndDigits9Qz7Kw") }

// inChunks writes data in chunks whose sizes next chooses.
func inChunks(path string, data []byte, next func(left int) int) secrets.Result {
	f := secrets.NewFile(path)
	for len(data) > 0 {
		n := next(len(data))
		chunk := bytes.Clone(data[:n])
		f.Write(chunk)
		clear(chunk) // the File must not keep what it was lent
		data = data[n:]
	}
	return f.Close()
}

func TestChunksDoNotMatter(t *testing.T) {
	t.Parallel()
	var all []string
	for _, e := range examples() {
		for _, s := range e.match {
			all = append(all, plain(s))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		var data []byte
		for range rapid.IntRange(0, 12).Draw(t, "pieces") {
			data = append(data, rapid.SampledFrom(all).Draw(t, "secret")...)
			filler := rapid.SampledFrom([]string{"\n", "some words of prose\n", "x", "-----", " = "}).Draw(t, "filler")
			data = append(data, strings.Repeat(filler, rapid.IntRange(1, 700).Draw(t, "times"))...)
		}
		path := rapid.SampledFrom([]string{"a.go", "a.yaml", ".env", ".netrc", ".npmrc"}).Draw(t, "path")
		want := secrets.ScanBytes(path, data)
		most := rapid.SampledFrom([]int{1, 7, 100, 4096, 5000, 70000}).Draw(t, "chunk")
		got := inChunks(path, data, func(left int) int {
			return rapid.IntRange(1, min(most, left)).Draw(t, "n")
		})
		if diff := cmp.Diff(want, got, sameRule); diff != "" {
			t.Fatalf("chunks of at most %d bytes (-whole +chunks):\n%s", most, diff)
		}
	})
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	key := githubKey()
	for _, lines := range []int{0, 1, 3, 5000} {
		text := strings.Repeat("a line\n", lines) + "ab " + key + "\n"
		for _, size := range []int{1, 1000, 5000, 1 << 20} {
			res := inChunks("a.txt", []byte(text), func(left int) int { return min(size, left) })
			if len(res.Matches) != 1 || res.Matches[0].Line != lines+1 || res.Matches[0].Col != 4 {
				t.Errorf("%d lines in chunks of %d: got %v, want line %d, column 4", lines, size, res.Matches, lines+1)
			}
		}
	}
}

func TestRedactedTellsNothing(t *testing.T) {
	t.Parallel()
	for _, e := range examples() {
		for _, text := range e.match {
			text = plain(text)
			for _, m := range secrets.ScanBytes(e.path, []byte(text)).Matches {
				said := fmt.Sprint(m.Redacted, m.Finding(e.path))
				for i := 0; i+5 <= len(text); i++ {
					part := text[i : i+5]
					if strings.Contains(m.Redacted, part) {
						t.Errorf("%s: got %q, which shows %q", e.rule, said, part)
					}
				}
			}
		}
	}
}

func TestFinding(t *testing.T) {
	t.Parallel()
	text := "\nkey " + githubKey()
	got := secrets.ScanBytes("a.txt", []byte(text)).Matches[0].Finding("a.txt").String()
	want := "a.txt:2:5: looks like a GitHub token: ghp_**** (40 bytes) (SEC-GITHUB-TOKEN)"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestManyMatchesAreCut(t *testing.T) {
	t.Parallel()
	key := githubKey() + "\n"
	for n, more := range map[int]bool{99: false, 100: false, 101: true, 10000: true} {
		res := secrets.ScanBytes("a.txt", []byte(strings.Repeat(key, n)))
		if want := min(n, secrets.MaxMatches); len(res.Matches) != want || res.More != more {
			t.Errorf("%d secrets: got %d and more=%t, want %d and more=%t", n, len(res.Matches), res.More, want, more)
		}
	}
}

// A line of any length is read in the memory of a few chunks. Not parallel:
// what is counted is the memory of the whole process.
func TestOneLongLine(t *testing.T) {
	const size = 256 << 20
	key := githubKey()
	endless := &filler{left: size}
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	res, err := secrets.Scan("a.txt", io.MultiReader(endless, strings.NewReader(" "+key)))
	runtime.ReadMemStats(&end)
	if err != nil || len(res.Matches) != 1 || res.Matches[0].Line != 1 || res.Matches[0].Col != size+2 {
		t.Errorf("got %v, %v, want one match in line 1, column %d", res.Matches, err, size+2)
	}
	if used := end.TotalAlloc - start.TotalAlloc; used > 4<<20 {
		t.Errorf("got %d bytes allocated, want at most 4 MiB", used)
	}
}

// filler is a long run of one letter.
type filler struct{ left int }

func (f *filler) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), f.left)
	for i := range p[:n] {
		p[i] = 'a'
	}
	f.left -= n
	return n, nil
}

func TestReadErrorIsReturned(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	if _, err := secrets.Scan("a", iotest.ErrReader(boom)); !errors.Is(err, boom) {
		t.Errorf("got %v, want %v", err, boom)
	}
}

func TestUTF16(t *testing.T) {
	t.Parallel()
	key := githubKey()
	for _, wide := range []string{"\xff\xfe", "\xfe\xff"} {
		for _, c := range "first line\r\nkey " + key + "\r\n" {
			if wide[0] == 0xff {
				wide += string([]byte{byte(c), 0})
			} else {
				wide += string([]byte{0, byte(c)})
			}
		}
		for _, size := range []int{1, 2, 3, 1 << 20} {
			res := inChunks("a.txt", []byte(wide), func(left int) int { return min(size, left) })
			if len(res.Matches) != 1 || res.Matches[0].Line != 2 {
				t.Errorf("chunks of %d: got %v, want one match in line 2", size, res.Matches)
			}
		}
		if res := secrets.ScanBytes("a.txt", []byte(wide)); len(res.Matches) != 1 {
			t.Errorf("whole: got %v, want one match", res.Matches)
		}
	}
}

func TestFilesAreIndependent(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for _, e := range examples() {
		wg.Go(func() {
			f := secrets.NewFile("other.txt")
			f.Write([]byte("something else"))
			f.Reset(e.path) // of a file that was given up
			f.Write([]byte(plain(e.match[0])))
			if res := f.Close(); !has(res, e.rule) {
				t.Errorf("got %v, want %s", res.Matches, e.rule)
			}
		})
	}
	wg.Wait()
}
