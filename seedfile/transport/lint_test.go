package transport_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestSP_TPL_06_Shellcheck(t *testing.T) {
	t.Parallel()
	checker, err := exec.LookPath("shellcheck")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, p := range allProfiles {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "seed.sh")
			text := append(p.Head(sample()), p.Tail(sample().Sentinel)...)
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, dialect := range []string{"sh", "bash", "dash", "ksh"} {
				if out, err := exec.Command(checker, "--norc", "--shell="+dialect, file).CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", dialect, err, out)
				}
			}
		})
	}
}

// Constructs that bash 3.2 or a plain POSIX shell does not have, or gets wrong.
var forbidden = map[string]*regexp.Regexp{
	"local":                regexp.MustCompile(`(^|[;&|{(\s])(local|typeset|declare)\s`),
	"function keyword":     regexp.MustCompile(`(^|[;&|{(]\s*)function\s+\w+\s*(\(\))?\s*\{`),
	"pipefail":             regexp.MustCompile(`pipefail|set -o`),
	"array":                regexp.MustCompile(`\w+=\(|\$\{\w+\[`),
	"[[":                   regexp.MustCompile(`(^|[;&|!(\s])\[\[\s`),
	"$'..'":                regexp.MustCompile(`(^|[\s=(])\$'`),
	"mktemp":               regexp.MustCompile(`\bmktemp\b`),
	"readlink":             regexp.MustCompile(`\b(readlink|realpath)\b`),
	"process substitution": regexp.MustCompile(`[<>]\(`),
	"case in $(":           regexp.MustCompile(`\$\([^)]*\bcase\b`),
	"here-string":          regexp.MustCompile(`<<<`),
	"&> or |&":             regexp.MustCompile(`&>|\|&`),
	"== in test":           regexp.MustCompile(`\[ [^]]* == `),
	"${x//y}":              regexp.MustCompile(`\$\{\w+(//|\^|,|:[0-9])`),
	"source":               regexp.MustCompile(`(^|[;&|]\s*)source\s`),
	"echo option":          regexp.MustCompile(`\becho -`),
	"tilde or brace":       regexp.MustCompile(`\{\d+\.\.\d+\}`),
}

func TestSP_TPL_06_Constructs(t *testing.T) {
	t.Parallel()
	for _, p := range allProfiles {
		for nth, line := range strings.Split(shellOnly(string(p.Tail("SEED_00000000"))), "\n") {
			for name, re := range forbidden {
				if re.MatchString(line) {
					t.Errorf("%v, line %d: %s: %s", p, nth+1, name, line)
				}
			}
		}
	}
}

// The lint must be able to find what it looks for.
func TestSP_TPL_06_ConstructsFound(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"local": "    local x=1", "function keyword": "function f {", "pipefail": "set -euo pipefail", "array": "a=(1 2)",
		"[[": "if [[ $a ]]; then", "$'..'": `x=$'\n'`, "mktemp": "d=$(mktemp -d)", "readlink": "readlink -f .", "process substitution": "cat <(ls)",
		"case in $(": "x=$(case $1 in a) echo b ;; esac)", "here-string": "cat <<< x", "&> or |&": "ls &> /dev/null", "== in test": "[ a == b ]",
		"${x//y}": "${x//a/b}", "source": "source x", "echo option": "echo -n x", "tilde or brace": "for i in {1..3}; do",
	} {
		if re := forbidden[name]; re == nil || !re.MatchString(line) {
			t.Errorf("%s is not found in %q", name, line)
		}
	}
}

// shellOnly blanks the awk programs, which have a grammar of their own.
func shellOnly(s string) string {
	program := regexp.MustCompile(`(?s)awk '.*?'`)
	return program.ReplaceAllStringFunc(s, func(m string) string {
		return "awk ''" + strings.Repeat("\n", strings.Count(m, "\n"))
	})
}
