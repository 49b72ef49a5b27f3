package secrets_test

var serviceExamples = []example{
	{
		rule: "SEC-ANTHROPIC-KEY", path: "a.py",
		match: []string{
			"sk-¦ant-api03-Nj8mity57Dl83rbyBn6EH2QhdDdCLB6yxANHquhC7RNYONhOlLgPEtwF7dzPpU8NjniX39iGC5O91V5Ogn6lJreqi7eMiAA",
		},
		reject: []string{
			"sk-¦ant-api03-your-key-here",
			"sk-¦ant-...",
		},
	},
	{
		rule: "SEC-OPENAI-KEY", path: "a.py",
		match: []string{
			"sk-¦proj-R3ksYmgeKrnjOu0vEwX2RUpF6olHX8CxK7Yzqy_nRFdG8tPOwRy1haDSbGfePDOIUMVTYWKoDb0FgvtNGPW3NrERhSwOrg6R87BRUFimpPddDVji-gz7ZN9W",
			"sk-¦svcacct-tOO45KEu5wU1tV3wK6gML15HeECAa49QonnxIx79QS3hP6KcDLKBbTiBflHs",
		},
		reject: []string{
			"sk-¦proj-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
			"sk-¦proj-name",
		},
	},
	{
		rule: "SEC-OPENAI-OLD-KEY", path: "a.py",
		match: []string{
			"sk-0GYVwgoYVMZdox48VBkyT3Blbk¦FJOTe7AmutvGUlFIWGaQ3j",
		},
		reject: []string{
			"M9y1J5Yklb6PJ4Wh3KxdT3Blbk¦FJ7dnGb5G25T5T9nGD7jJn",
		},
	},
	{
		rule: "SEC-HUGGINGFACE-TOKEN", path: "a.py",
		match: []string{
			"h¦f_jjOCZbBiMSqMroAnGODdfXaZvTkVYpIqoH",
		},
		reject: []string{
			"hf_hub_download_with_a_very_long_name_here",
			"h¦f_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
			"half_0loMl53mLUUhVDTMTnr11B7GdF8aC3f3e5",
		},
	},
	{
		rule: "SEC-MODEL-KEY", path: "a.py",
		match: []string{
			"gs¦k_YJRAjuDkOnIvAXUpmok3AwNBttkOnCfjmLuhGslAE1CXLFE8rEHm",
			"pp¦lx-ELGjGkoewSy9ezgwUBvwTS1zPjD31KJac2YUEwGOT6Rz8BNt",
			"sk-¦or-v1-504bca7a5c59340afef8b0baf3a8c80bc2b08a9f5c02661449771d833424d61f",
			"r¦8_2UyBfO3TWlMitcfdkhcbuTSOkhDkglmMwR8mx",
			"xa¦i-h2BuzAqCoEbRT5lkl5jYwOVPdCHNR5cYCJY4KaCC4bMOvQzG8j3d6YJHjFlSykSPaGZ7YSG8a2ZxATQm",
			"nva¦pi-KyUQAv9E9L7Nku5ymr5nYQYN0aLSuuPWJqZNvkK2IF8r27fF71WcjBWfKA6sLGBT",
		},
		reject: []string{
			"gs¦k_short",
			"xai-grok-2",
			"r8_x",
		},
	},
	{
		rule: "SEC-SLACK-TOKEN", path: "a.rb",
		match: []string{
			"xox¦b-019216419674-175107431445-n6G8GHBXKSZPWrDP3uzR8SE9",
			"xap¦p-1-A0DBXEZVJBT-8256348077011-16ef29a54358a557f78817592ce63dfa1c7ef6853ac54fff8b3fa5a3bc34f9ac",
		},
		reject: []string{
			"xox¦b-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy",
			"xox¦b-your-token",
			"xox¦b-xxxxxxxxxxxx-xxxxxxxxxxxx",
			"xox¦b-...",
		},
	},
	{
		rule: "SEC-SLACK-WEBHOOK", path: "a.sh",
		match: []string{
			"https://hooks.slack.¦com/services/TSRFKYAKGO/BDJOULSYVW/xE87OmI93QQlxmMmtsTpTLeA",
		},
		reject: []string{
			"https://hooks.slack.¦com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
			"https://hooks.slack.¦com/services/...",
		},
	},
	{
		rule: "SEC-DISCORD-WEBHOOK", path: "a.js",
		match: []string{
			"https://discord.com/api/web¦hooks/149249924252415172/JOb1SxbzwCnApIPXZdi2oIs2Ucdg2XuVUrTVGsuuttopuNm-07bhE2rEaETEl9X2Q8fC",
		},
		reject: []string{
			"https://discord.com/api/web¦hooks/{id}/{token}",
			`r.Post("/api/webhooks/github")`,
		},
	},
	{
		rule: "SEC-DISCORD-TOKEN", path: "a.js",
		match: []string{
			"const discordTo¦ken = 'MQ1dCGp7cM7lmeqfXvWfvPfB.WteGX7.CpRjltBu76gTGB7kLcFh2VPVk0OYdsGcvdgHVV'",
		},
		reject: []string{
			"const discordTo¦ken = 'MTA.abc.def'",
		},
	},
	{
		rule: "SEC-TELEGRAM-TOKEN", path: "a.py",
		match: []string{
			"bot 497344758:A¦Afp5DaSoQzgmAfIRsxvprQQvoczAS2Bejf",
			"https://api.telegram.org/bot¦2145278542:A¦AQ7FKZCse7L05EijeEBiQRbSlLUcYTYZeh",
		},
		reject: []string{
			"110201543:A¦AHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
			"1:AA",
			"time 10:AA",
			"641456367:A¦AT0rkCClaifIUB3pO6jQ3",
		},
	},
	{
		rule: "SEC-SENDGRID-KEY", path: "a.py",
		match: []string{
			"S¦G.qThhZyfQoajc3wf3tLu26V.YJ37LC9PY81KImtHnEUvixwGJLoNrQGiGbABQMlcIsr",
		},
		reject: []string{
			"msg.Send",
			"S¦G.x.y",
			"S¦G.xxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		},
	},
	{
		rule: "SEC-BREVO-KEY", path: "a.py",
		match: []string{
			"xkey¦sib-c1699a1997f31c5b5588c5d475e3123ac055ae35d642192fd477693ccd83a9cd-iFzMQoh6DAcAzlB7",
		},
		reject: []string{
			"xkey¦sib-aaeee6ccba8f45d7b03b",
		},
	},
	{
		rule: "SEC-TWILIO-TOKEN", path: "a.py",
		match: []string{
			`TWILIO_AUTH_TO¦KEN = "3ebf7c99c18fa6eb9eb2b67d8b081abd"`,
			`auth_to¦ken: "1d97aaf35f3b68f14ade9d4a455b817a"`,
		},
		reject: []string{
			`auth_to¦ken = "your_auth_token"`,
			`auth_to¦ken = os.environ["TWILIO"]`,
		},
	},
	{
		rule: "SEC-TWILIO-KEY", path: "a.py",
		match: []string{
			`twilio_¦sid = "S¦K151dd64b338ec80cc5c0b3aa41660793"`,
		},
		reject: []string{
			`twilio_sid = "AC677fa31a2e376e9db073ac7d7a7c198f"`,
		},
	},
	{
		rule: "SEC-MAILGUN-KEY", path: "a.py",
		match: []string{
			"api:ke¦y-fe01ce75fc538e29e602225b0dde9bb5",
		},
		reject: []string{
			"ke¦y-3f3b967cba892b3ba4a3a5d0b7c056e",
			"key-value",
			"monkey-patch",
		},
	},
	{
		rule: "SEC-MAILGUN-VALUE", path: "a.py",
		match: []string{
			`MAILGUN_¦KEY = "bc875e5b10c7ac1ff65255845a94f348-9967ea4b-fe513214"`,
		},
		reject: []string{
			`MAILGUN_¦KEY = ""`,
			`mailgun = "on"`,
		},
	},
	{
		rule: "SEC-MAILCHIMP-KEY", path: "a.py",
		match: []string{
			"825007e2e756aa04ab22031598926e80-u¦s12",
			"19792f4cece6788749c1736ebebf0bc6-u¦s9",
		},
		reject: []string{
			"aws-us1",
			"eu-us2-5bfc54d5f667b388b3f9c6ad09844593",
		},
	},
	{
		rule: "SEC-STRIPE-KEY", path: "a.rb",
		match: []string{
			"sk_¦live_YRB0DB1RT8Bm2gjAlG5juoP3",
			"rk_¦live_ByrjglUK1mkELImCPGF1gb73mCc4XPKgIBn2XtOUMo8KlPwxgEZePkStjqJZUZgd1K35dmpnfqq1fqFlqat6DoxpY4UAhWo3ahv",
		},
		reject: []string{
			"sk_test_VgCSFXbonwcuWyAP7IzotAeN",
			"sk_¦live_xxxxxxxxxxxxxxxxxxxxxxxx",
			"pk_live_8ZGVCRBLXH1WErl0A550AnQd",
		},
	},
	{
		rule: "SEC-STRIPE-WEBHOOK", path: "a.rb",
		match: []string{
			"whs¦ec_JnD8K5pJG3hfRx54BaaqOFOk1mE0i3tB",
		},
		reject: []string{
			"whs¦ec_...",
			"whs¦ec_test",
		},
	},
	{
		rule: "SEC-SQUARE-TOKEN", path: "a.rb",
		match: []string{
			"sq0¦atp-TOU7njPzQaQsbyCUuHMove",
			"sq0¦csp-idQfscYstYISZkhfUPe7tbXU6xTlNzOGVA5hhHDtF9C",
		},
		reject: []string{
			"sq0¦atp-x",
		},
	},
	{
		rule: "SEC-SHOPIFY-TOKEN", path: "a.rb",
		match: []string{
			"shp¦at_c3d7c6afcc831e864ec8b45d48730d21",
		},
		reject: []string{
			"shp¦at_e9e233c90cb4f20047226249de87a13",
		},
	},
}
