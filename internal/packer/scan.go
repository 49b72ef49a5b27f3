package packer

import (
	"cmp"
	"io"
	"slices"
	"sync"

	"seed/internal/secrets"
)

// Secrets looks for likely secrets in the bytes that pass through its taps. The
// zero value is ready; taps may be used from several goroutines.
type Secrets struct {
	mu    sync.Mutex
	found []Secret
	free  []*secrets.File
}

// Secret is what one file holds.
type Secret struct {
	Path   string
	Result secrets.Result
}

// Tap returns a writer for the bytes of one file.
func (s *Secrets) Tap(path string) io.WriteCloser {
	s.mu.Lock()
	defer s.mu.Unlock()
	var f *secrets.File
	if n := len(s.free); n > 0 {
		f, s.free = s.free[n-1], s.free[:n-1]
		f.Reset(path)
	} else {
		f = secrets.NewFile(path)
	}
	return &tap{s, f, path}
}

type tap struct {
	all  *Secrets
	file *secrets.File
	path string
}

func (t *tap) Write(b []byte) (int, error) {
	t.file.Write(b)
	return len(b), nil
}

func (t *tap) Close() error {
	t.all.Add(t.path, t.file.Close())
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	t.all.free = append(t.all.free, t.file)
	return nil
}

// Add records what was found in one file.
func (s *Secrets) Add(path string, r secrets.Result) {
	if len(r.Matches) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found = append(s.found, Secret{path, r})
}

// Found returns the files with likely secrets, in order of path.
func (s *Secrets) Found() []Secret {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortFunc(s.found, func(a, b Secret) int { return cmp.Compare(a.Path, b.Path) })
	return s.found
}
