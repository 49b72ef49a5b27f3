package secrets

// Keys of clouds and hosts.
var cloudRules = []*Rule{
	{
		ID: "SEC-AWS-KEY", Title: "an AWS access key id",
		words: []string{"AKIA", "ASIA", "ABIA", "ACCA"}, entropy: 3,
		expr: `A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}`,
	},
	{
		ID: "SEC-AWS-SECRET", Title: "an AWS secret access key",
		kind:  value,
		words: []string{"aws_secret", "awssecret", "secret_access_key", "secretaccesskey", "secretkey", "secret_key"},
		expr:  `[A-Za-z0-9/+]{40}`, entropy: 4.2, // hex, as of a SHA-1, stays below
	},
	{
		ID: "SEC-AWS-SESSION", Title: "an AWS session token",
		kind: value, words: []string{"session_token", "sessiontoken", "security-token", "security_token"},
		expr: `[A-Za-z0-9/+]{200,}={0,2}`, entropy: 4.5,
	},
	{
		ID: "SEC-AWS-BEDROCK-KEY", Title: "an Amazon Bedrock key",
		words: []string{"ABSKQmVkcm9ja", "bedrock-api-key-"}, entropy: 4,
		expr: `ABSKQmVkcm9ja[A-Za-z0-9+/]{90,}={0,2}|bedrock-api-key-[A-Za-z0-9+/]{100,}={0,2}`,
	},
	{
		ID: "SEC-GOOGLE-API-KEY", Title: "a Google API key",
		words: []string{"AIza"}, entropy: 3.5,
		expr: `AIza[0-9A-Za-z_-]{35}`,
	},
	{
		ID: "SEC-GOOGLE-OAUTH", Title: "a Google OAuth secret",
		words: []string{"GOCSPX-", "ya29."}, entropy: 3.5,
		expr: `GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{50,}`,
	},
	{
		ID: "SEC-GCP-ACCOUNT", Title: "the private key of a Google service account",
		kind: value, words: []string{"private_key"}, entropy: 3.5,
		expr: `-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\\+n[A-Za-z0-9+/]{40}.*`, check: longEnough,
	},
	{
		ID: "SEC-AZURE-STORAGE", Title: "an Azure storage key",
		words: []string{"AccountKey="}, entropy: 4,
		expr: `AccountKey=([A-Za-z0-9+/]{86}==)`,
	},
	{
		ID: "SEC-AZURE-SHARED-KEY", Title: "an Azure shared access key",
		words: []string{"SharedAccessKey="}, entropy: 3.5,
		expr: `SharedAccessKey=([A-Za-z0-9+/]{42,64}={1,2})`,
	},
	{
		ID: "SEC-AZURE-SAS", Title: "an Azure shared access signature",
		words: []string{"&sig="}, entropy: 3.5,
		expr: `&sig=([A-Za-z0-9%+/]{40,100}(?:=|%3[Dd]))`,
	},
	{
		ID: "SEC-AZURE-CLIENT", Title: "an Azure client secret",
		words: []string{"7Q~", "8Q~"}, back: backThree, entropy: 3.5,
		expr: `[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}`,
	},
	{
		ID: "SEC-AZURE-DEVOPS-TOKEN", Title: "an Azure DevOps token",
		words: []string{"AZDO"}, back: backURL64, entropy: 4,
		expr: `[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}`,
	},
	{
		ID: "SEC-DIGITALOCEAN-TOKEN", Title: "a DigitalOcean token",
		words: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, entropy: 3,
		expr: `do[opr]_v1_[0-9a-f]{64}`,
	},
	{
		ID: "SEC-HEROKU-TOKEN", Title: "a Heroku token",
		words: []string{"HRKU-"}, entropy: 3,
		expr: `HRKU-[A-Za-z0-9_-]{36,80}`,
	},
	{
		ID: "SEC-HEROKU-KEY", Title: "a Heroku API key",
		kind: value, words: []string{"heroku"}, entropy: 3,
		expr: `[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`,
	},
	{
		ID: "SEC-CLOUDFLARE-TOKEN", Title: "a Cloudflare token",
		kind: value, words: []string{"cloudflare", "cf_api"}, entropy: 3,
		expr: `[A-Za-z0-9_-]{40}|[0-9a-f]{37}`, check: mixed,
	},
	{
		ID: "SEC-VAULT-TOKEN", Title: "a Vault token",
		words: []string{"hvs.", "hvb.", "hvr."}, entropy: 3.5,
		expr: `hv[sbr]\.[A-Za-z0-9_-]{24,}`,
	},
	{
		ID: "SEC-TERRAFORM-TOKEN", Title: "a Terraform Cloud token",
		words: []string{".atlasv1."}, back: backURL64, entropy: 3.5,
		expr: `[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}`,
	},
	{
		ID: "SEC-DATABRICKS-TOKEN", Title: "a Databricks token",
		words: []string{"dapi"}, entropy: 3,
		expr: `dapi[0-9a-f]{32}(?:-[0-9])?`,
	},
	{
		ID: "SEC-TAILSCALE-KEY", Title: "a Tailscale key",
		words: []string{"tskey-"}, entropy: 3.5,
		expr: `tskey-[a-z]+-[A-Za-z0-9]{8,}(?:-[A-Za-z0-9]{16,})?`,
	},
	{
		ID: "SEC-SUPABASE-TOKEN", Title: "a Supabase token",
		words: []string{"sbp_", "sb_secret_"}, entropy: 3,
		expr: `sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{31,}`,
	},
	{
		ID: "SEC-SWARM-TOKEN", Title: "a Docker Swarm join token",
		words: []string{"SWMTKN-1-"}, entropy: 3.5,
		expr: `SWMTKN-1-[0-9a-z]{50}-[0-9a-z]{25}`,
	},
	{
		ID: "SEC-PLANETSCALE-TOKEN", Title: "a PlanetScale token",
		words: []string{"pscale_tkn_", "pscale_pw_", "pscale_oauth_"}, entropy: 3.5,
		expr: `pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}`,
	},
	{
		ID: "SEC-DOPPLER-TOKEN", Title: "a Doppler token",
		words: []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}, entropy: 3.5,
		expr: `dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`,
	},
	{
		ID: "SEC-PULUMI-TOKEN", Title: "a Pulumi token",
		words: []string{"pul-"}, entropy: 3,
		expr: `pul-[0-9a-f]{40}`,
	},
}

// longEnough tells a key from the first line of one that a page shows.
func longEnough(text []byte) bool { return len(text) >= 100 }
