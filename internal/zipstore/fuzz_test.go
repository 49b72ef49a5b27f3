package zipstore_test

import (
	stdzip "archive/zip"
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"
	"testing"

	"seed/internal/zipstore"
)

// FuzzOpen: nothing panics. What opens has its entries inside the file and apart
// from each other, other programs see the same contents, and written again it
// opens again with them.
func FuzzOpen(f *testing.F) {
	for _, data := range samples() {
		f.Add(data)
	}
	symlink := zip("a", "target")
	symlink.parts[0].central.external = 0o120777 << 16
	f.Add(symlink.bytes())
	f.Add(write(f, files(map[string]string{"\ue000": "x", "\U0001f600": "y"})))
	f.Add(zip("inner.zip", string(two().bytes())).bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := open(data, zipstore.Options{MaxEntries: 100})
		if err != nil {
			var broken *zipstore.Error
			if !errors.As(err, &broken) || broken.Reason == "" || broken.Rule.ID == "" || broken.Msg == "" {
				t.Fatalf("got %#v, want a refusal with a reason", err)
			}
			return
		}
		sorted := slices.Clone(a.Entries)
		slices.SortFunc(sorted, func(x, y zipstore.Entry) int { return cmp.Compare(x.Offset, y.Offset) })
		end := int64(0)
		for _, e := range sorted {
			if e.Offset < end+30+int64(len(e.Name)) || e.Size < 0 || e.Offset+e.Size > int64(len(data)) {
				t.Fatalf("%q at %d with %d bytes after %d of %d", e.Name, e.Offset, e.Size, end, len(data))
			}
			end = e.Offset + e.Size
		}
		want, err := contents(a)
		if err != nil {
			return
		}
		if got := stdContents(t, data); !maps.Equal(got, want) {
			t.Fatalf("archive/zip reads %q, we read %q", got, want)
		}
		var out bytes.Buffer
		_, err = zipstore.Write(&out, files(want), zipstore.Options{})
		var broken *zipstore.Error
		if errors.As(err, &broken) && broken.Reason == zipstore.AmbiguousEOCD {
			return // content can be such that it cannot stand at this place
		}
		if err != nil {
			t.Fatal(err)
		}
		again, err := open(out.Bytes(), zipstore.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := contents(again); err != nil || !maps.Equal(got, want) {
			t.Fatalf("written again: got %q, %v, want %q", got, err, want)
		}
	})
}

func stdContents(t *testing.T, data []byte) map[string]string {
	t.Helper()
	r, err := stdzip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("archive/zip: %v", err)
	}
	got := make(map[string]string)
	for _, f := range r.File {
		if f.Name[len(f.Name)-1] == '/' {
			continue
		}
		rc, err := f.Open()
		if err != nil {
			t.Fatalf("archive/zip: %q: %v", f.Name, err)
		}
		text, err := io.ReadAll(rc)
		if err != nil {
			t.Fatalf("archive/zip: %q: %v", f.Name, err)
		}
		got[f.Name] = string(text)
	}
	return got
}
