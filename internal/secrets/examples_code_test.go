package secrets_test

var codeExamples = []example{
	{
		rule: "SEC-GITHUB-TOKEN", path: "a.go",
		match: []string{
			"ghp¦_g9awm8jQtdlvwCEpvVxlhY1tZeUJDgVJhYkM",
			"gho¦_zDcccGLgAPSiAK1wexUQUkxkQ8fva1P31Etj",
			"ghu¦_qgg4phjFrIIhuDpkKIcGqx8mszJni6pU3IGp",
			"ghs¦_4gag8dFYYSKnSVofWkj1qbBzNHhsK4hfQLno",
			"ghr¦_pMXYGT0d0peMvgcnNXSl0tvfZWDL6lau87AY",
			"github_¦pat_AcfYpjUGRkjZwXinm7oRvT_eaY4EcFHXv6eWMOem3Od2xYAfPTwLkZ9FRXVFiq1S7t5dVD1YZRLkBy0OY8",
			`"\ngh¦p_3GtV9LIP8Ohe9YYZqW12opmLDJp4FK67R4Td"`,
		},
		reject: []string{
			"gh¦o_16C7e42F292c6912E7710c838347Ae178B4a",
			"gh¦p_1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f",
			"gh¦p_zQYzYORX8v0yz8foPR1YvQM51BYtatFMb8h",
			"gh¦p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
			"xgh¦p_4ZEAAMtDjvInfwz2DNcsvfrlS4CAQIZphnRO",
			`ghp_token = os.Getenv("X")`,
			"gh¦p_YOUR_TOKEN_HERE",
		},
	},
	{
		rule: "SEC-GITLAB-TOKEN", path: "a.yml",
		match: []string{
			"glff¦ct-uPbuy8GpK8QmJarPcAgU",
			"gl¦wt-kdLhnIYikdqHYf59Xi5X",
			"glr¦tr-lJEaQnZtZUBDcqLkKB1a",
			"ACME-glp¦at-j8Mel3YRSsujsXhZ42AM",
			"glp¦at-cy05lyrv9jxkow40N459",
			"glr¦t-ztFu94GYMm219kzHaa2l",
			"GR13¦48941g8pDKZQqVwRgJV3WGQyi",
		},
		reject: []string{
			"glp¦at-token-of-the-robot-user",
			"glp¦at-xxxxxxxxxxxxxxxxxxxx",
			"glp¦at-short",
			"GR13¦48941",
		},
	},
	{
		rule: "SEC-NPM-TOKEN", path: "a.md",
		match: []string{
			"np¦m_7W5qQAeGNvCr9sxtQTORy8HZRd6PFFxSbd41",
		},
		reject: []string{
			"npm_config_registry",
			"np¦m_4RhJyCtWG5jUMVDc8uEia875rjmL6KGczlV",
			"npm_package_config_something_long_is_this_name",
		},
	},
	{
		rule: "SEC-NPMRC-AUTH", path: ".npmrc",
		match: []string{
			"//registry.example/:_auth¦Token=8790dd2c-fb8a-5f1b-4615-95919cb589f6",
			"_au¦th = ZGVwbG95Omg3R2sycFF4OUxtNA==",
		},
		reject: []string{
			"//registry.example/:_auth¦Token=${NPM_TOKEN}",
			"_au¦th=",
			"always-auth=true",
		},
	},
	{
		rule: "SEC-PYPI-TOKEN", path: ".pypirc",
		match: []string{
			"pypi-Ag¦EIcHlwaS5vcmcP4ZnHUYOX8IoA50uOftJ80jJYUYKpH5bfNTUHFim0oNvwpZYRZY-RSxs0KrBRi0iaE3ZBJqtCEpKeWKqXJiIBCNmUkUcjpPBa6r5",
		},
		reject: []string{
			"pypi-Ag¦EIcHlwaS5vcmc",
		},
	},
	{
		rule: "SEC-RUBYGEMS-KEY", path: "a.txt",
		match: []string{
			"rubygems¦_81e11e3f79aa766907508db2823ccd71ba82f4dee6a63c59",
		},
		reject: []string{
			"rubygems¦_version",
		},
	},
	{
		rule: "SEC-DOCKER-AUTH", path: "config.json",
		match: []string{
			`{"auths":{"a.io":{"au¦th":"cm9ib3Q6a0o4czJtUXBMdzcx"}}}`,
			`"au¦th": "ZGVwbG95Omg3R2sycFF4OUxtNA=="`,
		},
		reject: []string{
			`"auth": "basic"`,
			`"auth": "dXNlcjpwYXNzd29yZA=="`,
			`"auth": "required12"`,
			`{"credsStore":"desktop"}`,
		},
	},
	{
		rule: "SEC-DOCKER-TOKEN", path: "a.sh",
		match: []string{
			"dckr_¦pat_WmeV5HbCXmYTVmXqmJWS1sVY8b6",
		},
		reject: []string{
			"dckr_¦pat_xxxxxxxxxxxxxxxxxxxxxxxxxxx",
		},
	},
	{
		rule: "SEC-ATLASSIAN-TOKEN", path: "a.txt",
		match: []string{
			"ATATT3¦xFfVUNUbewnAa13PUVOIqJwOkKOuwtgcVlSwA5bZTDXgvg2jxX4EFf6vYuE50i2gHKqGynwqQb86mTr80HBXUUykZ51BiiahnULIyba01YfDXcn4KI6e2uvNJ4DFXO5napn5wy4ggL4i8mCDKL6ORT6CWeKUUd3EkzPR3TpTPES4EMjh6FMyeSp",
			"AT¦BBZ4oazKYV0oOVVPcpg6mZacDdzp879oXR",
		},
		reject: []string{
			"AT¦BBc7JOK6AqcjDbEW9gW4TgljZHkNGugGY",
			"ATBBS",
		},
	},
	{
		rule: "SEC-POSTMAN-KEY", path: "a.txt",
		match: []string{
			"PM¦AK-c0202219ec0605e636d32b32-732b89994fa6022136ced620104d159e84",
		},
		reject: []string{
			"PM¦AK-89b0ac35e5fa870d0a7ba07a",
		},
	},
	{
		rule: "SEC-GRAFANA-TOKEN", path: "a.txt",
		match: []string{
			"gls¦a_YfIkgc02uBOvxeIh9DknHdPQIp86A76H_266908d3",
			"glc_¦ey8lNCNRkS8VsWzpvq9bfS3nPqN9PPVLjPeMeSzteeUeIaexejJhUFPGS4r6XC",
		},
		reject: []string{
			"gls¦a_l5gqtzASSlCU4g37Dvu1nby1Yog2nZwQ",
		},
	},
	{
		rule: "SEC-SENTRY-TOKEN", path: "a.txt",
		match: []string{
			"sntryu¦_a80622598514f31c827129084bb54b8bb53759c0767cb7f8013cb790fef33ef2",
			"sntrys_¦eyzhFE7l6oBCdhmerxCEp7vJdeGoEVnKN3972yhd8BHdpHkG3ungfEqD78DYUieZCOugnrQYxehTEEqlGaOPZG5bPERV",
		},
		reject: []string{
			"sntryu¦_abc",
		},
	},
	{
		rule: "SEC-NEWRELIC-KEY", path: "a.txt",
		match: []string{
			"NR¦AK-C8O5IXJYUCXLOB3F2NCS2IMTUME",
		},
		reject: []string{
			"NR¦AK-MAVFALPHCPLQXPVGTGGP",
		},
	},
	{
		rule: "SEC-LINEAR-KEY", path: "a.txt",
		match: []string{
			"lin_¦api_mtYDro9WucAlvAQTbKxXkp01ajMZqMDEJJTyiqpJ",
		},
		reject: []string{
			"lin_¦api_key",
		},
	},
	{
		rule: "SEC-NOTION-TOKEN", path: "a.txt",
		match: []string{
			"nt¦n_14622829502oBkfL0CYAq4KQo3j9Vr98TAgdB60g9b5ses",
		},
		reject: []string{
			"ntn_id",
		},
	},
	{
		rule: "SEC-FIGMA-TOKEN", path: "a.txt",
		match: []string{
			"fig¦d_W9l3iAeHy2tZQPTGLhCpFQHLRZx5H9JmBeL5qKyl",
		},
		reject: []string{
			"fig¦d_x",
		},
	},
	{
		rule: "SEC-ONEPASSWORD-TOKEN", path: "a.txt",
		match: []string{
			"ops_¦eyJ3S9qPpAx9HqR0eSVdNREnRuZ6aCEvRWT9P4lD9uYoBf9nIAz9i5VoxVTxyQFXxioOn4rhcGi4zNAPeELD8vKIwwTWBulZESbRRXkzxh9OXs1JPnOpTL9XmxX2tPqk0eMD2Q4XLcm5aMIAUJrbeZa1lfSpalolq5TYpbbhf7fmjEveHwusAVE3qvd7fqkqfeNdSqiY3Uv",
		},
		reject: []string{
			"ops_¦eyJvGFjmM7JZdWj1SBysTbo",
		},
	},
}
