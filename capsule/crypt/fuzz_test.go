package crypt_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"seed/capsule/crypt"
	"seed/finding"
)

func FuzzParseMetadata(f *testing.F) {
	for _, s := range []string{
		plain,
		"", "{}", "[]", "null",
		`{"x-note":1,` + plain[1:],
		`{"cipher":"none",` + plain[1:],
		strings.Replace(plain, "[{", "[[{", 1),
		strings.Replace(plain, plainBundle, "", 1),
		strings.Replace(plain, plainBundle, plainBundle+","+plainBundle, 1),
		strings.ToUpper(plain),
	} {
		f.Add([]byte(s))
	}
	priv := privateKey(f, 1)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := crypt.ParseMetadata(data)
		if err != nil {
			var broken *finding.Error
			if m != nil || !errors.As(err, &broken) || broken.Rule.ID == "" {
				t.Fatalf("got %v, %#v, want a broken rule", m, err)
			}
			return
		}
		if m.Cipher != crypt.Cipher || len(m.Bundles) > crypt.MaxBundles {
			t.Fatalf("accepted %q with %d bundles", m.Cipher, len(m.Bundles))
		}
		again, err := crypt.ParseMetadata(m.Marshal())
		if err != nil {
			t.Fatalf("%s does not parse: %v", m.Marshal(), err)
		}
		unknown := m.Unknown
		m.Unknown = nil // not written
		if !reflect.DeepEqual(again, m) {
			t.Fatalf("got %+v, want %+v", again, m)
		}
		m.Unknown = unknown
		if r := m.Check(); (len(r.Findings) == 0) != (len(unknown) == 0 && len(m.Bundles) > 0) || r.Err() != nil {
			t.Fatalf("Check: got %+v", r)
		}
		if _, err := m.Unwrap(version, priv); !errors.Is(err, crypt.ErrNotAddressed) && !errors.Is(err, crypt.ErrWrappedKey) {
			t.Fatalf("Unwrap: got %v, want no key", err)
		}
	})
}
