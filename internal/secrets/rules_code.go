package secrets

// Tokens of code hosts, package registries and builds.
var codeRules = []*Rule{
	{
		ID: "SEC-GITHUB-TOKEN", Title: "a GitHub token",
		words: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, entropy: 3.5,
		expr: `gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}`,
	},
	{
		ID: "SEC-GITLAB-TOKEN", Title: "a GitLab token",
		words: []string{
			"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "glsoat-", "gloas-", "glffct-", "glwt-",
			"glrtr-", "GR1348941",
		},
		entropy: 3,
		expr: `gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct|wt|rtr)-[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_.-]{9,})?|` +
			`GR1348941[A-Za-z0-9_-]{20,}`,
	},
	{
		ID: "SEC-NPM-TOKEN", Title: "an npm token",
		words: []string{"npm_"}, entropy: 3.5,
		expr: `npm_[A-Za-z0-9]{36}`,
	},
	{
		ID: "SEC-NPMRC-AUTH", Title: "a package registry login",
		kind: value, words: []string{"_authtoken", "_auth"}, entropy: 3,
		expr: `[A-Za-z0-9_./+=-]{16,}`, check: mixed, files: ".npmrc npmrc .yarnrc .yarnrc.yml",
	},
	{
		ID: "SEC-PYPI-TOKEN", Title: "a PyPI token",
		words: []string{"pypi-AgE"}, entropy: 3.5,
		expr: `pypi-AgE[A-Za-z0-9_-]{50,}`,
	},
	{
		ID: "SEC-RUBYGEMS-KEY", Title: "a RubyGems key",
		words: []string{"rubygems_"}, entropy: 3,
		expr: `rubygems_[0-9a-f]{48}`,
	},
	{
		ID: "SEC-DOCKER-AUTH", Title: "a container registry login",
		kind: value, words: []string{`"auth"`, `"auth\"`}, entropy: 2.5,
		expr: `[A-Za-z0-9+/]{8,}={0,2}`, check: encodesLogin,
	},
	{
		ID: "SEC-DOCKER-TOKEN", Title: "a Docker Hub token",
		words: []string{"dckr_pat_", "dckr_oat_"}, entropy: 3.5,
		expr: `dckr_[po]at_[A-Za-z0-9_-]{27,32}`,
	},
	{
		ID: "SEC-ATLASSIAN-TOKEN", Title: "an Atlassian token",
		words: []string{"ATATT3xFf", "ATCTT3xFf", "ATBB"}, entropy: 3.5,
		expr: `AT[AC]TT3xFf[A-Za-z0-9_=-]{80,}|ATBB[A-Za-z0-9]{32}`,
	},
	{
		ID: "SEC-POSTMAN-KEY", Title: "a Postman key",
		words: []string{"PMAK-"}, entropy: 3,
		expr: `PMAK-[0-9a-f]{24}-[0-9a-f]{34}`,
	},
	{
		ID: "SEC-GRAFANA-TOKEN", Title: "a Grafana token",
		words: []string{"glsa_", "glc_ey"}, entropy: 3.5,
		expr: `glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_ey[A-Za-z0-9+/]{30,}={0,2}`,
	},
	{
		ID: "SEC-SENTRY-TOKEN", Title: "a Sentry token",
		words: []string{"sntrys_ey", "sntryu_"}, entropy: 3,
		expr: `sntrys_ey[A-Za-z0-9_+/=-]{60,}|sntryu_[0-9a-f]{64}`,
	},
	{
		ID: "SEC-NEWRELIC-KEY", Title: "a New Relic key",
		words: []string{"NRAK-"}, entropy: 3,
		expr: `NRAK-[A-Z0-9]{27}`,
	},
	{
		ID: "SEC-LINEAR-KEY", Title: "a Linear key",
		words: []string{"lin_api_"}, entropy: 3.5,
		expr: `lin_api_[A-Za-z0-9]{40}`,
	},
	{
		ID: "SEC-NOTION-TOKEN", Title: "a Notion token",
		words: []string{"ntn_"}, entropy: 3.5,
		expr: `ntn_[0-9]{9,12}[A-Za-z0-9]{34,36}`,
	},
	{
		ID: "SEC-FIGMA-TOKEN", Title: "a Figma token",
		words: []string{"figd_"}, entropy: 3.5,
		expr: `figd_[A-Za-z0-9_-]{38,}`,
	},
	{
		ID: "SEC-ONEPASSWORD-TOKEN", Title: "a 1Password service account token",
		words: []string{"ops_eyJ"}, entropy: 3.5,
		expr: `ops_eyJ[A-Za-z0-9+/_-]{100,}={0,2}`,
	},
}
