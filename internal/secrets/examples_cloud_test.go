package secrets_test

var cloudExamples = []example{
	{
		rule: "SEC-AWS-KEY", path: "main.go",
		match: []string{
			`key := "AK¦IAMCKOEXI4GYBE4VUO"`,
			"AS¦IA6HXJVODL4J4JR22P",
			"id%3DAK¦IAJBRSVKQ7GU56HJDN",
		},
		reject: []string{
			"AK¦IA234567ABCDEFGHIJ",
			"AK¦IAIOSFODNN7EXAMPLE",
			"xAK¦IA6SHQMX3QPPGYS2KD",
			"AK¦IASJB4VI4ASLX3C2NRL",
			"AK¦IAAAAAAAAAAAAAAAAA",
			"AK¦IA0189ILOLMFF7RLNI",
		},
	},
	{
		rule: "SEC-AWS-SECRET", path: "cfg.ini",
		match: []string{
			"aws_secret_access_¦key = yNzbi0hSQK/lb09rIFxUeuVaT5jpTFPWhLn/5drc",
			`"SecretAccess¦Key": "FlCxvnNGdcmyHc7E4nSmwfIp7/JoppZrDDs7YvcX"`,
			"export AWS_SECRET_ACCESS_¦KEY=1eYgURZEQ3PZgPsTF2bUnxiP3zcCr1Y6ffeIIemG",
		},
		reject: []string{
			"aws_secret_access_¦key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
			"aws_secret_access_¦key = 30d71939b53182e4e349d98729e7c6be9ff907a7",
			"aws_secret_access_¦key = ${AWS_SECRET}",
			"aws_secret_access_¦key = yXYbTuEPP+IKBLhcuiS4hX4TnCt1RTrzJm8Iq0n",
		},
	},
	{
		rule: "SEC-AWS-SESSION", path: "a.ini",
		match: []string{
			"aws_session_¦token = AJohdUShTqJLmNaECgop5nVOWpGtYaPhknBD5gys8fiuApRUYLe9QnjEwDg9+WYCUtbgh3FswYOops6UvzcEWOdX7WJynWxW3PnpZXV4SQLy4FQyUFG3QwHrpyiP4X51cvpOiCk07cRooSRATgXF/fleDNWIRtzIcww23fvdXa9pHkixtCjygCwJyMAOH6jbZlCr7XmQKuTmr57Pva0d69eZeQ2w7YG8Egi+pAjnx8rTnh0pEI5HV0O5xPV7YJtECEA2B4u+cDH/gOmNQmTwGUvp05qhMnkkSb8G8pKOHMioqcHKOJ2MhXsZBtVff7IJqB0VlGI3GR/QqXtQCvRuhviUhQ+gdjOkdhCBDtcD==",
			`"Session¦Token": "WpH892eTi9M+6msS3Ml3UKN0pRlH+aKWTs5pZOW3iflYM02HQW/2WFirHUfpx48HUYN5IOffCN0gcgoTFOdMBhoM5iCtbE7q5J0AzJdVDxWnf/IrtIx/ctZOYl7VS/KSYVl6gIUJNztFXWeU7+GBgafLyQYO9JxrfA/ktx5q3IUyqGXF8QVdTPGXuaJy0rMmGZ89+RAYkYTTmLyh7nkMF/IuEMdROuJBhGXBilUYjMCbMHIpyu2I4eZ+Sp6LHkanipVgJya7umAq1ZLNzWMzAzT9acJq96RiEndtbE2eNJamsci3iSzmvFk1m9H+B+W2Fr6Qtv7AaopKerOaEhtc21yZnAkr3kFpw6RmSJFSaCJmFN2/UqQef7ZMswH2pufkntI5ahUVCnPsNvii"`,
		},
		reject: []string{
			"aws_session_¦token = ${AWS_SESSION_TOKEN}",
			"aws_session_¦token = AQoDYXdzEJr...<remainder of session token>",
		},
	},
	{
		rule: "SEC-AWS-BEDROCK-KEY", path: "a.py",
		match: []string{
			"ABSKQmVk¦cm9ja0FQSUtleSwly8ci21FwSI4hWizVbp9JI6QKrXez11StknrhIUTaFHr/QimoAeGnS52+Kprx0CCK+RbVHVN3zaOPWVHEKeb0j0ADrijAAe/Em5HQPPlPFvyC=",
			"bedrock-api-¦key-ZaD4/PiO60g2c/DRlg2nRUnAH0xKQ3oeNaS7y3BanxcgJRnjm4wY3h8OiQJ+id8ptdmXsCKo0bXHUnhtcNobHUkI9LgItPCJQL/2LmkDUrT5NPt4AnwvTA88j07mghFCo3gXNSitsAqD0IJZEwMMVOQjVGs5idH8",
		},
		reject: []string{
			"ABSKQmVk¦cm9ja",
			"bedrock-api-¦key-name",
		},
	},
	{
		rule: "SEC-GOOGLE-API-KEY", path: "a.js",
		match: []string{
			"key: 'AI¦zaa0p-Yt1JoW56KTLTYXPa-W4MxMs3WDlQPFP'",
		},
		reject: []string{
			"AI¦zanB569abdqK5Ft6IXtINB",
			"AI¦zaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		},
	},
	{
		rule: "SEC-GOOGLE-OAUTH", path: "a.json",
		match: []string{
			`"GOC¦SPX-H0HURByDwcMRwC8aReHogAxGzPJ7"`,
			"ya¦29.Kj4m9AFzCXN5LvSHV0fkxuxe0tGlhP5sSv07G4AOkHs0GnG5mAldOKMgwKOOUcSAaYatTSJa6tz1gLaQ",
		},
		reject: []string{
			"GOC¦SPX-short",
			"ya¦29.txt",
		},
	},
	{
		rule: "SEC-GCP-ACCOUNT", path: "sa.json",
		match: []string{
			`"private_¦key": "-----BEGIN PRI¦VATE KEY-----\ndzw/Isz0psundmjv+73hbPsETJveImiSy5XcgCYf4gEFCfuwOa6M1G/iFXC0NZ+c\nFlwvTWxaLYUoQXQZip2SFXy7KSE3eJdRtEqlzIq47EuVTBZWAM8AD5qH4VFZBqpl\nIXdsNbXlwDPyniUMyiNlCKqZKTZ7qJwdUS0d7FZTmxLoICfZfu3zMtWfNwD/G3Sa\noKfgFoeOASl1YCJlS24R5gA2q+yfHwuEHFhvTS0lzNrr+9EEa4rSMrsEQp2vt7ZA\noLbU+AfhJMzoN5ouP47ULvjfb7+kQHn+3+yPbTlKGFkrddYsLVxvnNPWxTODVrVG\n-----END PRI¦VATE KEY-----\n",`,
		},
		reject: []string{
			`"private_¦key": "-----BEGIN PRI¦VATE KEY-----\n...\n-----END PRI¦VATE KEY-----\n"`,
			`"private_key_id": "abc"`,
		},
	},
	{
		rule: "SEC-AZURE-STORAGE", path: "a.cs",
		match: []string{
			"DefaultEndpointsProtocol=https;AccountName=a;Account¦Key=EhfnZgB/2/uMksDur4Zlf49yBVae2sKjh1Ri4bwvWLa4Sz8kP62tZkhQM1V9rMRdyC5ksV1UE4YHoDxzoCGmyG==;EndpointSuffix=core.windows.net",
		},
		reject: []string{
			"Account¦Key=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
			"Account¦Key=<key>",
			"Account¦Key=+D6Cok0j4ron6Yvy8lrV==",
		},
	},
	{
		rule: "SEC-AZURE-SHARED-KEY", path: "a.cs",
		match: []string{
			"Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccess¦Key=hZEgVfbB6Mpr2lzoTvURbGpEVT+fTmTPoeFGTy5c4oc=",
		},
		reject: []string{
			"SharedAccess¦Key=${KEY}",
			"SharedAccessKeyName=RootManageSharedAccessKey",
		},
	},
	{
		rule: "SEC-AZURE-SAS", path: "a.txt",
		match: []string{
			"https://a.blob.core.windows.net/c?sv=2022-11-02&sp=r&si¦g=FheZqljJ7s3RQy1jL4qISWZr8CabvjFGE3cZ1celN0%3D",
		},
		reject: []string{
			"https://a/c?sv=1&si¦g=abc",
			"a&si¦g=<signature>",
		},
	},
	{
		rule: "SEC-AZURE-CLIENT", path: "a.txt",
		match: []string{
			"secret abc8Q¦~Y8u5YDjUQBNqfBvU7Q7XTOaQ9QDcF6fss",
			"x=Zq77Q¦~ryreGqwKKHL9iSc6J5Xg3mXBOKOgxYs",
		},
		reject: []string{
			"8Q¦~short",
			"abc8Q¦~xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		},
	},
	{
		rule: "SEC-AZURE-DEVOPS-TOKEN", path: "a.sh",
		match: []string{
			"PAT=LwFXapnKBu0kwdJeUC9CBMpSk78tc4ovAJFGs3IXxsdJjSK1UrV3AvnwqsG4gqNC7p7fxH9CPB71AZ¦DO48KP",
		},
		reject: []string{
			"lr56FR04d2JMcFbo8MEnymsPK3gPzBjz7eOc1CfHAZ¦DO6YM4",
			"abcdefghijklmnopqrstuvwxyz012345679ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnoAZ¦DOabcd",
			"AZDO_ORG",
		},
	},
	{
		rule: "SEC-DIGITALOCEAN-TOKEN", path: "a.tf",
		match: []string{
			"dop_¦v1_7429ab7bca1aafb77b4460ecec9524998a26259bebd2fa5880587061ce693671",
		},
		reject: []string{
			"dop_¦v1_4122a40680a06aa0fca51d12afc8e00aa1da5204642bbdb4a78f19e8b8480f3",
			"dop_¦v1_b47c20431658b4550b7ef6bce6a0302cb17cdc70808d77b6ad89f65f84992a0f7",
		},
	},
	{
		rule: "SEC-HEROKU-TOKEN", path: "a.txt",
		match: []string{
			"HRK¦U-kuRNM9CnLd4Yn24VxcXX3ClB3i7tRbZhj6ai6tjGVwgWkDRzfAvP6QTz4v5c",
		},
		reject: []string{
			"HRK¦U-short",
		},
	},
	{
		rule: "SEC-HEROKU-KEY", path: "a.sh",
		match: []string{
			"HEROKU_API_¦KEY=760147d3-01a2-33f4-d057-43bf2b672850",
		},
		reject: []string{
			"HEROKU_API_¦KEY=$KEY",
			"HEROKU_APP=myapp",
		},
	},
	{
		rule: "SEC-CLOUDFLARE-TOKEN", path: "a.env.txt",
		match: []string{
			"CLOUDFLARE_API_¦TOKEN=qre9cmGdAYJ8xrauScPDIsJvSA3VTrzBuIAyjyWy",
		},
		reject: []string{
			"CLOUDFLARE_API_¦TOKEN=${T}",
			"cloudflare: the CDN",
			"exports.CLOUDFLARE_QUERY=CLOUDFLARE_DURABLE_OBJECT_QUERY_BINDINGS,",
		},
	},
	{
		rule: "SEC-VAULT-TOKEN", path: "a.txt",
		match: []string{
			"hv¦s.4AZj5OapMG7qSNUyp0mQhf1N",
			"hv¦b.Yc6TdzSJuRPCJQuDKaEVP2EGvLIyp0OYV3ywTezHrNQR0ueOZIQo7NWqq61E2UwHLEKoje7WHxHnHk0xpRlj0QDlO8",
		},
		reject: []string{
			"hv¦s.myvaultgeneratedgithubtoken",
			"hv¦s.short",
			"hv¦s.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		},
	},
	{
		rule: "SEC-TERRAFORM-TOKEN", path: "a.tfrc",
		match: []string{
			"025P36cuyx130B.atlas¦v1.hAjSqygxwQZHHtCQfrzsCShCOEUZlWHjaRixFHQpNxHvZyqbJmaKqdLltTIr6uqpq1C",
		},
		reject: []string{
			"x.atlas¦v1.y",
		},
	},
	{
		rule: "SEC-DATABRICKS-TOKEN", path: "a.py",
		match: []string{
			"da¦pi2f264d9b1ecb19dd8b7c46b26a22eccd",
		},
		reject: []string{
			"da¦pif03eeddf52ecf4076c19ace327203f2",
			"dapi_version",
		},
	},
	{
		rule: "SEC-TAILSCALE-KEY", path: "a.sh",
		match: []string{
			"tskey-¦auth-2WnKDd0RmTvECNTRL-3dJSVA1LiA0d3OjuvmHalIrHqfuyqQ2t",
		},
		reject: []string{
			"tskey-¦auth-xxxxx",
			"tskey-¦auth-<id>",
		},
	},
	{
		rule: "SEC-SUPABASE-TOKEN", path: "a.ts",
		match: []string{
			"sb¦p_cd1997cd896416bef4ba6e1a02da187e966ece66",
			"sb_sec¦ret_dlB2Ohdi34e0MFla7UJVZkFoRURVsZn",
		},
		reject: []string{
			"sb¦p_short",
			"sb_sec¦ret_name",
		},
	},
	{
		rule: "SEC-SWARM-TOKEN", path: "a.sh",
		match: []string{
			"docker swarm join --token SWMTKN-¦1-gmnpnpztwyj2w9ftc9vze4qx8hbftb1wijf2bprbi6d1zzqgln-qvjwxjo9z6dyh6ja9rgzrf8w2 10.0.0.1:2377",
		},
		reject: []string{
			"SWMTKN-¦1-3pu6hszjas19xyp7ghgosyx9k8atbfcr8p2is99znpy26u2lkl-7p73s1dx5in4tatdymyhg9hu2",
			"SWMTKN-¦1-<token>",
		},
	},
	{
		rule: "SEC-PLANETSCALE-TOKEN", path: "a.sh",
		match: []string{
			"pscale_¦tkn_ia48bJuN8MlQqhLPLggXhbAIv1bnoVIPLAUi8PHhq9O",
			"pscale_¦pw_cFnh3C_8yGReiwnCq-_kniWK_wlhl5b5rPrHE7jouk_",
		},
		reject: []string{
			"pscale_¦tkn_id",
			"pscale_¦pw_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		},
	},
	{
		rule: "SEC-DOPPLER-TOKEN", path: "a.sh",
		match: []string{
			"dp.p¦t.sEhjBOrBWMvSLsAmawgjC1N6ImE8RzCMyECR9odzRFG",
			"dp.s¦t.prd_web.v10L4OrURyWwX3p46tjuazLVnSszsO6iAsvEBDnnf4A",
		},
		reject: []string{
			"dp.p¦t.short",
			"dp.s¦t.dev",
		},
	},
	{
		rule: "SEC-PULUMI-TOKEN", path: "a.sh",
		match: []string{
			"pu¦l-5463e3621d78ed41415e97a498a647c1ac49726e",
		},
		reject: []string{
			"pu¦l-45dac31b3629",
		},
	},
}
