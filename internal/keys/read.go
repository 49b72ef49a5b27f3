package keys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"seed/finding"
	"seed/internal/noun"
)

// readFile reads a small regular file. The content is the caller's to overwrite.
func readFile(path string) ([]byte, fs.FileInfo, error) {
	f, fi, err := noun.OpenRegular(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if fi.Size() > maxFile {
		return nil, nil, fmt.Errorf("%s is larger than any key file", path)
	}
	// Room for one byte more than allowed shows a file that grows meanwhile. The
	// buffer is made once, as every copy would be one more to overwrite.
	data := make([]byte, maxFile+1)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		clear(data)
		return nil, nil, err
	}
	return data[:n], fi, nil
}

// readOwn is readFile for a file of the store, where a link has no business.
func readOwn(path string) ([]byte, fs.FileInfo, error) {
	at, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if at.Mode()&fs.ModeSymlink != 0 {
		return nil, nil, errLink
	}
	data, fi, err := readFile(path)
	if err == nil && !os.SameFile(at, fi) {
		clear(data)
		return nil, nil, errLink
	}
	return data, fi, err
}

var errLink = errors.New("a symbolic link in place of a key file is not followed")

// ReadFile reads a private key from a file that the user named, in any form
// that [ParsePrivate] takes. A file that others can read is said in the key's
// Warning.
func ReadFile(path string, want Kind, ask Asker) (*Private, error) {
	data, fi, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	defer clear(data)
	p, err := readPrivate(path, data, want, ask)
	if err != nil {
		return nil, placed(err, path)
	}
	p.Warning = warning(path, fi)
	return p, nil
}

func readPrivate(path string, data []byte, want Kind, ask Asker) (*Private, error) {
	if namedPublic(path) {
		// The reference writes both halves as 64 hex digits, told apart by name.
		return nil, errors.New("a public key by its name; the private one is needed")
	}
	return parsePrivate(data, want, ask, path)
}

// readPublic reads a file of a public key. Hex alone passes for a signer's key
// when the file's name says that it is public: otherwise the secret half of a
// pair from the reference could be published by a slip.
func readPublic(path string, want Kind) (Public, string, error) {
	data, _, err := readFile(path)
	if err != nil {
		return Public{}, "", fmt.Errorf("read key: %w", err)
	}
	defer clear(data)
	var p Public
	var label string
	if line := onlyLine(data); want == Signing && namedPublic(path) && isKeyHex(line) {
		p, err = ParsePublicAs(line, Signing)
	} else {
		p, label, err = ParsePublicFile(data)
	}
	if err == nil {
		err = p.Kind.want(want)
	}
	if err != nil {
		return Public{}, "", placed(err, path)
	}
	return p, label, nil
}

// placed says in which file a key was bad.
func placed(err error, path string) error {
	// Only where nothing is wrapped around it yet does its text still change.
	if broken, ok := err.(*finding.Error); ok && broken.At.Name == "" {
		broken.At.Name = path
		return broken
	}
	return fmt.Errorf("read key %s: %w", path, err)
}

// warning says that others can read a file.
func warning(path string, fi fs.FileInfo) string {
	if !openToOthers(fi) {
		return ""
	}
	return "other users may read " + path + "; close it with chmod 600"
}
