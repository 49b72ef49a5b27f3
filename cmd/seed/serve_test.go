package main

import (
	"bytes"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// serve http|https VAR DIR puts the files of a directory on loopback and the URL
// into an environment variable. With https it also sets SSL_CERT_FILE. Besides
// files there are:
//
//	/to/URL      a redirect
//	/missing/X   404 whose body is X
//	/cut/FILE    a connection that ends in the middle of the body
//	/endless     a body that never ends
func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 3 && (args[0] == "http" || args[0] == "https"), "serve http|https VAR DIR")
	dir := ts.MkAbs(args[2])
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/missing/", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, strings.TrimPrefix(r.URL.Path, "/missing/"), http.StatusNotFound)
	})
	mux.HandleFunc("/cut/", func(w http.ResponseWriter, r *http.Request) {
		content, err := os.ReadFile(dir + "/" + strings.TrimPrefix(r.URL.Path, "/cut/"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Length", "1000000")
		_, _ = w.Write(content)
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		piece := bytes.Repeat([]byte("x"), 64<<10)
		for r.Context().Err() == nil {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	server := httptest.NewUnstartedServer(redirects{mux})
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that hang up are the point
	if args[0] == "https" {
		server.StartTLS()
		ca := ts.MkAbs("ca.pem")
		cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
		ts.Check(os.WriteFile(ca, cert, 0o666))
		ts.Setenv("SSL_CERT_FILE", ca)
	} else {
		server.Start()
	}
	ts.Defer(server.Close)
	ts.Setenv(args[1], server.URL)
}

// redirects stands before the mux, which would clean the "//" out of a URL.
type redirects struct{ mux *http.ServeMux }

func (q redirects) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/to/") {
		w.Header().Set("Location", strings.TrimPrefix(r.URL.Path, "/to/"))
		w.WriteHeader(http.StatusFound)
		return
	}
	q.mux.ServeHTTP(w, r)
}
