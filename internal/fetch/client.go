package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Client holds what all downloads of a process have in common. The zero value
// works.
type Client struct {
	Version string         // of seed, for the User-Agent; "" means unknown
	RootCAs *x509.CertPool // nil means those of the system
	Stall   time.Duration  // 0 means DefaultStall
	// AfterFunc starts the stall timer; nil means time.AfterFunc.
	AfterFunc func(d time.Duration, f func()) Timer
}

// Timer is the part of [time.Timer] that the stall check needs.
type Timer interface {
	Reset(d time.Duration) bool
	Stop() bool
}

func (c *Client) afterFunc(d time.Duration, f func()) Timer {
	if c.AfterFunc != nil {
		return c.AfterFunc(d, f)
	}
	return time.AfterFunc(d, f)
}

func (c *Client) transport() *http.Transport {
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{RootCAs: c.RootCAs, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    15 * time.Second,
		ResponseHeaderTimeout:  30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		// Bytes are bytes: a transparent gzip would change digest and length.
		DisableCompression: true,
	}
}

// proxy is the proxy of the environment, without its address in the error: it
// may hold a password.
func proxy(r *http.Request) (*url.URL, error) {
	u, err := http.ProxyFromEnvironment(r)
	if err != nil {
		return nil, errors.New("the proxy named in the environment is not a usable address")
	}
	return u, nil
}

// dial connects. What is called localhost must be this machine, whatever a name
// server says, because it may be spoken to without TLS.
func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	d := net.Dialer{Timeout: 15 * time.Second}
	conn, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	if host, _, _ := net.SplitHostPort(addr); host == "localhost" {
		if a, ok := conn.RemoteAddr().(*net.TCPAddr); !ok || !a.IP.IsLoopback() {
			conn.Close()
			return nil, errors.New("localhost is not this machine")
		}
	}
	return conn, nil
}

func (c *Client) get(ctx context.Context, rt http.RoundTripper, u *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	version := c.Version
	if version == "" {
		version = "unknown"
	}
	req.Header.Set("User-Agent", "seed/"+version)
	// A registry shows browsers a page and gives everyone else the bytes.
	req.Header.Set("Accept", "text/plain, */*;q=0.1")
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := rt.RoundTrip(req)
	if err == nil {
		return resp, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, network("%w", plain(err))
}

// plain puts the commonest failures into words.
func plain(err error) error {
	var dns *net.DNSError
	var notTLS tls.RecordHeaderError
	var timeout net.Error
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("no host is named %s", dns.Name)
	case errors.As(err, &cert):
		return fmt.Errorf("the certificate cannot be trusted: %w", cert.Err)
	case errors.As(err, &notTLS):
		return errors.New("the server does not speak https there")
	case errors.As(err, &timeout) && timeout.Timeout():
		return errors.New("no answer in time")
	}
	return err
}
