package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/command"
	"seed/internal/fetch"
	"seed/internal/noun"
	"seed/internal/ui"
	"seed/seedfile"
)

var (
	ruleLimit = finding.Rule{ID: "SP-FMT-12", Want: "a seed within the size limit"}
	rulePin   = finding.Rule{ID: "SP-SEC-01", Want: "content that has the digest it was pinned to"}
)

// input is a seed from anywhere, complete and at hand.
type input struct {
	io.ReaderAt
	io.Closer
	size  int64
	name  string // for messages
	pin   string // 64 hex digits that came with the URL, or ""
	where noun.Kind

	file *os.File // the user's own file, nil when this is a copy that nobody else can reach
}

// Close ends what the input is at that time: settle may have changed it.
func (in *input) Close() error { return in.Closer.Close() }

// inputFlags are those of every command that reads a seed.
type inputFlags struct {
	maxSize sizeFlag
	sha256  string
}

// addSize adds the limit alone, for a command that does not ask for one content.
func (f *inputFlags) addSize(cmd *cobra.Command) {
	f.maxSize = fetch.DefaultMaxSize
	cmd.Flags().Var(&f.maxSize, "max-size", "most bytes to read from a URL or standard input, such as 64MiB")
}

func (f *inputFlags) add(cmd *cobra.Command) {
	f.addSize(cmd)
	cmd.Flags().StringVar(&f.sha256, "sha256", "", "the SHA-256 that the seed must have (64 hex digits)")
}

// checkPin reads --sha256, with or without the word in front that digests are
// printed with.
func (f *inputFlags) checkPin() error {
	if f.sha256 == "" {
		return nil
	}
	hexDigits, err := noun.ParseSHA256(strings.TrimPrefix(f.sha256, "sha256:"))
	if err != nil {
		return &command.Failure{Err: fmt.Errorf("--sha256: %w", err), Code: command.Cannot, Reason: "usage"}
	}
	f.sha256 = hexDigits
	return nil
}

// open brings the seed that arg means. verb is for messages; anyURL says that a
// URL always means a seed, otherwise only one of the registry or seed+https.
func (a *app) open(ctx context.Context, arg, verb string, f *inputFlags, anyURL bool) (*input, error) {
	in, err := a.openThing(ctx, arg, verb, f, anyURL, noun.SeedFile)
	if err == nil && in.isCapsule() { // only standard input: a file was refused before
		in.Close()
		return nil, noCapsule(verb, errors.New("standard input is a capsule, not a seed"))
	}
	return in, err
}

// openThing is open for a verb that takes capsules too when kinds name them.
func (a *app) openThing(ctx context.Context, arg, verb string, f *inputFlags, anyURL bool, kinds ...noun.Kind) (*input, error) {
	if err := f.checkPin(); err != nil { // a typing mistake is not worth a download
		return nil, err
	}
	n, registry, err := a.detect(arg)
	if err != nil {
		return nil, err
	}
	if err := n.Want(verb, append(kinds, noun.File, noun.URL, noun.Stdin, noun.RegistryID)...); err != nil {
		if n.Kind == noun.Capsule {
			err = noCapsule(verb, err)
		}
		return nil, err
	}
	switch n.Kind {
	case noun.Stdin:
		return a.openStdin(ctx, f)
	case noun.RegistryID:
		link, err := noun.ParseURL(registry + "/s/" + n.ID)
		if err != nil {
			return nil, err
		}
		return a.openURL(ctx, link, f)
	case noun.URL:
		if !anyURL && !n.Link.Seed {
			return nil, &command.Failure{
				Err:  fmt.Errorf("%s: a plain https URL here means a git repository, which this version cannot read", finding.Quote(arg)),
				Code: command.Cannot, Reason: "usage", Hint: "for a seed, write seed+" + n.Link.URL,
			}
		}
		return a.openURL(ctx, n.Link, f)
	default:
		file, info, err := noun.OpenRegular(n.Path)
		if err != nil {
			return nil, err
		}
		if f.sha256 != "" {
			return spoolFile(ctx, file, n.Path, n.Kind)
		}
		return &input{ReaderAt: file, Closer: file, size: info.Size(), name: n.Path, where: n.Kind, file: file}, nil
	}
}

// spoolFile copies a file that is to be held to a digest or a signature. A file can be written
// to between being judged and being used; nobody else can reach the copy.
func spoolFile(ctx context.Context, file *os.File, name string, where noun.Kind) (*input, error) {
	defer file.Close()
	whole := io.NewSectionReader(file, 0, math.MaxInt64-1)
	spool, err := fetch.ReadAll(ctx, whole, fetch.Source{MaxSize: math.MaxInt64 - 1})
	if err != nil {
		return nil, err
	}
	return &input{ReaderAt: spool, Closer: spool, size: spool.Size(), name: name, where: where}, nil
}

// detect finds out what arg means. The configuration is read only where it
// matters: a local file needs neither a home directory nor a sound config.yaml.
func (a *app) detect(arg string) (noun.Noun, string, error) {
	n, err := noun.Detect(arg, noun.Options{})
	if n.Kind != noun.URL && !errors.Is(err, noun.ErrNoRegistry) {
		return n, "", err
	}
	registry, rerr := a.Registry()
	if rerr != nil {
		return n, "", rerr
	}
	n, err = noun.Detect(arg, noun.Options{Registry: registry})
	return n, registry, err
}

func (a *app) openStdin(ctx context.Context, f *inputFlags) (*input, error) {
	p := ui.NewProgress(a.UI, "reading", 0, 0)
	defer p.Done()
	spool, err := fetch.ReadAll(ctx, a.UI.In, fetch.Source{MaxSize: int64(f.maxSize), Progress: pieces(p)})
	if err != nil {
		return nil, tooLarge(err, "standard input", f)
	}
	return &input{ReaderAt: spool, Closer: spool, size: spool.Size(), name: "standard input", where: noun.Stdin}, nil
}

func (a *app) openURL(ctx context.Context, link noun.Link, f *inputFlags) (*input, error) {
	p := ui.NewProgress(a.UI, "fetching", 0, 0)
	defer p.Done()
	count := pieces(p)
	client := fetch.Client{Version: version}
	spool, _, err := client.Download(ctx, fetch.Request{
		URL: link.URL, MaxSize: int64(f.maxSize),
		Progress: func(n, _ int64) { count(n) },
	}, "")
	if err != nil {
		return nil, tooLarge(badRedirect(err), link.URL, f)
	}
	return &input{ReaderAt: spool, Closer: spool, size: spool.Size(), name: link.URL, pin: link.SHA256, where: noun.URL}, nil
}

// pieces turns running totals into steps of progress.
func pieces(p *ui.Progress) func(n int64) {
	var last int64
	return func(n int64) {
		p.Add(n-last, 0)
		last = n
	}
}

// badRedirect tells a URL that a server sent from one that the caller gave.
func badRedirect(err error) error {
	if errors.Is(err, noun.ErrURL) {
		return &command.Failure{Err: err, Code: command.Cannot, Reason: "network"}
	}
	return err
}

func tooLarge(err error, name string, f *inputFlags) error {
	if !errors.Is(err, fetch.ErrTooLarge) {
		return err
	}
	e := ruleLimit.Errorf(finding.Place{Name: name}, "larger than %s", ui.Size(int64(f.maxSize)))
	e.Err = err
	return e.WithHint("raise the limit: --max-size 1GiB")
}

// readSettled is read for a seed whose signature may be acted on.
func (a *app) readSettled(ctx context.Context, in *input, f *inputFlags) (*seedfile.File, error) {
	seed, err := a.read(in, f, seedfile.Options{})
	if err != nil {
		return nil, err
	}
	if again, err := in.settle(ctx, seed); err != nil || !again {
		return seed, err
	}
	return a.read(in, f, seedfile.Options{})
}

// read opens the input as a seed and holds it to its pins.
func (a *app) read(in *input, f *inputFlags, o seedfile.Options) (*seedfile.File, error) {
	// A digest takes as long as everything else together, so it is made only for
	// those who look at it.
	o.Name, o.Digest = in.name, a.JSON || f.sha256 != "" || in.pin != ""
	seed, err := seedfile.Open(in, in.size, o)
	if err != nil {
		return nil, err
	}
	return seed, checkPins(in, f, seed.Digest)
}

// checkPins compares the digest with what the caller and the URL demand.
func checkPins(in *input, f *inputFlags, digest [32]byte) error {
	for _, want := range []string{f.sha256, in.pin} {
		if want == "" {
			continue
		}
		hexDigits, err := noun.ParseSHA256(want)
		if err != nil {
			return &command.Failure{Err: err, Code: command.Cannot, Reason: "usage"}
		}
		if got := hex.EncodeToString(digest[:]); got != hexDigits {
			return rulePin.Errorf(finding.Place{Name: in.name}, "not intact: its SHA-256 is %s, not %s", got, hexDigits)
		}
	}
	return nil
}

// sizeFlag is a number of bytes with an optional unit.
type sizeFlag int64

// String gives what Set takes.
func (s *sizeFlag) String() string {
	n := int64(*s)
	for _, unit := range []struct {
		name   string
		factor int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n > 0 && n%unit.factor == 0 {
			return strconv.FormatInt(n/unit.factor, 10) + unit.name
		}
	}
	return strconv.FormatInt(n, 10)
}

func (s *sizeFlag) Type() string { return "SIZE" }

func (s *sizeFlag) Set(text string) error {
	number, factor := text, int64(1)
	for _, unit := range []struct {
		name   string
		factor int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}} {
		if n, ok := strings.CutSuffix(text, unit.name); ok {
			number, factor = n, unit.factor
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n <= 0 || n > (1<<62)/factor {
		return fmt.Errorf("want a size such as 64MiB")
	}
	*s = sizeFlag(n * factor)
	return nil
}
