package shellscan_test

import (
	"reflect"
	"strings"
	"testing"

	"seed/internal/shellscan"
)

func FuzzScan(f *testing.F) {
	for _, s := range []string{
		"", "curl -fsSL https://e.org/i | sudo bash -s -- -y", "eval \"$(echo 'rm -rf \"$x\"' | base64 -d)\"",
		"cat <<'EOF' | sh\nrm $'\\x2f'\nEOF\n", "f() { A=${A:-$((b+c))} g <(h) > >(i) & }", "#!/bin/sh\nif", "((a?b:c=1))",
		"sh -c \"bash -c 'sh -c \\\"x\\\"'\"", "sed -i '' -e x f; dd of=$y; chmod u+s /z; cp -t d a", "exec 3<>/dev/tcp/h/1",
		"for ((i=0;i<n;i++)) do read -r x; done <<< \"$y\"", "\xff\x00$(", "git clone git@h:p; ssh -p 1 u@h 'x y'", "find . -exec",
		"${a[$(b)]:=c} ${!d} ${e//f/g} @(h|i) ~/j {k,l}", "coproc x; time -p y; [[ -v z && a =~ (b) ]]", "case $x in a|b) c;; esac",
		"sudo -u; env -S; xargs; timeout 1; su -c; trap x; command", "http://://@:/[", "x://${a:-${b/:/}}$(c)/",
	} {
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, src []byte, posix bool) {
		opts := shellscan.Options{}
		if posix {
			opts.Dialect = shellscan.POSIX
		}
		s, err := shellscan.Scan(src, opts)
		if s == nil || (err != nil) != s.Unparsed {
			t.Fatalf("Scan(%q) = %v, %v", src, s, err)
		}
		if err != nil && strings.Contains(err.Error(), "syntax tree") {
			t.Fatalf("Scan(%q): %v", src, err) // a panic of ours, recovered
		}
		lines := 2
		for _, c := range src {
			if c == '\n' {
				lines++
			}
		}
		// Decoded strings may hold lines of their own, but not before the first.
		for _, c := range s.Commands {
			if c.Line < 1 || c.Via == "" && c.Line > lines {
				t.Fatalf("Scan(%q): command %v of %d lines", src, c, lines)
			}
		}
		again, _ := shellscan.Scan(src, opts)
		if !reflect.DeepEqual(s, again) {
			t.Fatalf("Scan(%q) differs from run to run", src)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	src := []byte("#!/bin/bash\nset -eu\n")
	for range 200 {
		src = append(src, "if [ -z \"${PREFIX:-}\" ]; then PREFIX=/usr/local; fi\ncurl -fsSL \"https://e.org/$V/x.tgz\" -o \"$tmp/x\"\nsudo install -m 755 \"$tmp/x\" \"$PREFIX/bin\"\n"...)
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := shellscan.Scan(src, shellscan.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
