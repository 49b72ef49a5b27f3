package secrets

import "strings"

// named reports whether the rest of the name lets the value be a secret:
// password_file and tokenType say that it is something else.
func (a assigned) named(v *view) bool {
	if a.isCursor(v) || a.isTypeName(v) {
		return false
	}
	rest := lower(string(v.b[v.end:a.nameEnd]))
	if rest == "" {
		return true
	}
	rest = strings.Trim(rest, "_-0123456789")
	switch rest {
	case "", "key", "value", "val", "s", "string", "str", "token", "secret", "password", "base64", "b64", "hex",
		"bytes", "prod", "production", "live", "dev", "staging", "default", "admin", "root", "user", "db", "raw", "plain",
		"access_key", "accesskey", "api_key", "apikey", "private_key", "signing_key", "encryption_key", "key_base":
		return true
	}
	return false
}

// isCursor reports whether the name is that of a token that gives access to
// nothing: a place in a list, a lock, the number of a request.
func (a assigned) isCursor(v *view) bool {
	if v.end-v.at != len("token") || v.b[v.at]|0x20 != 't' {
		return false
	}
	from := v.at
	for from > 0 && v.at-from < maxSuffix && (isWord(v.b[from-1]) || v.b[from-1] == '-') {
		from--
	}
	name := lower(string(v.b[from:v.at]))
	lead := strings.TrimRight(name, "_-")
	for _, word := range cursorWords {
		if strings.HasSuffix(lead, word) {
			return true
		}
	}
	if strings.HasPrefix(lead, "next") {
		return true
	}
	// Clients of AWS number their requests with UUIDs and call that clientToken;
	// the client_token of Vault is a token indeed.
	return strings.HasSuffix(name, "client") && isUUID(v.b[a.start:a.end])
}

var cursorWords = []string{
	"next", "page", "pagination", "continuation", "cursor", "resume", "sync", "lock", "change", "update", "action",
	"request", "idempotency", "cancellation", "publickey", "public_key", "csrf", "xsrf",
}

// isTypeName reports whether the name is a key in quotes that ends a qualified
// name: "AWS::IAM::AccessKey" maps to something about that type.
func (a assigned) isTypeName(v *view) bool {
	from := v.at
	for from > 0 && isWord(v.b[from-1]) {
		from--
	}
	return from >= 2 && v.b[from-1] == ':' && v.b[from-2] == ':' && skipQuote(v.b, a.nameEnd) > a.nameEnd
}

func isUUID(b []byte) bool {
	if len(b) != 36 {
		return false
	}
	for i, c := range b {
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if c |= 0x20; !isDigit(c) && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}
