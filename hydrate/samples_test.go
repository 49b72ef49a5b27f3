package hydrate_test

// samples are texts with what the tokenizers cl100k_base and o200k_base make of them.
var samples = []struct {
	name          string
	text          string
	cl100k, o200k int
}{
	{"English", `A capsule is one file that carries a piece of work together with everything needed to continue it. Whoever opens it can check, without a network, that nothing was changed since it was sealed; who sealed it is another question, and the answer depends on the keys the reader already trusts.
`, 57, 57},
	{"Markdown", "## Verify before use\n\n- Run `seed verify report.capsule`; exit code **0** means intact.\n- Signers on your allowlist are shown as *trusted*.\n\n| check | result |\n|---|---|\n| chain | ok |\n| envelope_signature | ok |\n", 58, 58},
	{"Go", `func lines(text string, room int) (n, cost int) {
	var m meter
	for n < len(text) {
		end := strings.IndexByte(text[n:], '\n')
		if end < 0 {
			break
		}
		m.add(text[n : n+end+1])
	}
	return n, cost
}
`, 71, 71},
	{"event", `{"seq":7,"event_id":"evt_007","actor":"ai:builder","kind":"decision","action":"accepted_change","target":"payload/report.md","timestamp":"2026-07-14T09:30:00Z","payload":{"summary":"Accepted the second draft after review."},"untrusted_payload_fields":["payload.summary"],"prev_hash":"a88ebf1e7e78b5ea82afb8c41190232f5ca744279f3d928c7138cfe5450c1d0f","hash":"7db20b2120c04cda9d0f0a6b33e2e5f7b6f1f1a1d3e94a1f6c1c0b9a85e4d3c2"}
`, 171, 172},
	{"hex", `e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
`, 77, 78},
	{"German", `Eine Kapsel ist eine Datei, die ein Stück Arbeit zusammen mit allem enthält, was man zum Weiterarbeiten braucht. Wer sie öffnet, kann ohne Netzwerkverbindung prüfen, dass seit der Versiegelung nichts geändert wurde. Wer sie versiegelt hat, ist eine andere Frage; die Antwort hängt von den Schlüsseln ab, denen man bereits vertraut.
`, 87, 73},
	{"Chinese", `胶囊是一个文件，里面装着一份工作以及继续这份工作所需要的一切。打开它的人不需要网络就能检查，封存之后没有任何内容被改动过。是谁封存的则是另一个问题，答案取决于读者已经信任的密钥。
`, 95, 67},
	{"Japanese", `カプセルは一つのファイルで、作業の成果と、それを続けるために必要なものがすべて入っています。開いた人はネットワークがなくても、封印の後に何も変わっていないことを確かめられます。
`, 90, 65},
	{"Russian", `Капсула — это один файл, в котором лежит работа и всё, что нужно для её продолжения. Открывший её может без сети проверить, что после запечатывания ничего не изменилось.
`, 68, 45},
	{"shell", `#!/bin/sh
set -eu
for f in "$@"; do
  if ! seed verify --json "$f" >"${TMPDIR:-/tmp}/out.json"; then
    printf '%s: not valid\n' "$f" >&2
    exit 1
  fi
done
`, 64, 64},
}
