package secrets_test

var keyExamples = []example{
	{
		rule: "SEC-PRIVATE-KEY", path: "key.pem",
		match: []string{
			"-----BEGIN SEED PRI¦VATE KEY-----\nFormat: 1\nKind: ed25519\nPublic: e72278fb234a07058b26fad2782fc6bb5dea3e2e1a51ce5a38df886e443cc9f0\nLabel: laptop\nCreated: 2026-08-01T12:00:00Z\nProtection: none\n\n1SzpCk7Wt1vp0xoNbg2eIZz7CfpsjusWFIqjV4j5DoA=\n-----END SEED PRI¦VATE KEY-----\n",
			"-----BEGIN DSA PRI¦VATE KEY-----\niAV+M6m13CyA4VwvMYfi78fHRaKHgrUjlwsBdMLQiNQTGZqTmM0ihnU5XU1amMQU\n",
			"-----BEGIN RSA PRI¦VATE KEY-----\nPtYgjmUhBel31iEl2hpChYgCfrL1spNxnyVmihA/2O76UMFxFkM/R5Kjp1vRt+1f\njORS/6ilI8ihN5KXSc7Tvo/hBKqFYY/kv5ZJr3J1TWDtkwtDDb+xHKas1VOqg6YY\nZYn9ZhyiA4uoRgnatmUdjAWtGSU8po+799NksnRH9ucAUsdMlHUvTCQCyEZDz/Td\n-----END RSA PRI¦VATE KEY-----\n",
			"-----BEGIN PRI¦VATE KEY-----\r\ndJ8HyS5SUkCnD8zRA9a9SkpXz9w3QlY7Zkuvqdt7s8Stqcbnr3yBdGBLEPH1qhT6\r\n",
			"-----BEGIN OPENSSH PRI¦VATE KEY-----\n1qtc4xatws8phP9nhFyJfm5di4PzJ59FHz5r1pY4OjE2jBMptUsGr7CmY+uCu3ZR1zTOlU\n",
			"-----BEGIN ENCRYPTED PRI¦VATE KEY-----\ncR64cXQLioDnkHIfxIq2HZt/PlJhx2jIclHkCiHp6bR1IqfEouHgxzNNAL5wIScG\n",
			"-----BEGIN EC PRI¦VATE KEY-----\nebcy8F5n3/YNBDRzrZSgqbjG3uhkWKFLf6xuI5aHUQPFeNBTxaQWk8JzFalHlsZf\n",
			"-----BEGIN RSA PRI¦VATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,C099724CAF4941D4072014B3CE107F80\n\n6ili8GjHEAD6/Wj9KfzjsQGMrb9h+ImB+LK777pzNk8cL6j5IXAAjlsHUqJoUD/+\n",
			"-----BEGIN PGP PRI¦VATE KEY BLOCK-----\nVersion: GnuPG v2\n\nYdua+5ZMs1SWOpQaPRYpzbLGViYXjU2JgJngKtFI3OyV2dZAkg05rK+gqv81RKMG\n",
			"---- BEGIN SSH2 ENCRYPTED PRI¦VATE KEY ----\nComment: \"a key\"\nHZEM9YpvujA/C5Q52ryFlwRlOEVHzc0X0AWIRh/JUqBlIFXZ53Ncqe28+ajY75FnCttn6k\n",
			`k = "-----BEGIN PRI¦VATE KEY-----\nfaqDeMqG3omjMyXHCabM6JOF8EFd0Nhcy/1kGD2VD/eR1UYzaLiA/zNyD7CHLn/x\n"`,
			"	k := \"-----BEGIN EC PRI¦VATE KEY-----\\n\" +\n		\"C+1hsYgBds1ghxY5OokvQyx7eNWVQ4vnakJkS1pAWTN3lg8zV5yPU8d0FZfWe7ih\\n\" +\n",
			"key: |\n    -----BEGIN PRI¦VATE KEY-----\n    GyiRUIQfHOJMaidDn87XG3/q/xbMtEPO6UkzYuF0ie9Pu2njHkAm1/5wDr16EpLL\n",
		},
		reject: []string{
			"-----BEGIN RSA PRI¦VATE KEY-----\\nMIIEowIABAejtjc0ZL7xtZpk6mVO+GrJ4wcNdiC7fEm+g5Bty7UmO09tbmYW...fvY4+te\\n-----END RSA PRI¦VATE KEY-----\\n",
			"-----BEGIN RSA PRI¦VATE KEY-----\nEXAMPLEBAAKCAQEAfaDw1f1cGT5odqFhqcmXeAEEtMhFi/YTUFJJZzTs5wYHuipDol\n",
			"-----BEGIN PUBLIC KEY-----\nJIVGHz4FxFEtKyPiYGFDm7ena8D5VfLDpgyyjVw5HanSBeVRsfAGeAbP0VxNjAe/\n",
			"-----BEGIN CERTIFICATE-----\n9i0mYtluYI0KN1gNT11cUzYZAa3u2olZU6uqbgsYlVvsSKuvinX+zMqf9OgXluCZ\n",
			"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nz8xBfZuXTptFyfePpX6N1NF2XV54wca+7E56w8ZniqT3Ul4ffqkOkgWrdioyq+Kv\n",
			`if strings.Contains(s, "-----BEGIN PRI¦VATE KEY-----") { return true }`,
			"-----BEGIN RSA PRI¦VATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRI¦VATE KEY-----",
			"-----BEGIN PRI¦VATE KEY-----\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
			"-----BEGIN PRI¦VATE KEY-----\n<your key here>\n-----END PRI¦VATE KEY-----\n",
		},
	},
	{
		rule: "SEC-PUTTY-KEY", path: "a.txt",
		match: []string{
			"PuTTY-User-Key-¦File-3: ssh-ed25519\r\nEncryption: none\r\nComment: k\r\n",
			"PuTTY-User-Key-¦File-2: ssh-rsa\nEncryption: aes256-cbc\n",
		},
		reject: []string{
			"the header is PuTTY-User-Key-File-2 in the old format",
		},
	},
	{
		rule: "SEC-AGE-KEY", path: "keys.txt",
		match: []string{
			"AGE-SECRET-¦KEY-1WYKS253AFS7DS05HZVTE235C2S8RHUXSEHSCHFH49UWTRJSN5QZWFJM6HR",
		},
		reject: []string{
			"AGE-SECRET-¦KEY-1GLWZPRQKNXKW6NGDH72G",
			"AGE-SECRET-¦KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ",
			"age1q0fuxyf3esqrkul02qzrpet02rxqvf6v6tnynr7qcma9utwxswz84sr3ms",
		},
	},
	{
		rule: "SEC-JWK", path: "jwks.json",
		match: []string{
			`{"kty":"OKP","crv":"Ed25519","x":"AqLFOfpSE96k8ya1fDl2PVPm-_aiJmvAavpsFmX7Qv-","¦d":"55_yv8teeJVBkMkMFsZlZPoEeT96mNAYGUrTl5WTsj8"}`,
			`{"crv":"P-256","¦d":"iBSjxzuLZqahLxDyAXO6QHqB5smbkTV-laCrD-y9v3z","kty":"EC","x":"tll8zDFO1VhR_gk59RSqf-ssB3hqSJ9KAif3Mev2T3n"}`,
			`{"kty": "RSA", "n": "AJ83K-qJw6b9mSLOHQ500limdiYdw7dtUFbkOIXYngEhWdgg4mltH_lkap7Xk79UxeqR5MsGRyPm4kjCYx-P4NVun70qyESm8_EFEgGZfcDI8H2p39iPyOo6sDpKuIw0T4qOtD7VOoPkMr_zCdrjxsKu6JcbBNmG_kCaIUmFZc6o01DHygbBWA0smSJnOKR_skvWORRoVmw89oaCGjvVtRngahJHXvR1xj4xPyoFrLsOMjNqcVkHSNWTkaRDFPG1-h8dfx_wp5LVpuvu-qq2sINeY1HBKvLukNCVL2I88lY_qs6mleX7u94Irrs164KFdtqG9NoePPSfsNHm2qE3eK", "e": "AQAB", "¦d": "DHFRfRNLdzvUMUJtAlKQ8UbzK07gh0RYEjbCC9XWHQWYTvAPCGUCkU7WpRCW_STi4ebMPyT-x2AqiP-HWQFp7zzqVjgDKW3T4wfpx6AaaywK9AqkxuIWQ30tha3rz_a-ASlyYaEIx9lJwuqh3F_zEVbsZd-2yCS44C668J3bWaqQ52kTkRwocM9zoBSmQjyuK065vFI5Xhhu-rPXcIIN77W4n7ZBlpr8jgSfS6Ud1yiyp3-gUZ5dXZYWFo1jYj6RHmvsGyF6vXlRhz6hKx0I9BhsKoFkfG5NLNmWZsWPfwkjhaJbrNDj-tFsaR51vsH8vAYjr7DNgDn2v1FR6UXpKf"}`,
		},
		reject: []string{
			`{"kty":"OKP","crv":"Ed25519","x":"Db6l_qe869iE8Jl65oPTRPIx8IiJgA5PFI80FP4Nkur"}`,
			`{"kty":"OKP","crv":"Ed25519","x":"_Ufo5C8T_m7PD8eeyy5h2PRlXrlxeO7O6kN9ZgGjLNL"},{"d":"sp-Cz6VJQEWrELD2_Xq0zq5d1RT0BYEX6peuO14F0Rl"}`,
			`{"d":"woUSaXTzIWgVkZDBmpa9NV4GPgPjhj6T6h_bjx1ZGd5","id":7}`,
			`{"kty":"OKP","d":"..."}`,
			`{"kty":"OKP","crv":"Ed25519","¦d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}`,
		},
	},
	{
		rule: "SEC-WIREGUARD-KEY", path: "wg0.conf",
		match: []string{
			"[Interface]\nPrivate¦Key = LBkbvHEzuPyXQEW88ad3DNBYjvsedonuSsddfrfifiA=\n",
		},
		reject: []string{
			"[Peer]\nPublicKey = UziXnFAAoeelK9mqmALOR2HcSGKgVP8Kd0d3mS8gBlA=\n",
			"Private¦Key = <key>\n",
		},
	},
	{
		rule: "SEC-KUBE-KEY", path: "kubeconfig.yaml",
		match: []string{
			"    client-key-¦data: Kv3azKgaS+m+x/SHuKBD/vok+nPTmZYl2dVAMH2vWD6qeSPt5Pv74GDqQ7EyIMttFPSuEPyHnvnzXtsMM3JznnJAX7ebZ3CL7csGZaF31DDxp63OHm1FZuG296c0xPbX+neGBuzSm6A8cVR06AxYpThGJWZhbj11THnCMZCY7Bvqiy8CsT07Lq8TDIWG2x9aJTFMP9+2==\n",
		},
		reject: []string{
			"    client-key-¦data: REDACTED\n",
			"    client-certificate-data: kUtMXhkPrSbbAjLGmsDx5StAZvlMz/Bk4opH1Dr8/h97s+F/vauP7/L7V21jxUdcfQm9+seB1qRmUR8AK3R2GgLLT/ZQISA/pQyOMqlfZZgZMnafy8hWskBf6wmxe1mbVrNHMx1eOc3g/fp1Z5ibXt80nk8Btb2abplBpq8cJF5xgUskL/6GgebhbkXNNv+hOV48vsoU==\n",
		},
	},
	{
		rule: "SEC-NATS-SEED", path: "one.creds",
		match: []string{
			"-----BEGIN USER NKEY SE¦ED-----\nSUUJZDEGXDNCF32EPF3DHODZDOCIS2JHTLGMXGEDN73U55XTPLPFT7V4SE\n------END USER NKEY SE¦ED------\n",
		},
		reject: []string{
			"-----BEGIN USER NKEY SE¦ED-----\n<seed>\n",
			"UH2KVJ72CEUVW75EFR6EDT4SYWB5WKH7DNSIPZZ7FK4ZRI3R2WYOJFLJ",
		},
	},
	{
		rule: "SEC-WALLET-KEY", path: "a.txt",
		match: []string{
			"xp¦rviBhtTXRrsVJsqdNKJ4gintufNxfo1vAfvLeUyGRRkRfrzFtVKm1MHJUBeuqys3KvAtyxdAJwttckrYPb6bcYtRDsqoFLf4kSWnEHeq1sRWb",
		},
		reject: []string{
			"xpub3ic38djh9hbghj777736acjjcdh582gc4cmf35bk1c9hk1427jgjj799e4fjk592b76d3122icfg3kmd439bj8m3hd6f6c88629c2i129hm",
			"xp¦rvWEdgjuWa8mRVtLLCWPgEuxqyhxEykCpZj6R5aDT6",
		},
	},
}
