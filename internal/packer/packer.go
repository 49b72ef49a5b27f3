// Package packer finds what goes into a seed: it walks a folder, leaves out what
// is ignored, looks for secrets while the files are read, and gives package
// seedfile a file system that cannot be led out of the folder.
//
// It decides nothing about the format. What the format cannot carry is handed on
// with its type, and seedfile refuses it or leaves it out.
package packer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"seed/finding"
	"seed/internal/ignore"
	"seed/seedfile"
)

// Options say what of a folder is packed.
type Options struct {
	GitIgnore bool   // also honour .gitignore
	Follow    bool   // follow symbolic links that stay in the folder
	Output    string // the file that is being written, left out if it is in the folder
}

// Left is something that was left out on purpose.
type Left struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Source is a folder that is ready to be packed. Close it when the seed is written.
type Source struct {
	FS      fs.FS
	Members []seedfile.Member
	Bytes   int64  // of all regular files, for progress
	Left    []Left // in order of path
	Empty   []string
	SetID   []string // files whose set-id or sticky bit is not carried

	root *os.Root
}

// Close gives the folder's handles back.
func (s *Source) Close() error {
	err := s.root.Close()
	if c, ok := s.FS.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	return err
}

// Open walks the folder.
func Open(dir string, o Options) (*Source, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	s := &Source{root: root, FS: beneath(root)}
	w := walker{src: s, o: o}
	if o.Output != "" {
		if info, err := os.Lstat(o.Output); err == nil {
			w.output = info
		}
	}
	self, err := root.Stat(".")
	if err == nil {
		err = w.dir(root, "", []os.FileInfo{self})
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if w.linked > 0 { // a link to a folder was sorted as a file
		slices.SortFunc(s.Members, func(a, b seedfile.Member) int { return strings.Compare(a.Path, b.Path) })
	}
	// A folder that is left out was sorted as if something were below it.
	slices.SortFunc(s.Left, func(a, b Left) int { return strings.Compare(a.Path, b.Path) })
	return s, nil
}

type walker struct {
	src    *Source
	o      Options
	rules  ignore.Stack
	output os.FileInfo
	links  int // followed on the way to where the walk is
	linked int // folders entered through links so far
}

// maxLinked bounds the folders that are reached through links: a handful of
// links that lead to one another can make a small tree a huge one.
const maxLinked = 1 << 15

// fail names what could not be read, by its whole path.
func fail(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("read %s: %w", finding.Quote(path), err)
}

// dir adds what is in one folder. root is opened on that folder itself, so no
// name in it can lead elsewhere. above are the folders that lead here.
func (w *walker) dir(root *os.Root, prefix string, above []os.FileInfo) error {
	if w.links > 0 {
		if w.linked++; w.linked > maxLinked {
			return fmt.Errorf("read %s: more than %d folders behind symbolic links", finding.Quote(prefix), maxLinked)
		}
	}
	f, err := root.Open(".")
	if err != nil {
		return fail(prefix, err)
	}
	entries, err := f.ReadDir(-1)
	if err := errors.Join(err, f.Close()); err != nil {
		return fail(prefix, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return compareNames(a, b) })
	if err := w.readRules(root, prefix); err != nil {
		return err
	}
	for _, e := range entries {
		if err := w.entry(root, prefix+e.Name(), e, above); err != nil {
			return err
		}
	}
	if prefix != "" && len(entries) == 0 {
		w.src.Empty = append(w.src.Empty, prefix)
	}
	return nil
}

// readRules reads the ignore files of a folder.
func (w *walker) readRules(root *os.Root, prefix string) error {
	names := []string{".seedignore"}
	if w.o.GitIgnore {
		names = []string{".gitignore", ".seedignore"} // ours has the last word
	}
	for _, name := range names {
		list, err := readList(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fail(prefix+name, err)
		}
		w.rules.Push(strings.TrimSuffix(prefix, "/"), name, list)
	}
	return nil
}

// readList reads one ignore file. One that cannot be read stops the packing: to
// go on without it could send away what it was written to keep.
func readList(root *os.Root, name string) (*ignore.List, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("an ignore file must be a regular file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, ignore.MaxSize+1))
	if err != nil {
		return nil, err
	}
	return ignore.Parse(data)
}

func (w *walker) leave(path, why string) {
	w.src.Left = append(w.src.Left, Left{Path: path, Why: why})
}

func (w *walker) entry(root *os.Root, path string, e fs.DirEntry, above []os.FileInfo) error {
	name := e.Name()
	isDir := e.IsDir()
	if name == ".git" || name == ".hg" || name == ".svn" {
		w.leave(path, "version control")
		return nil
	}
	if ignored, by := w.rules.Ignored(path, isDir); ignored {
		w.leave(path, "ignored by "+by)
		return nil
	}
	if isDir {
		return w.enter(root, path, name, above)
	}
	info, err := e.Info() // taken through the handle when the folder was listed
	if err != nil {
		return fail(path, err)
	}
	if info.Mode()&fs.ModeSymlink != 0 && w.o.Follow {
		if info, err = w.src.root.Stat(path); err != nil {
			// Outside the folder or nowhere: it stays a link, which is refused.
			info, err = root.Lstat(name)
		} else if info.IsDir() {
			w.links++
			defer func() { w.links-- }()
			return w.enter(root, path, name, above)
		}
		if err != nil {
			return fail(path, err)
		}
	}
	if w.output != nil && os.SameFile(info, w.output) {
		w.leave(path, "the file that is being written")
		return nil
	}
	return w.add(path, info)
}

// enter walks into a folder unless a link has led back to one that is open.
func (w *walker) enter(root *os.Root, path, name string, above []os.FileInfo) error {
	sub, err := root.OpenRoot(name)
	if err != nil {
		// A followed link may point above its own folder, yet into the tree.
		if sub, err = w.src.root.OpenRoot(path); err != nil {
			return fail(path, err)
		}
	}
	defer sub.Close()
	self, err := sub.Stat(".")
	if err != nil {
		return fail(path, err)
	}
	for _, a := range above {
		if os.SameFile(a, self) {
			return w.add(path, linkInfo{self})
		}
	}
	return w.dir(sub, path+"/", append(slices.Clip(above), self))
}

// linkInfo marks a link that leads back into its own parents.
type linkInfo struct{ os.FileInfo }

func (linkInfo) Mode() fs.FileMode { return fs.ModeSymlink }

func (w *walker) add(path string, info os.FileInfo) error {
	if len(w.src.Members) == seedfile.MaxFiles {
		return fmt.Errorf("read %s: more than %d files", finding.Quote(path), seedfile.MaxFiles)
	}
	mode := info.Mode()
	if mode.IsRegular() {
		w.src.Bytes += info.Size()
		if mode&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky) != 0 {
			w.src.SetID = append(w.src.SetID, path)
		}
		mode = mode.Perm()
		if runtime.GOOS == "windows" {
			mode = 0o644 // its permission bits are made up
		}
	}
	w.src.Members = append(w.src.Members, seedfile.Member{Path: path, Mode: mode})
	return nil
}

// compareNames sorts folders as if their name ended in "/", which is the order
// of the paths below them.
func compareNames(a, b fs.DirEntry) int {
	key := func(e fs.DirEntry) string {
		if e.IsDir() {
			return e.Name() + "/"
		}
		return e.Name()
	}
	ka, kb := key(a), key(b)
	switch {
	case ka < kb:
		return -1
	case ka > kb:
		return 1
	}
	return 0
}

// Base is the name that a folder given on a command line has.
func Base(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.Base(abs), nil
}
