package secrets

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"
)

// sampleMarks show that even text of the right shape was made up. They are
// long enough not to come up by chance in a random token.
var sampleMarks = []string{
	"example", "xxxxx", "*****", ".....", "00000000", "11111111", "aaaaaaaa", "12345678", "abcdefgh", "01234567",
	"redacted", "placeholder", "changeme", "your_", "your-", "dummy", "deadbeef",
	"eyjzdwiioiixmjm0nty3odkw", // the payload every page about JWT shows
}

// published are values that stand in public documents as examples, in lower
// case: of RFC 5849, 6749, 6750, 7519 and 8037, of OpenID Connect, GitHub,
// Telegram, Slack, Docker and Kubernetes, and the keys that every emulator of Azure has.
var published = []string{
	"kkk9d7dh3k39sjv7", "ad180jjd733klru7", "dpf43f3p2l4k3l03", "kd94hf93k423kf44",
	"2yotnfzfejr1zcsicmwpaa", "tgzv3jokf0xg5qx2tlkwia", "s6bhdrkqt3", "czzcagrsa3f0mz", "7fjfp0zbr1ktdrbnfvdmiw",
	"mf_9.b5f-4.1jqm", "slav32hkkg", "eyj0exaioijkv1qila0kicjhbgcioijiuzi1nij9", "nwgxne_9wmc6her0kuwsxerjxwl7mmkzcdusaxyuf2a",
	"16c7e42f292c6912e7710c838347ae178b4a", "aahdqtcvch1vgwjxfseofsas0k5paldsaw", "17653672481-19874698323-",
	"3pu6hszjas19xyp7ghgosyx9k8atbfcr8p2is99znpy26u2lkl", "1h8aps2yszaiqmz2l3oc5392pgk8e49qhx2aj3nyv0ui0hez2a",
	"9a08jv.c0izixklcxtmnze7",
	"eby8vdm02xnocqflquwjpllmetlcdxj1ouzft50usrz6ifsufq2uverc", "c2y6ydjf5/r+ob0n8a7cgv30vrdjiwehlm+4qdu5de2nq9ndu",
}

// isSample reports whether text of a known shape is a made-up one.
func isSample(text []byte) bool {
	low := bytes.ToLower(text)
	return containsAny(low, sampleMarks) || containsAny(low, published) || isCounted(low)
}

func containsAny(low []byte, marks []string) bool {
	for _, m := range marks {
		if bytes.Contains(low, []byte(m)) {
			return true
		}
	}
	return false
}

// isCounted reports whether somebody counted instead of drawing at random:
// a1b2c3d4e5f6, 1a2b3c4d-5e6f-7a8b. Letters and digits are each followed by
// their own, and most are the one before or one more; after 9 comes 0, after f
// and z comes a.
func isCounted(low []byte) bool {
	var digit, letter byte
	steps, counted := 0, 0
	for _, c := range low {
		last := &letter
		switch {
		case isDigit(c):
			last = &digit
		case !isLower(c):
			continue
		}
		if *last != 0 {
			steps++
			if c == *last || c == *last+1 || c == '0' && *last == '9' || c == 'a' && (*last == 'f' || *last == 'z') {
				counted++
			}
		}
		*last = c
	}
	return steps >= 6 && 4*counted >= 3*steps
}

// placeholderMarks show that a value stands for a secret or is looked up.
var placeholderMarks = []string{
	"xxx", "***", "...", "---", "___", "changeme", "change_me", "change-me", "change-this", "example", "sample", "your",
	"dummy", "test", "fake", "mock", "redact", "placeholder", "insert", "replace", "todo", "fixme", "default",
	"secret", "passw", "sword", "token", "apikey", "api_key", "api-key", "foobar", "foo", "abcdef", "abc123", "123456", "qwerty",
	"lorem", "demo", "none", "null", "undefined", "process.env", "environ", "getenv", "env.", "env[", "import.meta",
	"sha1", "sha256", "sha512", "md5", "cr3t", "$ecret", "npm:", "/bin/", "%s", "%d", "%v", `\u`, `\x`,
}

// isPlaceholder reports whether a value is no secret by what it says.
func isPlaceholder(text []byte) bool {
	if bytes.HasPrefix(text, []byte{'$'}) || inBrackets(text, '{', '}') || inBrackets(text, '<', '>') || inBrackets(text, '%', '%') {
		return true
	}
	low := bytes.ToLower(text)
	return containsAny(low, placeholderMarks) || containsAny(low, published) || isCounted(low)
}

// inBrackets reports whether something in text stands between the two.
func inBrackets(text []byte, from, to byte) bool {
	i := bytes.IndexByte(text, from)
	return i >= 0 && bytes.IndexByte(text[i+1:], to) > 0
}

// plainText returns what text encodes, if it is the base64 of plain text. That
// what is random decodes to nothing but printable bytes does not happen.
func plainText(text []byte) ([]byte, bool) {
	enc := base64.RawStdEncoding
	if bytes.ContainsAny(text, "-_") {
		enc = base64.RawURLEncoding
	}
	plain, err := enc.DecodeString(strings.TrimRight(string(text), "="))
	if err != nil {
		return nil, false
	}
	plain = bytes.TrimRight(plain, "\r\n")
	if len(plain) < 6 || bytes.ContainsFunc(plain, func(c rune) bool { return c < ' ' || c > '~' }) {
		return nil, false
	}
	return plain, true
}

// realPassword reports whether user:password@host is more than a picture of
// what such a URL looks like.
func realPassword(user, password, host []byte) bool {
	password = unescape(password)
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
	for _, part := range []string{"example", "dummy", "fake", ".test", ".invalid"} {
		if strings.Contains(name, part) {
			return false
		}
	}
	if name == "localhost" || name == "127.0.0.1" || bytes.HasPrefix(host, []byte("[::1]")) {
		return len(user) == 0 || !bytes.HasPrefix(password, user) // minio:minio123, for trying things out
	}
	return name != "host" && name != "hostname" && name != "server"
}

// unescape undoes the percent signs of a URL; what they do not escape stays.
func unescape(b []byte) []byte {
	if plain, err := url.PathUnescape(string(b)); err == nil {
		return []byte(plain)
	}
	return b
}
