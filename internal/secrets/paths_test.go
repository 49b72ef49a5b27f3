package secrets_test

import (
	"testing"

	"seed/internal/secrets"
)

func TestPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		".env":                    "SEC-DOTENV",
		"a/b/.env":                "SEC-DOTENV",
		".ENV":                    "SEC-DOTENV",
		".env.local":              "SEC-DOTENV",
		".env.production":         "SEC-DOTENV",
		"deploy/prod.env":         "SEC-DOTENV",
		".env.example":            "",
		".env.sample":             "",
		".env.template":           "",
		".env.dist":               "",
		".env.local.example":      "",
		"example.env":             "",
		"environment.go":          "",
		"env":                     "",
		"my.envelope":             "",
		"id_rsa":                  "SEC-SSH-KEY-FILE",
		".ssh/id_ed25519":         "SEC-SSH-KEY-FILE",
		"keys/id_ecdsa":           "SEC-SSH-KEY-FILE",
		"id_dsa":                  "SEC-SSH-KEY-FILE",
		"id_rsa.pub":              "",
		"id_rsa.go":               "",
		"grid_rsa":                "",
		"x.private.hex":           "SEC-CAPSULE-KEY-FILE",
		"keys/me-secret-key.hex":  "SEC-CAPSULE-KEY-FILE",
		"x.public.hex":            "",
		"firmware.hex":            "",
		"unprivate.hex":           "",
		".pgpass":                 "SEC-CREDENTIALS-FILE",
		".git-credentials":        "SEC-CREDENTIALS-FILE",
		"home/.aws/credentials":   "SEC-CREDENTIALS-FILE",
		"docs/credentials":        "",
		"credentials.go":          "",
		".kube/config":            "SEC-CREDENTIALS-FILE",
		"config":                  "",
		".docker/config.json":     "",
		".netrc":                  "SEC-NETRC-FILE",
		"passwords.kdbx":          "SEC-KEY-STORE",
		"cert.p12":                "SEC-KEY-STORE",
		"cert.PFX":                "SEC-KEY-STORE",
		"cert.pem":                "",
		"server.key":              "",
		"terraform.tfstate":       "SEC-TERRAFORM-STATE",
		"prod.tfstate.backup":     "SEC-TERRAFORM-STATE",
		"wallet.dat":              "SEC-WALLET-FILE",
		"wallet.go":               "",
		".vault-token":            "SEC-VAULT-FILE",
		"internal/keystore/a.go":  "",
		".config/gcloud/a.db":     "",
		"a/.config/gh/hosts.yml":  "SEC-CREDENTIALS-FILE",
		".config/gcloud/creds":    "",
		"x/.cargo/credentials":    "SEC-CREDENTIALS-FILE",
		"x/.gem/credentials":      "SEC-CREDENTIALS-FILE",
		"app/credentials.json":    "",
		"logins.json":             "SEC-KEY-STORE",
		"solana/id.json":          "",
		".config/solana/id.json":  "SEC-WALLET-FILE",
		".htpasswd":               "SEC-CREDENTIALS-FILE",
		"src/htpasswd.c":          "",
		"conf/rclone.conf":        "SEC-CREDENTIALS-FILE",
		"etc/my.cnf":              "",
		"/absolute/and/odd/.env":  "SEC-DOTENV",
		"":                        "",
		"/":                       "",
		"a/":                      "",
		".env/settings.py":        "",
		"utc--2016-01-01--zz":     "",
		"s/.ethereum/keystore/k1": "SEC-WALLET-FILE",
	} {
		res := secrets.ScanBytes(path, []byte("name=value\n"))
		got := ""
		for _, m := range res.Matches {
			got += m.Rule.ID
			if m.Line != 0 || m.Redacted != "" {
				t.Errorf("%q: got line %d and %q, want the file as a whole", path, m.Line, m.Redacted)
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
		if res := secrets.ScanBytes(path, nil); len(res.Matches) != 0 {
			t.Errorf("%q without content: got %v, want nothing", path, res.Matches)
		}
	}
}

// In configuration a value needs no quotes; in a programming language what has
// none is an expression.
func TestBareValues(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"a.yaml": true, "kubeconfig": true, "prod.kubeconfig": true, ".kube/config": true, "Dockerfile": true, ".bashrc": true,
		".zsh_history": true, "deploy.sh": true, ".env.local": true, "main.go": false, "a.py": false, "README": false, "a.js": false,
	} {
		res := secrets.ScanBytes(path, []byte("to"+"ken=q7xk3vz9tnw2hb5mfd8r\n"))
		if got := has(res, "SEC-GENERIC"); got != want {
			t.Errorf("%s: got %v, want a match: %v", path, res.Matches, want)
		}
	}
}
