package noun_test

import (
	"errors"
	"strings"
	"testing"

	"seed/internal/noun"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	hex := strings.Repeat("0123456789abcdef", 4)
	tests := []struct {
		in   string
		want noun.Link
	}{
		{"https://registry.example/s/abc12", noun.Link{URL: "https://registry.example/s/abc12"}},
		{"HTTPS://Registry.Example/S", noun.Link{URL: "https://registry.example/S"}},
		{"https://registry.example:8443/s?x=1&y=%20", noun.Link{URL: "https://registry.example:8443/s?x=1&y=%20"}},
		{"https://h.example/a%2fb", noun.Link{URL: "https://h.example/a%2fb"}},
		{"https://[2001:db8::1]/s", noun.Link{URL: "https://[2001:db8::1]/s"}},
		{"seed+https://h.example/s", noun.Link{URL: "https://h.example/s", Seed: true}},
		{"seed+http://localhost:1/s", noun.Link{URL: "http://localhost:1/s", Seed: true, Local: true}},
		{"http://LOCALHOST/s", noun.Link{URL: "http://localhost/s", Local: true}},
		{"http://127.0.0.1:8080/s", noun.Link{URL: "http://127.0.0.1:8080/s", Local: true}},
		{"http://[::1]:8080/s", noun.Link{URL: "http://[::1]:8080/s", Local: true}},
		{"https://h.example/s#sha256=" + hex, noun.Link{URL: "https://h.example/s", SHA256: hex}},
		{"https://h.example/s#sha256=" + strings.ToUpper(hex), noun.Link{URL: "https://h.example/s", SHA256: hex}},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			got, err := noun.ParseURL(tt.in)
			if err != nil || got != tt.want {
				t.Errorf("ParseURL(%q): got %+v, %v, want %+v", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestParseURLRefuses(t *testing.T) {
	t.Parallel()
	hex := strings.Repeat("a", 64)
	tests := []struct {
		in, want string
		scheme   bool // the scheme is the reason
	}{
		{"http://registry.example/s", "localhost, 127.0.0.1 and [::1] only", true},
		{"http://127.0.0.2/s", "only", true},
		{"http://0.0.0.0/s", "only", true},
		{"http://localhost./s", "only", true},
		{"http://localhost.example/s", "only", true},
		{"http://[::ffff:127.0.0.1]/s", "only", true},
		{"http://[0:0:0:0:0:0:0:1]/s", "only", true},
		{"http://2130706433/s", "only", true},
		{"ftp://h.example/s", "got ftp://", true},
		{"file:///etc/passwd", "no host", false},
		{"javascript:alert(1)", "no host", false},
		{"seed+seed+https://h.example/", "got seed+https://", true},
		{"https://", "no host", false},
		{"https:///s", "no host", false},
		{"https:h.example/s", "no host", false},
		{"https://user@h.example/s", "user name or password", false},
		{"https://user:secret@h.example/s", "user name or password", false},
		{"http://localhost@evil.example/s", "user name or password", false},
		{"https://h.example/a b", "percent-encoded", false},
		{"https://h.example/a\x1b[2J", "percent-encoded", false},
		{"https://h.example/a\nb", "percent-encoded", false},
		{"https://h.example\\@evil.example/", "user name or password", false},
		{"https://h.example\\evil.example/", "percent-encoded", false},
		{"https://user:secret@h.example/a b", "user name or password", false},
		{"https://user:secret%zz@h.example/", "user name or password", false},
		{"https://user:secret@h.example/#x", "after #", false},
		{"https://ex\u0430mple.example/", "percent-encoded", false},
		{"https://h.example/\u202e", "percent-encoded", false},
		{"https://h%41.example/", "escape", false},
		{"https://[::1%25eth0]/", "host", false},
		{"https://h.example:/s", "without a port", false},
		{"https://h.example:0/s", "port", false},
		{"https://h.example:65536/s", "port", false},
		{"https://h.example:http/s", "port", false},
		{"https://h.example/s#", "after #", false},
		{"https://h.example/s#readme", "after #", false},
		{"https://h.example/s#SHA256=" + hex, "after #", false},
		{"https://h.example/s#sha256:" + hex, "after #", false},
		{"https://h.example/s#sha256=" + hex[1:], "64 hex digits, got 63", false},
		{"https://h.example/s#sha256=" + hex + "a", "64 hex digits, got 65", false},
		{"https://h.example/s#sha256=" + hex[1:] + "g", "only hex digits", false},
		{"https://h.example/s#sha256=" + hex + "#sha256=" + hex, "64 hex digits", false},
		{"https://h.example/" + strings.Repeat("a", noun.MaxURL), "longer than", false},
	}
	for _, tt := range tests {
		t.Run(tt.in[:min(60, len(tt.in))], func(t *testing.T) {
			t.Parallel()
			_, err := noun.ParseURL(tt.in)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.Is(err, noun.ErrURL) {
				t.Fatalf("ParseURL(%q): got %v, want %q in an ErrURL", tt.in, err, tt.want)
			}
			if got := errors.Is(err, noun.ErrNotHTTPS); got != tt.scheme {
				t.Errorf("ParseURL(%q): got ErrNotHTTPS %v, want %v", tt.in, got, tt.scheme)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("ParseURL(%q): the error repeats a password: %v", tt.in, err)
			}
			if strings.ContainsAny(err.Error(), "\x1b\n\u202e") {
				t.Errorf("ParseURL(%q): the error repeats a control character", tt.in)
			}
		})
	}
}

func TestSameHost(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want bool
	}{
		{"https://h.example/s/abc", "https://H.example", true},
		{"https://h.example:443/s", "https://h.example", true},
		{"http://localhost:80/s", "http://localhost", true},
		{"https://h.example:444/s", "https://h.example", false},
		{"https://h.example.evil.example/", "https://h.example", false},
		{"https://localhost/", "http://localhost/", false},
		{"https://h.example/", "", false},
		{"", "https://h.example/", false},
	}
	for _, tt := range tests {
		if got := noun.SameHost(tt.a, tt.b); got != tt.want {
			t.Errorf("SameHost(%q, %q): got %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// FuzzParseURL shows that whatever is accepted stays accepted and unchanged
// when it is written down and read again.
func FuzzParseURL(f *testing.F) {
	hex := strings.Repeat("a", 64)
	for _, s := range []string{
		"https://h.example/s#sha256=" + hex, "seed+http://[::1]:80/", "http://localhost@evil.example",
		"https://h.example/%zz", "https://[::1", "https://h.example/?#", "https://a:b@c/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		link, err := noun.ParseURL(s)
		if err != nil {
			return
		}
		if !strings.HasPrefix(link.URL, "https://") && !(link.Local && strings.HasPrefix(link.URL, "http://")) {
			t.Fatalf("ParseURL(%q) accepts %q", s, link.URL)
		}
		again := link.URL
		if link.Seed {
			again = "seed+" + again
		}
		if link.SHA256 != "" {
			again += "#sha256=" + link.SHA256
		}
		if got, err := noun.ParseURL(again); err != nil || got != link {
			t.Fatalf("ParseURL(%q): got %+v, %v, want %+v", again, got, err, link)
		}
	})
}
