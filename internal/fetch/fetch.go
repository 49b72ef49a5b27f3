// Package fetch brings bytes from outside to a local place, whole and within
// limits, before anything looks at them: downloads over https, and standard
// input.
//
// A download is https with verified certificates, or http to loopback;
// redirects obey the same rule. No cookie, referrer, password or .netrc entry is
// ever sent, and no byte of an error page reaches the caller. What the content
// is, is not known here.
package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"seed/finding"
	"seed/internal/noun"
)

const (
	// DefaultMaxSize is the limit for downloads and standard input.
	DefaultMaxSize = 256 << 20
	// DefaultStall is how long a download may go without a byte.
	DefaultStall = 30 * time.Second

	maxRedirects = 10
)

var (
	// ErrTooLarge is wrapped when the content is larger than its limit.
	ErrTooLarge = errors.New("larger than the limit")
	// ErrNotHTTPS is wrapped when a URL or a redirect leaves https.
	ErrNotHTTPS = noun.ErrNotHTTPS
	// ErrNetwork is wrapped when the other side or the way to it failed: no
	// such host, no connection, a bad certificate, another status than 200, a
	// cut or stalled transfer. The same request may work later.
	ErrNetwork = errors.New("network failure")

	errStalled = errors.New("stalled")
)

// Request is one download.
type Request struct {
	URL     string
	MaxSize int64 // in bytes; 0 means DefaultMaxSize
	// Progress is called after every piece with the bytes so far and the whole
	// size, -1 when the server did not tell; it may be nil.
	Progress func(n, total int64)
}

// Result describes a finished download.
type Result struct {
	FinalURL    string // after redirects
	Size        int64
	SHA256      string // 64 hex digits
	ContentType string // as the server claims
}

// networkError marks an error as ErrNetwork without a word more in its text.
type networkError struct{ error }

func network(format string, args ...any) error {
	return networkError{fmt.Errorf(format, args...)}
}

func (e networkError) Is(target error) bool { return target == ErrNetwork }
func (e networkError) Unwrap() error        { return e.error }

// StatusError is the answer of a server that does not give the content.
type StatusError struct{ Code int }

// Error gives the standard words for the status: those of the server are not
// repeated, they are foreign text.
func (e *StatusError) Error() string {
	if text := http.StatusText(e.Code); text != "" {
		return fmt.Sprintf("the server answered %d %s", e.Code, text)
	}
	return fmt.Sprintf("the server answered %d", e.Code)
}

// Fetch downloads to dst. On an error dst holds a beginning of the content and
// is worth nothing.
func (c *Client) Fetch(ctx context.Context, req Request, dst io.Writer) (Result, error) {
	if req.MaxSize <= 0 {
		req.MaxSize = DefaultMaxSize
	}
	u, err := noun.CheckURL(req.URL)
	if err != nil {
		return Result{}, fmt.Errorf("fetch: %w", err)
	}
	transport := c.transport()
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	resp, final, err := c.follow(ctx, transport, u)
	if err != nil {
		return Result{}, fmt.Errorf("fetch %s: %w", name(u), err)
	}
	defer resp.Body.Close()
	res := Result{FinalURL: final.String(), ContentType: resp.Header.Get("Content-Type")}
	if err := c.receive(ctx, cancel, resp, req, dst, &res); err != nil {
		return Result{}, fmt.Errorf("fetch %s: %w", name(u), err)
	}
	return res, nil
}

// name is a checked URL for a message, without its query, where tokens live.
func name(u *url.URL) string {
	short := *u
	short.RawQuery = ""
	return finding.Quote(short.String())
}

// follow sends the request and obeys redirects by our own rules: net/http would
// add a Referer to each.
func (c *Client) follow(ctx context.Context, rt http.RoundTripper, u *url.URL) (*http.Response, *url.URL, error) {
	fromLoopback := u.Scheme == "http"
	for range maxRedirects + 1 {
		resp, err := c.get(ctx, rt, u)
		if err != nil {
			return nil, nil, err
		}
		switch resp.StatusCode {
		case http.StatusOK:
			return resp, u, nil
		case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
			http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
			resp.Body.Close()
		default:
			resp.Body.Close()
			return nil, nil, network("%w", &StatusError{resp.StatusCode})
		}
		if u, err = redirect(u, resp.Header.Get("Location")); err != nil {
			return nil, nil, err
		}
		if u.Scheme == "http" && !fromLoopback {
			return nil, nil, fmt.Errorf("redirect to %s: %w", name(u), ErrNotHTTPS)
		}
	}
	return nil, nil, network("more than %d redirects", maxRedirects)
}

func redirect(from *url.URL, location string) (*url.URL, error) {
	// A fragment is for people; a pin in it would be the server's, not ours.
	location, _, _ = strings.Cut(location, "#")
	if location == "" {
		return nil, network("a redirect to nowhere")
	}
	next, err := from.Parse(location)
	if err != nil {
		return nil, network("a redirect to no URL: %s", finding.Quote(location))
	}
	u, err := noun.CheckURL(next.String())
	if err != nil {
		return nil, fmt.Errorf("redirect: %w", err)
	}
	return u, nil
}

// receive copies the body to dst and fills res.
func (c *Client) receive(ctx context.Context, cancel context.CancelCauseFunc, resp *http.Response, req Request, dst io.Writer, res *Result) error {
	if enc := resp.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return network("the server sent the encoding %s, which was not asked for", finding.Quote(enc))
	}
	total := resp.ContentLength
	if total > req.MaxSize {
		return tooLarge(req.MaxSize)
	}
	stall := c.Stall
	if stall <= 0 {
		stall = DefaultStall
	}
	timer := c.afterFunc(stall, func() { cancel(errStalled) })
	defer timer.Stop()

	hash := sha256.New()
	buf := make([]byte, 64<<10)
	for {
		n, err := resp.Body.Read(buf)
		if n > 0 {
			timer.Reset(stall)
			if res.Size += int64(n); res.Size > req.MaxSize {
				return tooLarge(req.MaxSize)
			}
			hash.Write(buf[:n])
			if _, werr := dst.Write(buf[:n]); werr != nil {
				return fmt.Errorf("keep the download: %w", werr)
			}
			if req.Progress != nil {
				req.Progress(res.Size, total)
			}
		}
		// Before EOF is believed: closing the connection makes a server end a
		// chunked body in good order, and a cut content would look whole.
		if ctx.Err() != nil {
			if cause := context.Cause(ctx); !errors.Is(cause, errStalled) {
				return cause
			}
			return network("%w: nothing came for %s", errStalled, stall)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return network("the transfer was cut after %d bytes: %w", res.Size, err)
		}
	}
	if total >= 0 && res.Size != total {
		return network("the transfer was cut after %d of %d bytes", res.Size, total)
	}
	res.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return nil
}

func tooLarge(limit int64) error {
	if limit%(1<<20) == 0 {
		return fmt.Errorf("%w of %d MiB", ErrTooLarge, limit>>20)
	}
	return fmt.Errorf("%w of %d bytes", ErrTooLarge, limit)
}
