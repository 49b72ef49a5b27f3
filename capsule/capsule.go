package capsule

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strings"

	"seed/capsule/chain"
	"seed/capsule/crypt"
	"seed/internal/zipstore"
)

// Limits bound what opening a capsule may cost. Zero values take the defaults:
// 10,000 entries and 1 GiB of content.
type Limits struct {
	MaxEntries int
	MaxTotal   int64
}

// Capsule is a container that opened: it has the shape of a capsule, and nothing
// about it has been verified. It reads from the io.ReaderAt it was opened on,
// which must stay valid and unchanged.
type Capsule struct {
	Manifest *Manifest
	Envelope *Envelope
	Size     int64

	zip     *zipstore.Archive
	sums    map[string]string // SHA-256 in hex of every file that was hashed by a verification
	memory  []byte            // the whole container, when it was decrypted
	blob    []byte            // content.enc, when it was kept for decryption
	limits  Limits
	strict  bool
	version VersionFact
	profile ProfileFact
}

// Entry is one file of the container.
type Entry struct {
	Path string
	Size int64
}

// Open reads the container and the two structural documents (CAP-VER-01 to
// -04). The error is a *RefusedError when the file is not an acceptable capsule,
// anything else when r could not be read. Opening verifies nothing.
func Open(r io.ReaderAt, size int64, l Limits) (*Capsule, error) {
	return open(r, size, l, false)
}

func open(r io.ReaderAt, size int64, l Limits, strict bool) (*Capsule, error) {
	c := &Capsule{Size: size, limits: l, strict: strict, version: unreadVersion(), profile: unreadProfile()}
	err := c.open(r)
	var refused *RefusedError
	if errors.As(err, &refused) {
		refused.version, refused.profile = c.version, c.profile
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// openMemory opens a container that is in memory.
func openMemory(data []byte, l Limits, strict bool) (*Capsule, error) {
	c, err := open(bytes.NewReader(data), int64(len(data)), l, strict)
	if err == nil {
		c.memory = data
	}
	return c, err
}

func (c *Capsule) open(r io.ReaderAt) error {
	var err error
	c.zip, err = zipstore.Open(r, c.Size, zipstore.Options{
		MaxEntries: c.limits.MaxEntries, MaxTotal: c.limits.MaxTotal, Strict: c.strict,
	})
	if err != nil {
		return containerError(err)
	}
	manifest, err := c.document(manifestPath)
	if err != nil {
		return err
	}
	mdoc, refused := parseDocument(manifest, manifestPath)
	if refused != nil {
		return refused
	}
	if refused := versionGate(mdoc.Root().Member("format").Member("version"), "format.version", manifestPath, &c.version); refused != nil {
		c.profile.Status = "unevaluated"
		return refused
	}
	envelope, err := c.document(envelopePath)
	if err != nil {
		return err
	}
	edoc, refused := parseDocument(envelope, envelopePath)
	if refused != nil {
		return refused
	}
	sealed := unreadVersion()
	if refused := versionGate(edoc.Root().Member("version"), "envelope.version", envelopePath, &sealed); refused != nil {
		c.version.Observed, c.version.Status, c.version.Suite = sealed.Observed, sealed.Status, nil
		c.profile.Status = "unevaluated"
		return refused
	}
	if refused := profileGate(mdoc.Root().Member("format").Member("profile"), edoc.Root().Member("profile"), &c.profile); refused != nil {
		c.version.Suite = nil
		return refused
	}
	if c.Manifest, refused = readManifest(mdoc); refused != nil {
		return refused
	}
	if c.Envelope, refused = readEnvelope(edoc); refused != nil {
		return refused
	}
	return nil
}

// document reads one of the two structural files.
func (c *Capsule) document(path string) ([]byte, error) {
	e := c.zip.Find(path)
	if e == nil {
		return nil, refuse(ruleRequired, AreaContainer, MissingRequiredFile, path, "required file is missing")
	}
	if e.Size > maxDocument {
		return nil, refuse(ruleDocSize, AreaContainer, DocumentTooLarge, path, "document has %d bytes, more than %d", e.Size, maxDocument)
	}
	data, err := c.zip.ReadFile(e, maxDocument)
	return data, containerError(err)
}

// containerError turns what the scanner refused into our own refusal.
func containerError(err error) error {
	var bad *zipstore.Error
	if !errors.As(err, &bad) {
		return err
	}
	return refuse(bad.Rule, AreaContainer, Reason(bad.Reason), bad.Entry, "%s", bad.Msg)
}

// Encrypted reports whether the capsule says that its content is encrypted.
func (c *Capsule) Encrypted() bool { return c.Envelope.Cipher != "none" }

// Entries lists the files of the container in its own order.
func (c *Capsule) Entries() []Entry {
	list := make([]Entry, len(c.zip.Entries))
	for i, e := range c.zip.Entries {
		list[i] = Entry{Path: e.Name, Size: e.Size}
	}
	return list
}

// Has reports whether the container has a file of that name.
func (c *Capsule) Has(path string) bool { return c.zip.Find(path) != nil }

// File returns the content of an entry; reading it to the end checks its
// CRC-32 and, once the capsule was verified, that the bytes are those of the
// verdict: a file can be written to in between. Nil means that there is no such
// entry.
func (c *Capsule) File(path string) io.Reader {
	e := c.zip.Find(path)
	if e == nil {
		return nil
	}
	r := c.zip.Open(e)
	if sum, ok := c.sums[path]; ok {
		return &sealedReader{r: r, path: path, want: sum, digest: sha256.New()}
	}
	return r
}

// sealedReader gives an error in place of the end when the content is not what
// was verified.
type sealedReader struct {
	r          io.Reader
	path, want string
	digest     hash.Hash
}

func (s *sealedReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	_, _ = s.digest.Write(p[:n]) // a hash never fails
	if err == io.EOF {
		if got := hex.EncodeToString(s.digest.Sum(nil)); got != s.want {
			return n, changed(s.path)
		}
	}
	return n, err
}

func changed(path string) error {
	return refuse(ruleIndex, AreaContentIndex, FileHashMismatch, path, "the file changed since it was verified")
}

// ReadFile reads an entry of at most max bytes whole.
func (c *Capsule) ReadFile(path string, max int64) ([]byte, error) {
	e := c.zip.Find(path)
	if e == nil {
		return nil, refuse(ruleRequired, AreaContainer, MissingRequiredFile, path, "there is no such file in the capsule")
	}
	data, err := c.zip.ReadFile(e, max)
	if err != nil {
		return nil, containerError(err)
	}
	if want, ok := c.sums[path]; ok {
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
			return nil, changed(path)
		}
	}
	return data, nil
}

// Events walks the chain and calls visit for every event. It judges nothing that
// needs the envelope; use a Result for a verdict.
func (c *Capsule) Events(visit func(chain.Event) error) (*chain.Result, error) {
	r := c.File(chain.Path)
	if r == nil {
		return nil, refuse(ruleChainFile, AreaChain, MissingChain, chain.Path, "there is no event log")
	}
	res, err := chain.Walk(r, chain.Options{Visit: visit})
	return res, containerError(err)
}

// Skill is a skill that a capsule carries, by the files it has.
type Skill struct {
	ID       string
	JSON     bool // skills/<id>/skill.json
	Markdown bool // skills/<id>/SKILL.md
}

// Skills lists the skills by id in container order (CAP-LAY-06).
func (c *Capsule) Skills() []Skill {
	var list []Skill
	at := make(map[string]int)
	for _, e := range c.zip.Entries {
		rest, ok := strings.CutPrefix(e.Name, "skills/")
		id, file, cut := strings.Cut(rest, "/")
		if !ok || !cut || id == "" || id == "decryption" || file != "skill.json" && file != "SKILL.md" {
			continue
		}
		i, known := at[id]
		if !known {
			i = len(list)
			at[id] = i
			list = append(list, Skill{ID: id})
		}
		list[i].JSON = list[i].JSON || file == "skill.json"
		list[i].Markdown = list[i].Markdown || file == "SKILL.md"
	}
	return list
}

// Recipients reads the decryption metadata: who the content is encrypted to.
func (c *Capsule) Recipients() (*crypt.Metadata, error) {
	path := c.Manifest.Value.Member("encryption").Member("metadata_path").Str()
	data, err := c.ReadFile(path, crypt.MaxMetadata)
	if err != nil {
		return nil, err
	}
	return crypt.ParseMetadata(data)
}

// peekManifest reads manifest.json of a container whose documents were refused.
func (c *Capsule) peekManifest(src Source) (data []byte, err error) {
	c.zip, err = zipstore.Open(src.Reader, src.Size, zipstore.Options{MaxEntries: c.limits.MaxEntries, MaxTotal: c.limits.MaxTotal})
	if err != nil {
		return nil, err
	}
	return c.document(manifestPath)
}
