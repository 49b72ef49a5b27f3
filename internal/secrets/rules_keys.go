package secrets

import "bytes"

// Private keys in their own formats.
var keyRules = []*Rule{
	{
		ID: "SEC-PRIVATE-KEY", Title: "a private key",
		words: []string{"PRIVATE KEY"}, back: "BEGIN ", entropy: 3.5,
		expr: `BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}`, body: armourBody,
	},
	{
		ID: "SEC-PUTTY-KEY", Title: "a PuTTY private key",
		words: []string{"PuTTY-User-Key-File-"},
		expr:  `PuTTY-User-Key-File-[1-3]: ?[a-z0-9-]+\s+Encryption: ?[a-z0-9-]+`,
	},
	{
		ID: "SEC-AGE-KEY", Title: "an age secret key",
		words: []string{"AGE-SECRET-KEY-"}, entropy: 3,
		expr: `AGE-SECRET-KEY-(?:PQ-)?1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`,
	},
	{
		ID: "SEC-JWK", Title: "a private JSON web key",
		words: []string{`"kty"`, `"d":`}, entropy: 3.5,
		expr: `"kty"|"d":`, body: jwkSecret,
	},
	{
		ID: "SEC-WIREGUARD-KEY", Title: "a WireGuard private key",
		kind: value, words: []string{"privatekey", "presharedkey"}, entropy: 4,
		expr: `[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=`,
	},
	{
		ID: "SEC-KUBE-KEY", Title: "a Kubernetes client key",
		kind: value, words: []string{"client-key-data"}, entropy: 4,
		expr: `[A-Za-z0-9+/]{40,}={0,2}`,
	},
	{
		ID: "SEC-NATS-SEED", Title: "a NATS seed",
		words: []string{"NKEY SEED-----"}, entropy: 3.5,
		expr: `NKEY SEED-----\s+(S[A-Z][A-Z2-7]{56})`,
	},
	{
		ID: "SEC-WALLET-KEY", Title: "an extended private key of a wallet",
		words: []string{"xprv", "yprv", "zprv", "tprv"}, entropy: 4,
		expr: `[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107}`,
	},
}

// armourBody finds the base64 text after the first line of an armoured key.
// Between the two stand headers, escaped line ends, or the quotes and signs of
// a string in source code. A page about keys has no body, or a short one.
func armourBody(b []byte) (start, end int) {
	const (
		least   = 40
		headers = 6
	)
	seen := 0
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '\\':
			i += 2
		case !isWord(c):
			i++
		default:
			n := i
			for n < len(b) && (isWord(b[n]) && b[n] != '_' || b[n] == '+' || b[n] == '/') {
				n++
			}
			if n-i >= least {
				if isCut(b[i:n], b[n:]) {
					return 0, 0
				}
				return i, n
			}
			// Names of headers have a dash: Proc-Type, DEK-Info.
			for n < len(b) && (isWord(b[n]) || b[n] == '-') {
				n++
			}
			if n == len(b) || b[n] != ':' || seen == headers {
				return 0, 0
			}
			seen++
			for n < len(b) && b[n] != '\n' && b[n] != '\\' {
				n++
			}
			i = n
		}
	}
	return 0, 0
}

// isCut reports whether a body was made unusable for a page: cut by dots, or
// with the word in it that Amazon writes into all its samples.
func isCut(body, rest []byte) bool {
	return bytes.HasPrefix(rest, []byte("...")) || bytes.Contains(body, []byte("EXAMPLE"))
}

// jwkSecret finds the member d of a private key of RFC 7517 in what follows one
// of the two names: after "kty" it comes later in the same object; after "d" it
// is next, and "kty" must still come, or this is some other object.
func jwkSecret(b []byte) (start, end int) {
	object := b
	if i := bytes.IndexAny(b, "{}"); i >= 0 {
		object = b[:i]
	}
	i := skipBlank(b, 0)
	if i < len(b) && b[i] == ':' {
		at := bytes.Index(object, []byte(`"d"`))
		if at < 0 {
			return 0, 0
		}
		i = skipBlank(b, at+len(`"d"`))
		if i >= len(b) || b[i] != ':' {
			return 0, 0
		}
		i = skipBlank(b, i+1)
	} else if !bytes.Contains(object, []byte(`"kty"`)) {
		return 0, 0
	}
	if i >= len(b) || b[i] != '"' {
		return 0, 0
	}
	start = i + 1
	end = start
	for end < len(b) && (isWord(b[end]) || b[end] == '-') {
		end++
	}
	const least = 40 // an Ed25519 or P-256 key has 43
	if end-start < least || isSample(b[start:end]) {
		return 0, 0
	}
	return start, end
}
