package secrets

import (
	"bytes"
	"math"
	"strings"
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isWord(c byte) bool  { return isDigit(c) || isLower(c) || isUpper(c) || c == '_' }

// lower folds ASCII only, so that offsets stay what they are.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if isUpper(c) {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// entropy is the Shannon entropy of the bytes of b, in bits a byte. Random hex
// comes near 4, random base64 of 40 bytes near 4.9, words lie around 3.
func entropy(b []byte) float64 {
	if len(b) == 0 {
		return 0
	}
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	n, sum := float64(len(b)), 0.0
	for _, k := range count {
		if k > 0 {
			p := float64(k) / n
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// sampleMarks show that even text of the right shape was made up. They are
// long enough not to come up by chance in a random token.
var sampleMarks = []string{
	"example", "xxxxx", "*****", ".....", "00000000", "11111111", "aaaaaaaa", "12345678", "abcdefgh", "01234567",
	"redacted", "placeholder", "changeme", "your_", "your-", "dummy", "deadbeef",
	"eyjzdwiioiixmjm0nty3odkw", // the payload every page about JWT shows
}

// isSample reports whether text of a known shape is a made-up one.
func isSample(text []byte) bool {
	low := bytes.ToLower(text)
	for _, m := range sampleMarks {
		if bytes.Contains(low, []byte(m)) {
			return true
		}
	}
	return false
}

// placeholderMarks show that a value stands for a secret or is looked up.
var placeholderMarks = []string{
	"xxx", "***", "...", "---", "___", "changeme", "change_me", "change-me", "change-this", "example", "sample", "your",
	"dummy", "test", "fake", "mock", "redact", "placeholder", "insert", "replace", "todo", "fixme", "default",
	"secret", "passw", "token", "apikey", "api_key", "api-key", "foobar", "foo", "abcdef", "abc123", "123456", "qwerty",
	"lorem", "demo", "none", "null", "undefined", "process.env", "environ", "getenv", "env.", "env[", "import.meta",
	"sha1", "sha256", "sha512", "md5",
}

// isPlaceholder reports whether a value is no secret by what it says.
func isPlaceholder(text []byte) bool {
	if bytes.ContainsAny(text, "<>{}$%") && (bytes.ContainsAny(text, "<{%") || text[0] == '$') {
		return true
	}
	low := bytes.ToLower(text)
	for _, m := range placeholderMarks {
		if bytes.Contains(low, []byte(m)) {
			return true
		}
	}
	return false
}

// looksRandom reports whether a value of unknown shape was made by a machine:
// printable, without blanks, letters and digits mixed, and not mostly words.
func looksRandom(text []byte, quoted bool) bool {
	least := 10
	if !quoted {
		least = 12
	}
	if len(text) < least || len(text) > 300 {
		return false
	}
	var digits, letters, odd, inWords, run int
	vowel := false
	for i := 0; i <= len(text); i++ {
		if i < len(text) && (isLower(text[i]) || isUpper(text[i]) && run == 0) {
			run++
			letters++
			vowel = vowel || strings.IndexByte("aeiouAEIOU", text[i]) >= 0
			continue
		}
		if run >= 4 && vowel {
			inWords += run
		}
		run, vowel = 0, false
		switch {
		case i == len(text):
		case text[i] <= ' ' || text[i] >= 0x7f:
			return false
		case isDigit(text[i]):
			digits++
		case isUpper(text[i]):
			letters++
			run = 1
			vowel = strings.IndexByte("AEIOU", text[i]) >= 0
		case strings.IndexByte("+/=_-.~", text[i]) < 0:
			odd++
		}
	}
	if bytes.IndexByte(text, '[') >= 0 && bytes.IndexByte(text, ']') >= 0 {
		return false // an expression such as Jobs[-1].JobId
	}
	if digits == 0 || letters == 0 || odd > len(text)/4 || 2*inWords > len(text) {
		return false
	}
	// A short text cannot reach the entropy of a long one.
	return entropy(text) >= math.Min(3.5, 0.87*math.Log2(float64(len(text))))
}

// realPassword reports whether user:password@host is more than a picture of
// what such a URL looks like.
func realPassword(user, password, host []byte) bool {
	if len(password) < 4 || bytes.EqualFold(user, password) || bytes.EqualFold(user, []byte("aladdin")) || // of RFC 7617
		isPlaceholder(password) || isPlaceholder(user) {
		return false
	}
	if password[0] == '$' || password[0] == '%' || password[0] == ':' || password[0] == '*' {
		return false
	}
	switch string(bytes.ToLower(password)) {
	case "pass", "pwd", "word", "user", "admin", "root", "postgres", "mysql", "guest", "redis", "mongo", "port", "host":
		return false
	}
	end := 0
	for end < len(host) && (isWord(host[end]) || host[end] == '.' || host[end] == '-') {
		end++
	}
	name := lower(string(host[:end]))
	return !strings.Contains(name, "example") && name != "host" && name != "hostname" && name != "server"
}
