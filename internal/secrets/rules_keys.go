package secrets

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
