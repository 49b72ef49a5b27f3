package noun

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"seed/finding"
)

// MaxURL is the longest URL that is read, in bytes.
const MaxURL = 4096

var (
	// ErrURL is wrapped by every refusal of a URL.
	ErrURL = errors.New("unusable URL")
	// ErrNotHTTPS is wrapped when the scheme is the reason: http to another
	// host than loopback, or a scheme that is never used.
	ErrNotHTTPS = errors.New("only https, or http to loopback")
)

// Link is a URL that passed [ParseURL].
type Link struct {
	URL    string // without the seed+ prefix and without the pin
	SHA256 string // the pin in 64 lower-case hex digits, "" when there is none
	Seed   bool   // written seed+https://: it means a seed wherever a git clone could be meant
	Local  bool   // the host is loopback
}

// ParseURL checks a URL from a command line, a file or a server, and splits the
// content pin off. It accepts https, http to localhost, 127.0.0.1 and [::1],
// and both behind "seed+". A fragment is a pin or an error: one that is ignored
// would look as if it had been checked.
func ParseURL(s string) (Link, error) {
	rest, seed := strings.CutPrefix(s, "seed+")
	rest, fragment, pinned := strings.Cut(rest, "#")
	link := Link{Seed: seed}
	if pinned {
		pin, err := parsePin(fragment)
		if err != nil {
			return Link{}, err
		}
		link.SHA256 = pin
	}
	u, err := CheckURL(rest)
	if err != nil {
		return Link{}, err
	}
	link.URL = u.String()
	link.Local = isLoopback(u.Hostname())
	return link, nil
}

func parsePin(fragment string) (string, error) {
	digits, ok := strings.CutPrefix(fragment, "sha256=")
	if !ok {
		return "", fmt.Errorf("%w: after # only sha256= and 64 hex digits may stand, got %s", ErrURL, finding.Quote(fragment))
	}
	pin, err := ParseSHA256(digits)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrURL, err)
	}
	return pin, nil
}

// ParseSHA256 reads 64 hex digits, as they stand in a pin and after --sha256,
// and gives them in lower case.
func ParseSHA256(s string) (string, error) {
	if len(s) != 64 {
		return "", fmt.Errorf("a sha256 has 64 hex digits, got %d characters", len(s))
	}
	s = strings.ToLower(s)
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", fmt.Errorf("a sha256 has only hex digits, got %s", finding.Quote(s))
		}
	}
	return s, nil
}

// CheckURL holds a URL without fragment to the rules of [ParseURL]: printable
// ASCII, a plain host name or IP address, no user name or password, https or
// loopback. It is what redirects and answers of servers are checked with.
func CheckURL(s string) (*url.URL, error) {
	if len(s) > MaxURL {
		return nil, fmt.Errorf("%w: longer than %d bytes", ErrURL, MaxURL)
	}
	if hasUser(s) {
		// Before anything else, and without the text: it may hold a password.
		return nil, fmt.Errorf("%w: a user name or password in it is never used", ErrURL)
	}
	// Other bytes than these are read differently by different programs, and a
	// host in look-alike letters reads differently to people.
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\\\"<>`{}|^", c) >= 0 {
			return nil, fmt.Errorf("%w: character %s at byte %d of %s; write it percent-encoded", ErrURL, finding.Quote(s[i:i+1]), i+1, finding.Quote(s))
		}
	}
	if strings.Contains(s, "#") {
		return nil, fmt.Errorf("%w: %s has a fragment", ErrURL, finding.Quote(s))
	}
	u, err := url.Parse(s)
	if err != nil {
		// The text of a url.Error repeats the URL unquoted and at full length.
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return nil, fmt.Errorf("%w: %s: %w", ErrURL, finding.Quote(s), err)
	}
	u.Host = strings.ToLower(u.Host)
	if err := checkHost(u); err != nil {
		return nil, err
	}
	switch {
	case u.Scheme == "https":
	case u.Scheme == "http" && isLoopback(u.Hostname()):
	case u.Scheme == "http":
		return nil, fmt.Errorf("%w: %w: http:// is used for localhost, 127.0.0.1 and [::1] only, got host %s", ErrURL, ErrNotHTTPS, finding.Quote(u.Host))
	default:
		return nil, fmt.Errorf("%w: %w: got %s://", ErrURL, ErrNotHTTPS, u.Scheme)
	}
	return u, nil
}

func hasUser(s string) bool {
	if _, rest, ok := strings.Cut(s, "//"); ok {
		s = rest
	}
	end := strings.IndexAny(s, "/?#")
	if end < 0 {
		end = len(s)
	}
	return strings.Contains(s[:end], "@")
}

func checkHost(u *url.URL) error {
	host := u.Hostname()
	if u.Opaque != "" || u.User != nil || host == "" {
		return fmt.Errorf("%w: no host after the scheme", ErrURL)
	}
	bracketed := strings.HasPrefix(u.Host, "[")
	for i := range len(host) {
		c := host[i]
		letter := c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_'
		if !letter && (!bracketed || c != ':') {
			return fmt.Errorf("%w: character %s in the host", ErrURL, finding.Quote(host[i:i+1]))
		}
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return fmt.Errorf("%w: port %s", ErrURL, finding.Quote(port))
		}
	} else if strings.HasSuffix(u.Host, ":") {
		return fmt.Errorf("%w: a colon without a port", ErrURL)
	}
	return nil
}

// isLoopback knows the three spellings that may be plain http, and no other:
// every further one is a chance for two programs to disagree.
func isLoopback(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// SameHost reports whether two checked URLs name the same scheme, host and port.
func SameHost(a, b string) bool {
	ua, err := CheckURL(a)
	if err != nil {
		return false
	}
	ub, err := CheckURL(b)
	if err != nil {
		return false
	}
	return ua.Scheme == ub.Scheme && ua.Hostname() == ub.Hostname() && portOf(ua) == portOf(ub)
}

func portOf(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "http" {
		return "80"
	}
	return "443"
}
