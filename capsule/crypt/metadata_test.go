package crypt_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"seed/capsule/crypt"
	"seed/finding"
	"seed/jcs"
)

// plain is a document with one bundle, on which the tests make one change each.
var plain = `{"cipher":"ChaCha20-Poly1305","content_nonce":"` + strings.Repeat("0a", 12) + `","key_bundles":[` + plainBundle + `]}`

var plainBundle = `{"recipient_public_key":"` + strings.Repeat("1b", 32) + `","ephemeral_public_key":"` + strings.Repeat("2c", 32) +
	`","wrap_nonce":"` + strings.Repeat("3d", 12) + `","wrapped_key":"` + strings.Repeat("4e", 48) + `"}`

func TestCAP_ENC_04_marshal(t *testing.T) {
	t.Parallel()
	m, err := crypt.ParseMetadata([]byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	want := crypt.Metadata{Cipher: crypt.Cipher, ContentNonce: [12]byte(bytes.Repeat([]byte{0x0a}, 12)), Bundles: []crypt.Bundle{{
		Recipient: [32]byte(bytes.Repeat([]byte{0x1b}, 32)),
		Ephemeral: [32]byte(bytes.Repeat([]byte{0x2c}, 32)),
		WrapNonce: [12]byte(bytes.Repeat([]byte{0x3d}, 12)),
		Wrapped:   [48]byte(bytes.Repeat([]byte{0x4e}, 48)),
	}}}
	if !reflect.DeepEqual(*m, want) {
		t.Errorf("got %+v, want %+v", *m, want)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(plain), "", "  "); err != nil {
		t.Fatal(err)
	}
	if got := m.Marshal(); !bytes.Equal(got, indented.Bytes()) {
		t.Errorf("got %s, want %s", got, indented.Bytes())
	}
	const empty = "{\n  \"cipher\": \"ChaCha20-Poly1305\",\n  \"content_nonce\": \"000000000000000000000000\",\n  \"key_bundles\": []\n}"
	if got := (&crypt.Metadata{Cipher: crypt.Cipher}).Marshal(); string(got) != empty {
		t.Errorf("got %s, want %s", got, empty)
	}
}

// Bundles stay in the order of the recipients, whatever their bytes.
func TestCAP_ENC_04_roundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fill := func(into []byte) {
			copy(into, rapid.SliceOfN(rapid.Byte(), len(into), len(into)).Draw(t, "bytes"))
		}
		m := crypt.Metadata{Cipher: crypt.Cipher, Bundles: make([]crypt.Bundle, rapid.IntRange(0, 5).Draw(t, "bundles"))}
		fill(m.ContentNonce[:])
		for i := range m.Bundles {
			b := &m.Bundles[i]
			fill(b.Recipient[:])
			fill(b.Ephemeral[:])
			fill(b.WrapNonce[:])
			fill(b.Wrapped[:])
		}
		text := m.Marshal()
		got, err := crypt.ParseMetadata(text)
		if err != nil || !reflect.DeepEqual(*got, m) {
			t.Fatalf("%s: got %+v, %v, want %+v", text, got, err, m)
		}
	})
}

func TestCAP_ENC_07_unknownCipher(t *testing.T) {
	t.Parallel()
	for _, cipher := range []string{"none", "", "AES-256-GCM", "chacha20-poly1305", "ChaCha20-Poly1305 ", "XChaCha20-Poly1305", "\\u001b[31m"} {
		_, err := crypt.ParseMetadata([]byte(strings.Replace(plain, crypt.Cipher, cipher, 1)))
		wantRule(t, err, "CAP-ENC-07")
		if err == nil || !strings.Contains(err.Error(), "unsupported cipher: ") || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: got %v, want the cipher quoted", cipher, err)
		}
	}
	// The name may be spelled with escapes; it is the text that counts.
	if _, err := crypt.ParseMetadata([]byte(strings.Replace(plain, "ChaCha20", `\u0043haCha20`, 1))); err != nil {
		t.Errorf("got %v, want nil", err)
	}
}

func TestCAP_ENC_08_strictMembers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"cipher", "content_nonce", "key_bundles", "recipient_public_key", "ephemeral_public_key", "wrap_nonce", "wrapped_key"} {
		quoted := `"` + name + `"`
		gone := strings.Replace(plain, quoted, `"`+strings.ToUpper(name)+`"`, 1)
		_, err := crypt.ParseMetadata([]byte(gone))
		wantRule(t, err, "CAP-ENC-08")
		if err == nil || !strings.Contains(err.Error(), name+" is missing") {
			t.Errorf("%s in capitals: got %v, want it missing", name, err)
		}
		for _, value := range []string{"null", "1", "true", "{}", "[0]", `"x"`} {
			if name == "cipher" && value == `"x"` {
				continue // a string, and so the matter of another rule
			}
			_, err := crypt.ParseMetadata([]byte(replaceValue(t, name, value)))
			wantRule(t, err, "CAP-ENC-08")
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s = %s: got %v, want an error that names it", name, value, err)
			}
		}
	}
}

// replaceValue returns plain with another value for one member.
func replaceValue(t testing.TB, name, value string) string {
	t.Helper()
	head, tail, ok := strings.Cut(plain, `"`+name+`":`)
	if !ok {
		t.Fatalf("no member %s", name)
	}
	end := strings.IndexByte(tail[1:], '"') + 2
	if name == "key_bundles" {
		end = strings.IndexByte(tail, ']') + 1
	}
	return head + `"` + name + `":` + value + tail[end:]
}

func TestCAP_ENC_08_exactLengths(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{
		"content_nonce": 12, "recipient_public_key": 32, "ephemeral_public_key": 32, "wrap_nonce": 12, "wrapped_key": 48,
	} {
		good := strings.Repeat("af", size)
		if _, err := crypt.ParseMetadata([]byte(replaceValue(t, name, `"`+good+`"`))); err != nil {
			t.Errorf("%s of %d bytes: got %v, want nil", name, size, err)
		}
		for what, value := range map[string]string{
			"empty":           "",
			"a byte short":    good[2:],
			"a digit short":   good[1:],
			"a digit long":    good + "0",
			"a byte long":     good + "00",
			"one capital":     good[:len(good)-1] + "F",
			"all capitals":    strings.ToUpper(good),
			"not hex":         good[:len(good)-1] + "g",
			"blank before":    " " + good[1:],
			"prefix":          "0x" + good[2:],
			"wide digit":      good[3:] + "\uff11",
			"half a wide one": good[2:] + "\u0131",
		} {
			_, err := crypt.ParseMetadata([]byte(replaceValue(t, name, `"`+value+`"`)))
			wantRule(t, err, "CAP-ENC-08")
			if want := fmt.Sprintf("%s is not %d lower-case hex digits", name, 2*size); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: got %v, want %q", name, what, err, want)
			}
		}
	}
}

func TestCAP_ENC_08_shape(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`[]`:   "not an object",
		`null`: "not an object",
		`"x"`:  "not an object",
		`{}`:   "cipher is missing",
		replaceValue(t, "key_bundles", `[`+plainBundle+`,0]`):     "key_bundles[1] is not an object",
		replaceValue(t, "key_bundles", `[`+plainBundle+`,{}]`):    "key_bundles[1].recipient_public_key is missing",
		replaceValue(t, "key_bundles", `[[`+plainBundle+`]]`):     "key_bundles[0] is not an object",
		replaceValue(t, "key_bundles", `{"0":`+plainBundle+`}`):   "key_bundles is not an array",
		replaceValue(t, "key_bundles", `[`+plainBundle+`,null]`):  "key_bundles[1] is not an object",
		replaceValue(t, "key_bundles", `"`+"recipients"+`"`):      "key_bundles is not an array",
		replaceValue(t, "content_nonce", `["`+"0000"+`"]`):        "content_nonce is not a string",
		replaceValue(t, "key_bundles", `[`+plainBundle+`,"x",1]`): "key_bundles[1] is not an object",
	} {
		_, err := crypt.ParseMetadata([]byte(in))
		wantRule(t, err, "CAP-ENC-08")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), crypt.MetadataPath+": ") {
			t.Errorf("%s: got %v, want %q", in, err, want)
		}
	}
}

// What is no strict JSON breaks the rules of JSON, at its place.
func TestCAP_ENC_08_strictJSON(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                               "CAP-JSON-01",
		"{":                              "CAP-JSON-01",
		"\ufeff" + plain:                 "CAP-JSON-01",
		plain + "x":                      "CAP-JSON-01",
		plain + plain:                    "CAP-JSON-01",
		plain[:len(plain)-1]:             "CAP-JSON-01",
		`{"x":"` + "\xff" + `"}`:         "CAP-JSON-01",
		`{"cipher":"a",` + plain[1:]:     "CAP-JSON-02",
		`{"\u0063ipher":"",` + plain[1:]: "CAP-JSON-02",
		`{"x":"\ud800",` + plain[1:]:     "CAP-JSON-03",
		`{"x":1e999,` + plain[1:]:        "CAP-JSON-04",
		`{"x":1e19,` + plain[1:]:         "CAP-JSON-05",
		`{"x":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "," + plain[1:]: "CAP-JSON-08",
	} {
		_, err := crypt.ParseMetadata([]byte(in))
		wantRule(t, err, want)
		var place *finding.Error
		var cause *jcs.Error
		if !errors.As(err, &place) || place.At.Name != crypt.MetadataPath || place.At.Line == 0 || !errors.As(err, &cause) {
			t.Errorf("%.40q: got %v, want a place and the cause", in, err)
		}
	}
}

func TestCAP_ENC_08_unknownMembersAreReported(t *testing.T) {
	t.Parallel()
	in := `{"x-note":1,"Cipher":"none",` + strings.Replace(plain[1:], `"wrap_nonce"`, `"kid":{"a":[]},"wrap_nonce"`, 1)
	m, err := crypt.ParseMetadata([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"x-note", "Cipher", "key_bundles[0].kid"}; !reflect.DeepEqual(m.Unknown, want) {
		t.Errorf("got %q, want %q", m.Unknown, want)
	}
	m.Unknown[0] = "x\x1b[31m"
	m.Unknown = append(m.Unknown, "fourth")
	r := m.Check()
	if len(r.Findings) != 1 || r.Err() != nil || r.Count(finding.Warning) != 1 {
		t.Fatalf("got %+v, want one warning", r)
	}
	const want = crypt.MetadataPath + `: unknown members, ignored: "x\x1b[31m", "Cipher", "key_bundles[0].kid" and 1 more (CAP-ENC-08)`
	if got := r.Findings[0].String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	again, err := crypt.ParseMetadata(m.Marshal())
	if err != nil || len(again.Unknown) != 0 || !reflect.DeepEqual(again.Bundles, m.Bundles) {
		t.Errorf("got %+v, %v, want the same bundles and nothing unknown", again, err)
	}
	if r := again.Check(); len(r.Findings) != 0 {
		t.Errorf("got %+v, want nothing to report", r)
	}
}

func TestCAP_ENC_08_nobodyCanOpenThis(t *testing.T) {
	t.Parallel()
	m, err := crypt.ParseMetadata([]byte(replaceValue(t, "key_bundles", "[]")))
	if err != nil {
		t.Fatal(err)
	}
	r := m.Check()
	if len(r.Findings) != 1 || !strings.Contains(r.Findings[0].String(), "nobody can open this (CAP-ENC-08)") || r.Err() != nil {
		t.Errorf("got %+v, want the warning that nobody can open this", r)
	}
	if _, err := m.Unwrap(version, privateKey(t, 1)); !errors.Is(err, crypt.ErrNotAddressed) {
		t.Errorf("got %v, want ErrNotAddressed", err)
	}
}

func TestCAP_ENC_08_limits(t *testing.T) {
	t.Parallel()
	padded := plain + strings.Repeat(" ", crypt.MaxMetadata-len(plain))
	if _, err := crypt.ParseMetadata([]byte(padded)); err != nil {
		t.Errorf("%d bytes: got %v, want nil", len(padded), err)
	}
	_, err := crypt.ParseMetadata([]byte(padded + " "))
	wantRule(t, err, "CAP-ENC-08")
	for n, want := range map[int]string{
		crypt.MaxBundles:     "key_bundles[0] is not an object",
		crypt.MaxBundles + 1: "4097 key bundles are more than the limit of 4096",
	} {
		_, err := crypt.ParseMetadata([]byte(replaceValue(t, "key_bundles", "[0"+strings.Repeat(",0", n-1)+"]")))
		wantRule(t, err, "CAP-ENC-08")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d elements: got %v, want %q", n, err, want)
		}
	}
	most := crypt.Metadata{Cipher: crypt.Cipher, Bundles: make([]crypt.Bundle, crypt.MaxBundles)}
	if m, err := crypt.ParseMetadata(most.Marshal()); err != nil || len(m.Bundles) != crypt.MaxBundles {
		t.Errorf("%d bundles: got %v, want what is written to be read", crypt.MaxBundles, err)
	}
}

// A message about metadata never repeats what they hold.
func TestMessagesKeepTheBytes(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat("5a", 47)
	_, err := crypt.ParseMetadata([]byte(replaceValue(t, "wrapped_key", `"`+secret+`"`)))
	if err == nil || strings.Contains(err.Error(), hex.EncodeToString(bytes.Repeat([]byte{0x5a}, 4))) {
		t.Errorf("got %v, want an error without the value", err)
	}
}
