package secrets

import (
	"bytes"
	"encoding/base64"
)

// Secrets known by where they stand rather than by whose they are.
var plainRules = []*Rule{
	{
		ID: "SEC-JWT", Title: "a JSON web token",
		words: []string{".eyJ"}, back: backURL64, entropy: 4,
		expr: `eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}`, check: claims,
	},
	{
		ID: "SEC-AUTH-HEADER", Title: "a credential in an Authorization header",
		words: []string{"Bearer ", "bearer "}, entropy: 3.5, yields: true,
		expr: `[Bb]earer +([A-Za-z0-9_.+/~-]{20,}={0,2})`, check: mixed,
	},
	{
		ID: "SEC-BASIC-HEADER", Title: "a login in an Authorization header",
		words: []string{"Basic "}, entropy: 2.5,
		expr: `Basic +([A-Za-z0-9+/]{8,}={0,2})`, check: encodesLogin,
	},
	{
		ID: "SEC-DATABASE-URL", Title: "a database URL with a password",
		kind: login, words: []string{"://"}, yields: true,
		expr: `(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|oracle|clickhouse|` +
			`cockroachdb|cassandra|neo4j|nats|jdbc|snowflake|couchdb|memcached|srv)(?:\+[a-z0-9]+)?\z`,
	},
	{
		ID: "SEC-URL-PASSWORD", Title: "a URL with a password",
		kind: login, words: []string{"://"}, yields: true,
		expr: `(?:https?|ftps?|sftp|ssh|git(?:\+[a-z]+)?|svn(?:\+ssh)?|wss?|ldaps?|smtps?|imaps?|pop3s?|socks5?h?|smb|rtsp|s3|dav|webdavs?|proxy)\z`,
	},
	{
		ID: "SEC-NETRC", Title: "a password in a netrc file",
		words: []string{"password"}, files: ".netrc _netrc netrc",
		expr: `password[ \t\r\n]+(\S{4,})`,
	},
	{
		ID: "SEC-OAUTH-SECRET", Title: "an OAuth client secret",
		kind: value, words: []string{"client_secret", "clientsecret", "client-secret", "consumer_secret", "consumersecret"},
		expr: `[A-Za-z0-9_~.+/=-]{16,128}`, entropy: 3.3, check: mixed,
	},
	{
		ID: "SEC-GENERIC", Title: "a secret in an assignment",
		kind: guess, yields: true,
		words: []string{
			"password", "passwd", "passphrase", "secret", "token", "api_key", "apikey", "api-key", "access_key", "accesskey",
			"access-key", "auth_key", "authkey", "private_key", "privatekey", "signing_key", "encryption_key", "credential",
		},
	},
}

// mixed asks for what a machine made: letters and digits, not mostly words.
func mixed(text []byte) bool { return looksRandom(text, true) && !isPlaceholder(text) }

// claims reports whether a JSON web token says something: what tutorials sign is
// short and has none of the registered claims.
func claims(text []byte) bool {
	parts := bytes.Split(text, []byte{'.'})
	payload, err := base64.RawURLEncoding.DecodeString(string(parts[1]))
	if err != nil || len(payload) >= 40 {
		return true // too much for a sample, or not ours to judge
	}
	for _, name := range []string{"iss", "sub", "aud", "exp", "nbf", "iat", "jti"} {
		if bytes.Contains(payload, []byte(`"`+name+`"`)) {
			return true
		}
	}
	return false
}

// encodesLogin reports whether text is the base64 of user:password, as Docker
// and HTTP write it.
func encodesLogin(text []byte) bool {
	plain, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil {
		plain, err = base64.RawStdEncoding.DecodeString(string(text))
	}
	if err != nil || bytes.ContainsFunc(plain, func(c rune) bool { return c < 0x20 || c > 0x7e }) {
		return false
	}
	user, password, ok := bytes.Cut(plain, []byte{':'})
	return ok && len(user) > 0 && realPassword(user, password, nil)
}
