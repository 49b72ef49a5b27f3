package secrets_test

var keyExamples = []example{
	{
		rule: "SEC-PRIVATE-KEY", path: "key.pem",
		match: []string{
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
