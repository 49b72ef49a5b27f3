package fetch_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"seed/internal/fetch"
	"seed/internal/noun"
)

// serve starts a TLS server on loopback and a client that trusts it.
func serve(t *testing.T, h http.HandlerFunc) (*fetch.Client, string) {
	t.Helper()
	srv := httptest.NewUnstartedServer(h)
	srv.Config.ErrorLog = quiet()
	srv.StartTLS()
	t.Cleanup(srv.Close)
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())
	return &fetch.Client{Version: "1.2.3", RootCAs: roots}, srv.URL
}

func TestFetch(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("0123456789"), 20000)
	sum := sha256.Sum256(body)
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if r.URL.Path == "/whole" {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		}
		w.Write(body)
	})
	for path, total := range map[string]int64{"/whole": int64(len(body)), "/chunked": -1} {
		var got bytes.Buffer
		var n, seen int64
		res, err := c.Fetch(t.Context(), fetch.Request{URL: url + path, Progress: func(a, b int64) { n, seen = a, b }}, &got)
		if err != nil {
			t.Fatal(err)
		}
		want := fetch.Result{FinalURL: url + path, Size: int64(len(body)), SHA256: hex.EncodeToString(sum[:]), ContentType: "text/plain; charset=utf-8"}
		if res != want || !bytes.Equal(got.Bytes(), body) {
			t.Errorf("%s: got %+v and %d bytes, want %+v", path, res, got.Len(), want)
		}
		if n != want.Size || seen != total {
			t.Errorf("%s: got progress %d of %d, want %d of %d", path, n, seen, want.Size, total)
		}
	}
}

func TestFetchSendsNothingByItself(t *testing.T) {
	t.Parallel()
	var headers []http.Header
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		headers = append(headers, r.Header)
		if r.URL.Path == "/a" {
			http.SetCookie(w, &http.Cookie{Name: "track", Value: "1"})
			http.Redirect(w, r, "/b", http.StatusFound)
		}
	})
	if _, err := c.Fetch(t.Context(), fetch.Request{URL: url + "/a"}, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	if len(headers) != 2 {
		t.Fatalf("got %d requests, want 2", len(headers))
	}
	for _, h := range headers {
		want := "map[Accept:[text/plain, */*;q=0.1] Accept-Encoding:[identity] User-Agent:[seed/1.2.3]]"
		if got := fmt.Sprint(h); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestFetchRedirects(t *testing.T) {
	t.Parallel()
	plainSrv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/same":
			http.Redirect(w, r, "/end", http.StatusFound)
		case "/away":
			http.Redirect(w, r, "http://registry.example/", http.StatusFound)
		}
	}))
	t.Cleanup(plainSrv.Close)
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		to := func(location string) {
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusMovedPermanently)
		}
		switch path, n, _ := strings.Cut(r.URL.Path[1:], "/"); path {
		case "chain":
			if left, _ := strconv.Atoi(n); left > 0 {
				to("/chain/" + strconv.Itoa(left-1))
			}
		case "status":
			w.Header().Set("Location", "/end")
			code, _ := strconv.Atoi(n)
			w.WriteHeader(code)
		case "plain":
			to(plainSrv.URL + "/end")
		case "far":
			to("http://registry.example/")
		case "file":
			to("file:///etc/passwd")
		case "user":
			to("https://user:secret@" + r.Host + "/end")
		case "fragment":
			to("/end#sha256=00")
		case "none":
			to("")
		case "junk":
			to("https://[")
		}
	})
	tests := []struct {
		url  string
		want string // the end of the final URL, or
		err  string
		is   error
	}{
		{url: url + "/chain/10", want: "/chain/0"},
		{url: url + "/chain/11", err: "more than 10 redirects", is: fetch.ErrNetwork},
		{url: url + "/status/301", want: "/end"},
		{url: url + "/status/302", want: "/end"},
		{url: url + "/status/303", want: "/end"},
		{url: url + "/status/307", want: "/end"},
		{url: url + "/status/308", want: "/end"},
		{url: url + "/status/300", err: "answered 300 Multiple Choices", is: fetch.ErrNetwork},
		{url: url + "/status/304", err: "answered 304 Not Modified", is: fetch.ErrNetwork},
		{url: url + "/plain", err: "only https", is: fetch.ErrNotHTTPS},
		{url: url + "/far", err: "only https", is: fetch.ErrNotHTTPS},
		{url: url + "/file", err: "no host", is: noun.ErrURL},
		{url: url + "/user", err: "user name or password", is: noun.ErrURL},
		{url: url + "/fragment", want: "/end"},
		{url: url + "/none", err: "a redirect to nowhere", is: fetch.ErrNetwork},
		{url: url + "/junk", err: "a redirect to no URL", is: fetch.ErrNetwork},
		{url: plainSrv.URL + "/same", want: "/end"},
		{url: plainSrv.URL + "/away", err: "only https", is: fetch.ErrNotHTTPS},
		{url: "http://registry.example/", err: "only https", is: fetch.ErrNotHTTPS},
	}
	for _, tt := range tests {
		t.Run(strings.TrimPrefix(tt.url, url), func(t *testing.T) {
			t.Parallel()
			res, err := c.Fetch(t.Context(), fetch.Request{URL: tt.url}, &bytes.Buffer{})
			if tt.err == "" {
				if err != nil || !strings.HasSuffix(res.FinalURL, tt.want) {
					t.Errorf("got %+v, %v, want %s", res, err, tt.want)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.err) || !errors.Is(err, tt.is) {
				t.Errorf("got %v, want %q", err, tt.err)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("got %v, which repeats a password", err)
			}
		})
	}
}

func TestFetchRefusesStatusAndEncoding(t *testing.T) {
	t.Parallel()
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gzip" {
			w.Header().Set("Content-Encoding", "gzip")
		} else {
			code, _ := strconv.Atoi(r.URL.Path[1:])
			w.WriteHeader(code)
		}
		if r.URL.Path != "/204" {
			w.Write([]byte("$(touch pwned)"))
		}
	})
	tests := []struct {
		path, want string
		code       int
	}{
		{"/404", "the server answered 404 Not Found", 404},
		{"/500", "the server answered 500 Internal Server Error", 500},
		{"/204", "the server answered 204 No Content", 204},
		{"/206", "the server answered 206 Partial Content", 206},
		{"/599", "the server answered 599", 599},
		{"/gzip", "which was not asked for", 0},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			_, err := c.Fetch(t.Context(), fetch.Request{URL: url + tt.path + "?token=secret"}, &got)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.Is(err, fetch.ErrNetwork) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			if strings.Contains(err.Error(), "touch") || strings.Contains(err.Error(), "secret") || got.Len() != 0 {
				t.Errorf("got %v and %q, want nothing of the body or the query", err, got.String())
			}
			var se *fetch.StatusError
			if tt.code != 0 && (!errors.As(err, &se) || se.Code != tt.code) {
				t.Errorf("got %v, want a StatusError of %d", err, tt.code)
			}
		})
	}
}

func TestFetchTrustsNobodyUnasked(t *testing.T) {
	t.Parallel()
	_, url := serve(t, func(w http.ResponseWriter, r *http.Request) { t.Error("a request came through") })
	stranger := &fetch.Client{RootCAs: x509.NewCertPool()}
	_, err := stranger.Fetch(t.Context(), fetch.Request{URL: url}, &bytes.Buffer{})
	if !errors.Is(err, fetch.ErrNetwork) || !strings.Contains(err.Error(), "the certificate cannot be trusted") {
		t.Errorf("got %v, want a refused certificate", err)
	}
}

func TestFetchNotHTTPSServer(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(srv.Close)
	url := strings.Replace(srv.URL, "http:", "https:", 1)
	_, err := (&fetch.Client{}).Fetch(t.Context(), fetch.Request{URL: url}, &bytes.Buffer{})
	if !errors.Is(err, fetch.ErrNetwork) || !strings.Contains(err.Error(), "does not speak https") {
		t.Errorf("got %v, want a server that does not speak https", err)
	}
}

func TestFetchNoServer(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.NotFoundHandler())
	srv.Close()
	_, err := (&fetch.Client{}).Fetch(t.Context(), fetch.Request{URL: srv.URL}, &bytes.Buffer{})
	if !errors.Is(err, fetch.ErrNetwork) {
		t.Errorf("got %v, want ErrNetwork", err)
	}
}

func TestFetchCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			w.Write([]byte("x"))
			w.(http.Flusher).Flush()
		}
		cancel()
		<-r.Context().Done()
	})
	for _, path := range []string{"/body", "/head"} {
		_, err := c.Fetch(ctx, fetch.Request{URL: url + path}, &bytes.Buffer{})
		if !errors.Is(err, context.Canceled) || errors.Is(err, fetch.ErrNetwork) {
			t.Errorf("%s: got %v, want context.Canceled alone", path, err)
		}
	}
}
