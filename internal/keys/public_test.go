package keys_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"seed/finding"
	"seed/internal/keys"
)

// The first test of RFC 8032 and Alice of RFC 7748.
const (
	signSecret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
	signPublic = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
	recvSecret = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"
	recvPublic = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
)

// rule gives the id of the rule that an error says was broken.
func rule(err error) string {
	var broken *finding.Error
	if errors.As(err, &broken) {
		return broken.Rule.ID
	}
	return ""
}

func hint(err error) string {
	var broken *finding.Error
	if errors.As(err, &broken) {
		return broken.Hint
	}
	return ""
}

func TestCAP_ENC_10_publicKeysSayTheirKind(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"ed25519:" + signPublic, "ed25519:" + strings.ToUpper(signPublic),
		"x25519:" + recvPublic, "x25519:" + strings.ToUpper(recvPublic),
	} {
		p, err := keys.ParsePublic(in)
		if err != nil || p.String() != strings.ToLower(in) {
			t.Errorf("%s: got %v, %v, want it in lower case", in, p, err)
		}
	}
	for _, in := range []string{signPublic, strings.ToUpper(recvPublic)} {
		_, err := keys.ParsePublic(in)
		if rule(err) != "CAP-ENC-10" || !strings.Contains(hint(err), "x25519:") {
			t.Errorf("%s: got %v with hint %q, want it refused for its missing kind", in, err, hint(err))
		}
	}
}

func TestParsePublicRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", "not a public key"},
		{"alice", "not a public key"},
		{"rsa:" + signPublic, "the kinds are"},
		{"ED25519:" + signPublic, "the kinds are"},
		{":" + signPublic, "the kinds are"},
		{"ed25519:", "0 characters"},
		{"ed25519:" + signPublic[2:], "62 characters"},
		{"ed25519:" + signPublic + "00", "66 characters"},
		{"ed25519:" + signPublic + "\n", "65 characters"},
		{"ed25519: " + signPublic[1:], "no hex digit"},
		{"x25519:g" + recvPublic[1:], "no hex digit"},
	} {
		p, err := keys.ParsePublic(c.in)
		if err == nil || !strings.Contains(err.Error(), c.want) || p != (keys.Public{}) {
			t.Errorf("%q: got %v, %v, want %q", c.in, p, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), signPublic[4:20]) {
			t.Errorf("%q: got %v, which repeats what may be a secret", c.in, err)
		}
	}
}

func TestCAP_TRU_02_signersInEitherCase(t *testing.T) {
	t.Parallel()
	for _, in := range []string{signPublic, strings.ToUpper(signPublic), "ed25519:" + signPublic} {
		p, err := keys.ParsePublicAs(in, keys.Signing)
		if err != nil || p.Hex() != signPublic || p.Kind != keys.Signing {
			t.Errorf("%s: got %v, %v, want the signer", in, p, err)
		}
	}
	for _, in := range []string{"", signPublic[1:], signPublic + "a", "z" + signPublic[1:], " " + signPublic} {
		if p, err := keys.ParsePublicAs(in, keys.Signing); err == nil {
			t.Errorf("%q: got %v, want it refused", in, p)
		}
	}
	p, err := keys.ParsePublicAs(recvPublic, keys.Receiving)
	if err != nil || p.String() != "x25519:"+recvPublic {
		t.Errorf("got %v, %v, want the recipient", p, err)
	}
	for in, kind := range map[string]keys.Kind{
		"x25519:" + recvPublic:  keys.Signing,
		"ed25519:" + signPublic: keys.Receiving,
	} {
		if _, err := keys.ParsePublicAs(in, kind); !errors.Is(err, keys.ErrWrongKind) || rule(err) != "CAP-ENC-10" {
			t.Errorf("%s as %s: got %v, want ErrWrongKind", in, kind, err)
		}
	}
}

// Keys for which anybody can sign, or that are one key in two spellings.
func TestCAP_ED_01_CAP_ED_02_CAP_TRU_02_signersThatAreNobody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, rule string }{
		{"ee" + strings.Repeat("ff", 30) + "7f", "CAP-ED-01"},
		{strings.Repeat("ff", 32), "CAP-ED-01"},
		{strings.Repeat("00", 32), "CAP-ED-02"},
		{"01" + strings.Repeat("00", 31), "CAP-ED-02"},
		{"ec" + strings.Repeat("ff", 30) + "7f", "CAP-ED-02"},
		{"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "CAP-ED-02"},
		{"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", "CAP-ED-02"},
	} {
		_, typed := keys.ParsePublic("ed25519:" + c.key)
		_, bare := keys.ParsePublicAs(c.key, keys.Signing)
		for _, err := range []error{typed, bare} {
			if rule(err) != c.rule || strings.Count(err.Error(), c.rule) != 1 {
				t.Errorf("%s: got %v, want %s once", c.key, err, c.rule)
			}
		}
	}
}

func TestRecipientsThatNobodyIs(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		strings.Repeat("00", 32):                                           "order is small",
		"01" + strings.Repeat("00", 31):                                    "order is small",
		"ec" + strings.Repeat("ff", 30) + "7f":                             "order is small",
		"e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800": "order is small",
		"5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157": "order is small",
		"ed" + strings.Repeat("ff", 30) + "7f":                             "not canonical",
		"ee" + strings.Repeat("ff", 30) + "7f":                             "not canonical",
		recvPublic[:62] + "ea":                                             "not canonical", // the top bit, which X25519 ignores
	} {
		if _, err := keys.ParsePublic("x25519:" + key); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", key, err, want)
		}
	}
	// The largest canonical values around the limit.
	for _, key := range []string{"eb" + strings.Repeat("ff", 30) + "7f", "ff" + strings.Repeat("ff", 29) + "fe7f"} {
		if _, err := keys.ParsePublic("x25519:" + key); err != nil {
			t.Errorf("%s: got %v, want it accepted", key, err)
		}
	}
}

func TestPublicText(t *testing.T) {
	t.Parallel()
	p := public(t, "ed25519:"+signPublic)
	got, err := json.Marshal(map[string]any{"key": p})
	if err != nil || string(got) != `{"key":"ed25519:`+signPublic+`"}` {
		t.Errorf("got %s, %v", got, err)
	}
	if got := (keys.Public{}).String(); got != "" {
		t.Errorf("zero value: got %q, want nothing", got)
	}
	raw, err := hex.DecodeString(signPublic)
	if err != nil || string(p.Key[:]) != string(raw) {
		t.Errorf("got %x, want %s", p.Key, signPublic)
	}
}

func public(t *testing.T, s string) keys.Public {
	t.Helper()
	p, err := keys.ParsePublic(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPublicFile(t *testing.T) {
	t.Parallel()
	const ssh = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea"
	for _, c := range []struct{ in, label, err string }{
		{"ed25519:" + signPublic + "\n", "", ""},
		{"ed25519:" + signPublic, "", ""},
		{"ed25519:" + signPublic + " Alice of old\r\n", "Alice of old", ""},
		{ssh + " alice@example\n", "alice@example", ""},
		{ssh, "", ""},
		{ssh + " \x1b[31m\n", "", ""}, // no comment is worth an escape sequence
		{ssh[:len(ssh)-4] + " a\n", "", "malformed SSH public key"},
		{"ssh-ed25519 !!!! a\n", "", "not base64"},
		{"ssh-rsa AAAA a\n", "", `type "ssh-rsa"`},
		{"ssh-ed25519 AAAAB3NzaC1yc2EAAAABAA== a\n", "", `type "ssh-rsa"`},
		{"ecdsa-sha2-nistp256 AAAA a\n", "", "only ssh-ed25519"},
		{"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA a\n", "", "CAP-ED-02"},
		{signPublic + "\n", "", "CAP-ENC-10"},
		{"ed25519:" + signPublic + "\ned25519:" + signPublic + "\n", "", "not a file of one public key"},
		{"ed25519:" + signPublic + " \u202eAlice\n", "", "cannot be seen"},
		{"-----BEGIN OPENSSH PRIVATE KEY-----\n", "", "a private key"},
		{"", "", "not a public key"},
		{strings.Repeat("a", 1<<15), "", "not a file of one public key"},
	} {
		p, label, err := keys.ParsePublicFile([]byte(c.in))
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%.80q: got %v, want %q", c.in, err, c.err)
			continue
		}
		if err == nil && (p.String() != "ed25519:"+signPublic || label != c.label) {
			t.Errorf("%.80q: got %v %q, want label %q", c.in, p, label, c.label)
		}
	}
	data, err := keys.MarshalPublic(public(t, "x25519:"+recvPublic), "Bob")
	if err != nil || string(data) != "x25519:"+recvPublic+" Bob\n" {
		t.Fatalf("got %q, %v", data, err)
	}
	if p, label, err := keys.ParsePublicFile(data); err != nil || label != "Bob" || p.Hex() != recvPublic {
		t.Errorf("back again: got %v %q, %v", p, label, err)
	}
	if _, err := keys.MarshalPublic(public(t, "x25519:"+recvPublic), "two\nlines"); err == nil {
		t.Error("a label of two lines: got nil, want an error")
	}
}
