package secrets_test

var plainExamples = []example{
	{
		rule: "SEC-JWT", path: "a.txt",
		match: []string{
			"t=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.¦eyJuYmYiOjE0OTU1NTE2MTh9.K11z0JAYY5xzhVGg6kvnGA1nf_rk3Jh08PTcwbeBHfO",
			"cookie=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.¦eyJzdWIiOiJ1LTgxNzM0IiwiaWF0IjoxNzE2MjM5MDIyLCJyb2xlIjoieCJ9.I8QAtMd3hgBeKSnL1U3rRFslKBbsDLutJrOPGfgZHFv",
			`"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.¦eyJzdWIiOiJ1LTgxNzM0IiwiaWF0IjoxNzE2MjM5MDIyLCJyb2xlIjoieCJ9.I8QAtMd3hgBeKSnL1U3rRFslKBbsDLutJrOPGfgZHFv"`,
		},
		reject: []string{
			"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.¦eyJzb21lIjoicGF5bG9hZCJ9.vQtooltuE3Pg1fzyCe0GY1WXGeyVrzDLx_2eOqP9RB7",
			"eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.¦eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODB9.RSIohQi9_Krmmgst4nhoPvtMUNHu0O_i1RuxdTXvhe-",
			"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.¦eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
			"eyJhbGciOiJIUzI1NiJ9.¦eyJ...",
			"a.eyJ",
		},
	},
	{
		rule: "SEC-AUTH-HEADER", path: "a.http",
		match: []string{
			"Authorization: Be¦arer oxhuG1GsUtxpA65GrMM5pB8Dq802NZniJPiZZJaf",
		},
		reject: []string{
			"Authorization: Be¦arer ${TOKEN}",
			"Authorization: Be¦arer your-access-token-goes-here1",
			"the bearer of this letter",
		},
	},
	{
		rule: "SEC-BASIC-HEADER", path: "a.http",
		match: []string{
			"Authorization: Ba¦sic ZGVwbG95Omg3R2sycFF4OUxtNA==",
		},
		reject: []string{
			"Authorization: Ba¦sic czZCaGRSa3F0MzpnWDFmQmF0M2JW",
			"Authorization: Ba¦sic dXNlcjpwYXNzd29yZA==",
			"Ba¦sic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
			"Basic authentication",
			"Basic q3TlxqSN7mzDlTPgtQZglEPP",
		},
	},
	{
		rule: "SEC-DATABASE-URL", path: "a.yml",
		match: []string{
			"postgres:/¦/app:hunt3r2x@db.internal:5432/app",
			"mongodb+srv:/¦/app:Zk3xTq9@c0.mongodb.net",
			"redis:/¦/:kq93LmZp@10.0.0.7:6379",
			"jdbc:mysql:/¦/root:vErYs3cur@10.1.1.1/x",
		},
		reject: []string{
			"postgres://user:password@localhost/db",
			"postgres://$USER:$PASS@host/db",
			"postgres://postgres:postgres@localhost/db",
			"mysql://user:<password>@db/x",
			"postgres://app@db/app",
			"postgres://a:{pw}@b/c",
			"postgres://u:p4ssw0rdd@db.example.com/",
		},
	},
	{
		rule: "SEC-URL-PASSWORD", path: "a.sh",
		match: []string{
			"http:/¦/minio:minio123@10.0.0.1:9001",
			"http:/¦/deploy:kq93LmZp@localhost:8080/x",
			"https:/¦/deploy:kq%40LmZp@git.internal.net/x",
			"curl https:/¦/deploy:kq93LmZp@git.internal.net/x",
			"https:/¦/oauth2:Zk3xTq9aab@git.net/x.git",
		},
		reject: []string{
			"http://jane:p%40ssword@google.com",
			"https://bob:kq93LmZp@db.fake.test/",
			"https://u:%s@h.net",
			"http://minio:minio123@127.0.0.1:9001",
			"http://minio:minio123@[::1]:9001",
			"https://user:pass@host/",
			"https://user:password@example.com",
			"http://localhost:8080/@scope/pkg",
			"https://a.b:443/x@y",
			"ssh://git@github.com/x",
			"https://${U}:${P}@h.net",
			"https://x:***@h.net",
			"see https://a.net: mail me@b.net",
		},
	},
	{
		rule: "SEC-NETRC", path: ".netrc",
		match: []string{
			"machine a.net login bob pass¦word kq93LmZp\n",
			"machine a.net\n  login bob\n  pass¦word kq93LmZp\n",
		},
		reject: []string{
			"machine a.net login bob\n",
			"# password\n",
		},
	},
	{
		rule: "SEC-OAUTH-SECRET", path: "a.py",
		match: []string{
			`client_sec¦ret = "HRAc5m99zzRBmxQSJVPszQKz"`,
			`"clientSec¦ret": "Gzmy8j9GXvJDc1fpRVeTJ8l1x4Yr5YDE"`,
		},
		reject: []string{
			`client_sec¦ret = "your-client-secret-1"`,
			`client_sec¦ret = get_secret("x")`,
			"client_sec¦ret=${S}",
			`"client_secret": "client_secret_basic"`,
			`clientSecret: "aabbccddeeff00112233"`,
		},
	},
	{
		rule: "SEC-GENERIC", path: "a.py",
		match: []string{
			`client_to¦ken: "ecfc2758-588e-981d-50f4-a25883bbf03c"`,
			`to¦ken = "q7xk3vz9tnw2hb5mfd8r"`,
			`api_¦key = "38f213cca196f58f03759f61e0ad1936"`,
			`sec¦ret = "vXQzKbTwRnHjLpFsGdMc"`,
			`pass¦word = "Zk3%xTq{9aab"`,
			`pass¦word: "azlMbTJ2UXg3cFo0"`,
			`client_to¦ken: 's9Kq2LmZpQ7vXw41Rt8B'`,
			`pass¦word = "k9#Lm2$vQx7!pZ"`,
			`API_¦KEY: "a9b555246fa3447a99286c0d7ce0ec03"`,
			"const to¦ken = '98ozqpbLgDTALQGfpCsndxKc41hW2LbOTLZ4SFJj'",
			`{"sec¦ret": "0zj5IDrwzkmfTKYXQOvMB7mZ"}`,
			"<pass¦word>sKRud7GxGgcvqTV7</pass¦word>",
			`os.environ["DB_PASS¦WORD"] = "8PqQr7BXHCCDDWKu"`,
			`say \"to¦ken\": \"6hSNlZhpVRR5TininFQvm8vUCEYcO1\"`,
		},
		reject: []string{
			`"nextToken": "1w41l63U0xa8q7smH50vCxyTQqdxo69O3EmK28Bi5PcROI4wI"`,
			`"nextBackwardToken": "b/31961209122358285602261756944988674324553"`,
			`"LockToken":"7f36cb30-74ef-4cff-8cd4-a77e1aba1746"`,
			`"ClientToken": "5236cffc-ee13-4a32-bb5b-388d9da09d96"`,
			`"AWS::IAM::AccessKey": "62d91b17309e76c8"`,
			`accessToken: "dGhpcyBpcyBub3QgYSByZWFsIHZhbHVl"`,
			`"password": "dmFsdWUtMg0K"`,
			`access_key: "A1B2C3D4E5F6G7H8I9J0"`,
			`token = "1a2b3c4d-5e6f-7a8b-9c0d-1e2f3a4b5c6d"`,
			`"access_token":"2YotnFZFEjr1zCsicMWpAA"`,
			`api_key = "updated-key-456"`,
			`js-tokens: "npm:^4.0.0"`,
			`{ token: 'df123-4567' }`,
			`tokenValue = "eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjI1MjQ2MDgwMDB9.sig"`,
			`access_key = "ec2_custom_key"`,
			`Credentials = "OAUTH2_CLIENT_CREDENTIALS"`,
			`client_secret: "Cl1ent$ecret!"`,
			`token: "9a08jv.c0izixklcxtmnze7"`,
			`token: "eyJhbGciOiJSUzI1NiIsImtpZCI6Imlr"`,
			`"secret": "\u3299\ufe0f"`,
			`passwd = "root:x:0:0:::/bin/bash"`,
			`secret = "someMixedCaseIdentifierName"`,
			`password = "changeme123"`,
			`password = "correct horse 1"`,
			"token = next(tokens1)",
			`password = os.environ["DB_PASSWORD1"]`,
			`secret = "${SECRET_KEY_1}"`,
			`api_key = "<your-api-key-1>"`,
			`token_url = "l0dlCeeCbb4EVAG9fAo2iXdLApvtOFAz"`,
			`password_file: "/run/x9Kq2LmZpQ"`,
			"token := parse9x(qlm2kz7)",
			`secret == "dP4GaucMYBmovabg1d2B21FS"`,
			`password: "********12"`,
			`token = "xxxx-xxxx-xxxx1"`,
			"apiKey: process.env.API_KEY1",
			`token: "access-token-v2-refresh"`,
			`password = "fake-Zk3xTq9aab"`,
			`"output_token": "Jobs[-1].JobId"`,
			`token = "com.acme.tokens.Parser2"`,
		},
	},
	{
		rule: "SEC-DOTENV", path: ".env",
		match: []string{
			"A=1\n",
			"# c\nexport DB_PASS=x\n",
		},
		reject: []string{
			"",
			"# only a comment = this\n",
			"A=\nB=\"\"\n",
		},
	},
	{
		rule: "SEC-SSH-KEY-FILE", path: ".ssh/id_ed25519",
		match: []string{
			"anything",
		},
		reject: []string{
			"",
		},
	},
	{
		rule: "SEC-CAPSULE-KEY-FILE", path: "keys/laptop.private.hex",
		match: []string{
			"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60\n",
		},
		reject: []string{
			"",
		},
	},
	{
		rule: "SEC-CREDENTIALS-FILE", path: "home/.pgpass",
		match: []string{
			"db:5432:app:bob:pw\n",
		},
		reject: []string{
			"# nothing\n",
			"",
		},
	},
	{
		rule: "SEC-NETRC-FILE", path: "_netrc",
		match: []string{
			"machine a\n",
		},
		reject: []string{
			"",
		},
	},
	{
		rule: "SEC-VAULT-FILE", path: ".vault-token",
		match: []string{
			"x",
		},
		reject: []string{
			"",
		},
	},
	{
		rule: "SEC-KEY-STORE", path: "a/b.kdbx",
		match: []string{
			"\x03\x01",
		},
		reject: []string{
			"",
		},
	},
	{
		rule: "SEC-TERRAFORM-STATE", path: "terraform.tfstate",
		match: []string{
			"{\n  \"version\": 4\n}\n",
		},
		reject: []string{
			"{}\n",
			"",
		},
	},
	{
		rule: "SEC-WALLET-FILE", path: "wallet.dat",
		match: []string{
			"x",
		},
		reject: []string{
			"",
		},
	},
}
