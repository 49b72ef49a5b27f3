package secrets

import "strings"

// Files that exist to hold secrets. The expression sees the lower-case path
// with a slash before it. What can also be harmless (config.json of Docker,
// .npmrc, *.pem) is left to the rules for content.
var pathRules = []*Rule{
	{
		ID: "SEC-DOTENV", Title: "a file of environment secrets", kind: holder,
		expr: `.*/(?:\.env(?:\.[^/]+)?|[^/]+\.env)\z`, except: isPattern,
	},
	{
		ID: "SEC-SSH-KEY-FILE", Title: "an SSH private key file", kind: named,
		expr: `.*/id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk|xmss)\z`,
	},
	{
		ID: "SEC-CAPSULE-KEY-FILE", Title: "a private key of a capsule", kind: named,
		expr: `.*/(?:[^/]*[._-])?(?:private|secret)(?:[._-]key)?\.hex\z`,
	},
	{
		ID: "SEC-CREDENTIALS-FILE", Title: "a file of credentials", kind: holder,
		expr: `.*/(?:\.pgpass|pgpass\.conf|\.git-credentials|\.aws/credentials|\.gem/credentials|` +
			`\.cargo/credentials(?:\.toml)?|\.my\.cnf|\.mylogin\.cnf|\.s3cfg|\.boto|\.htpasswd|rclone\.conf|\.dockercfg|` +
			`credentials\.tfrc\.json|application_default_credentials\.json|\.config/gcloud/.*credentials.*|` +
			`\.config/gh/hosts\.yml|\.kube/config|\.fly/config\.yml)\z`,
	},
	{
		ID: "SEC-NETRC-FILE", Title: "a file of logins", kind: named,
		expr: `.*/[._]netrc\z`,
	},
	{
		ID: "SEC-VAULT-FILE", Title: "a token file", kind: named,
		expr: `.*/\.vault-token\z`,
	},
	{
		ID: "SEC-KEY-STORE", Title: "a key store", kind: named,
		expr: `.*/(?:[^/]+\.(?:kdbx?|p12|pfx|jks|jceks|bcfks|keystore|keychain|keychain-db|agilekeychain|ppk)|secring\.gpg|` +
			`private-keys-v1\.d/[^/]+\.key|logins\.json|key[34]\.db)\z`,
	},
	{
		ID: "SEC-TERRAFORM-STATE", Title: "a Terraform state, which holds secrets in the clear", kind: holder,
		expr: `.*/(?:[^/]+\.)?tfstate(?:\.backup)?\z`,
	},
	{
		ID: "SEC-WALLET-FILE", Title: "a wallet", kind: named,
		expr: `.*/(?:wallet\.dat|default_wallet|[^/]+\.wallet|utc--[0-9]{4}-[^/]*--[0-9a-f]{40}(?:\.json)?|\.ethereum/keystore/[^/]+|` +
			`\.config/solana/id\.json)\z`,
	},
}

// patternSuffixes mark files that show what a .env should hold.
var patternSuffixes = []string{"example", "sample", "template", "dist", "tmpl", "tpl", "defaults", "schema", "md", "txt.example", "d.ts"}

// pathRule returns the rule that a lower-case path breaks by its name, or nil.
func pathRule(path string) *Rule {
	name := base(path)
	// Names are looked at before expressions: nearly all files end here.
	if !strings.Contains(name, "env") && !strings.HasPrefix(name, "id_") && !strings.HasPrefix(name, "utc--") &&
		!suspicious(path, name) {
		return nil
	}
	for _, r := range pathRules {
		if r.compiled().MatchString("/" + path) {
			if r.except != nil && r.except(name) {
				return nil
			}
			return r
		}
	}
	return nil
}

func suspicious(path, name string) bool {
	for _, s := range []string{
		"pass", "cred", "cnf", "cfg", "conf", "netrc", "boto", "hosts.yml", "vault", "kdb", "p12", "pfx", "jks", "jceks", "bcfks", "key",
		"ppk", "secring", "logins.json", "tfstate", "wallet", "id.json", ".hex",
	} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return strings.Contains(path, "keystore/") || strings.Contains(path, ".config/gcloud/")
}

func isPattern(name string) bool {
	for _, s := range patternSuffixes {
		if strings.HasSuffix(name, "."+s) || strings.HasPrefix(name, s+".") {
			return true
		}
	}
	return strings.Contains(name, "example") || strings.Contains(name, "sample") || strings.Contains(name, "template")
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// readsBare reports whether a value without quotes may be a secret: in
// configuration it is text, in a programming language an expression.
func readsBare(path string) bool {
	name := base(path)
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		switch name {
		case "credentials", "config", "kubeconfig", "dockerfile", "procfile", "netrc", "env":
			return true
		}
		return false
	}
	switch name[dot+1:] {
	case "env", "ini", "cfg", "conf", "cnf", "config", "properties", "props", "yaml", "yml", "toml", "tfvars", "npmrc", "pypirc",
		"netrc", "envrc", "sh", "bash", "zsh", "service", "txt", "log", "kubeconfig", "s3cfg", "boto", "tfrc",
		"bashrc", "bash_profile", "bash_history", "zshrc", "zshenv", "zprofile", "zsh_history", "profile":
		return true
	}
	return strings.HasPrefix(name, ".env.")
}

// holderState looks for one line that gives a name a value.
type holderState struct {
	found bool
	part  uint8
}

const (
	atStart uint8 = iota
	inName
	inValue
	inComment
)

func (s *holderState) feed(chunk []byte) {
	for _, c := range chunk {
		if s.found {
			return
		}
		switch {
		case c == '\n':
			s.part = atStart
		case s.part == inComment || c <= ' ':
		case c == '#' && s.part != inName || c == ';' && s.part == atStart:
			s.part = inComment
		case s.part == inValue && c != '"' && c != '\'' && c != ',':
			s.found = true
		case s.part == inName && (c == '=' || c == ':'):
			s.part = inValue
		case s.part == atStart && c != '{' && c != '}':
			s.part = inName
		}
	}
}
