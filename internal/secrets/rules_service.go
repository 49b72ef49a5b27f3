package secrets

// Keys of models, messages, mail and money.
var serviceRules = []*Rule{
	{
		ID: "SEC-ANTHROPIC-KEY", Title: "an Anthropic key",
		words: []string{"sk-ant-"}, entropy: 3.5,
		expr: `sk-ant-[a-z]+[0-9]{2}-[A-Za-z0-9_-]{40,}`,
	},
	{
		ID: "SEC-OPENAI-KEY", Title: "an OpenAI key",
		words: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"}, entropy: 3.5,
		expr: `sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}`,
	},
	{
		ID: "SEC-OPENAI-OLD-KEY", Title: "an OpenAI key",
		words: []string{"T3BlbkFJ"}, back: "sk-", entropy: 3.5,
		expr: `sk-[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}`,
	},
	{
		ID: "SEC-HUGGINGFACE-TOKEN", Title: "a Hugging Face token",
		words: []string{"hf_", "api_org_"}, entropy: 3.5,
		expr: `(?:hf_|api_org_)[A-Za-z0-9]{34,40}`,
	},
	{
		ID: "SEC-MODEL-KEY", Title: "a key of a model service",
		words: []string{"gsk_", "xai-", "pplx-", "sk-or-v1-", "r8_", "nvapi-"}, entropy: 3.5,
		expr: `gsk_[A-Za-z0-9]{52}|xai-[A-Za-z0-9]{70,90}|pplx-[A-Za-z0-9]{48}|sk-or-v1-[0-9a-f]{64}|` +
			`r8_[A-Za-z0-9]{37}|nvapi-[A-Za-z0-9_-]{60,70}`,
	},
	{
		ID: "SEC-SLACK-TOKEN", Title: "a Slack token",
		words: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xapp-"},
		expr:  `xox[abcdoeprs][-.][A-Za-z0-9%/+.-]{20,}|xapp-[0-9]-[A-Z0-9]{8,}-[0-9]{8,}-[a-f0-9]{32,}`, entropy: 3, check: mixed,
	},
	{
		ID: "SEC-SLACK-WEBHOOK", Title: "a Slack webhook",
		words: []string{"hooks.slack.com/"}, entropy: 3,
		expr: `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Z0-9]{8,}/[A-Z0-9]{8,}/[A-Za-z0-9]{18,})`,
	},
	{
		ID: "SEC-DISCORD-WEBHOOK", Title: "a Discord webhook",
		words: []string{"/api/webhooks/"}, entropy: 3.5,
		expr: `/api/webhooks/([0-9]{17,20}/[A-Za-z0-9_-]{60,})`,
	},
	{
		ID: "SEC-DISCORD-TOKEN", Title: "a Discord bot token",
		kind: value, words: []string{"discord", "token"}, entropy: 4,
		expr: `[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}`,
	},
	{
		ID: "SEC-TELEGRAM-TOKEN", Title: "a Telegram bot token",
		words: []string{":AA"}, back: backDigits, entropy: 3.5,
		expr: `[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`,
	},
	{
		ID: "SEC-SENDGRID-KEY", Title: "a SendGrid key",
		words: []string{"SG."}, entropy: 3.5,
		expr: `SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`,
	},
	{
		ID: "SEC-BREVO-KEY", Title: "a Brevo key",
		words: []string{"xkeysib-", "xsmtpsib-"}, entropy: 3,
		expr: `x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}`,
	},
	{
		ID: "SEC-TWILIO-TOKEN", Title: "a Twilio token",
		kind: value, words: []string{"twilio_auth", "twilio_token", "twilio_api", "twilioauth", "twiliotoken", "auth_token", "authtoken"},
		expr: `[0-9a-f]{32}|[A-Za-z0-9]{32}`, entropy: 3, check: mixed,
	},
	{
		ID: "SEC-TWILIO-KEY", Title: "a Twilio API key",
		kind: value, words: []string{"twilio", "api_key", "apikey"}, entropy: 3,
		expr: `SK[0-9a-f]{32}`,
	},
	{
		ID: "SEC-MAILGUN-KEY", Title: "a Mailgun key",
		words: []string{"key-"}, entropy: 3,
		expr: `key-[0-9a-f]{32}`,
	},
	{
		ID: "SEC-MAILGUN-VALUE", Title: "a Mailgun key",
		kind: value, words: []string{"mailgun"}, entropy: 3,
		expr: `[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}`,
	},
	{
		ID: "SEC-MAILCHIMP-KEY", Title: "a Mailchimp key",
		words: []string{"-us1", "-us2", "-us5", "-us6", "-us7", "-us8", "-us9"}, back: backURL64, entropy: 3,
		expr: `[0-9a-f]{32}-us[0-9]{1,2}`,
	},
	{
		ID: "SEC-STRIPE-KEY", Title: "a live Stripe key",
		words: []string{"sk_live_", "rk_live_"}, entropy: 3,
		expr: `[sr]k_live_[A-Za-z0-9]{20,250}`,
	},
	{
		ID: "SEC-STRIPE-WEBHOOK", Title: "a Stripe webhook secret",
		words: []string{"whsec_"}, entropy: 3.5,
		expr: `whsec_[A-Za-z0-9+/]{32,}={0,2}`,
	},
	{
		ID: "SEC-SQUARE-TOKEN", Title: "a Square token",
		words: []string{"sq0atp-", "sq0csp-"}, entropy: 3,
		expr: `sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}`,
	},
	{
		ID: "SEC-SHOPIFY-TOKEN", Title: "a Shopify token",
		words: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, entropy: 3,
		expr: `shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`,
	},
}
