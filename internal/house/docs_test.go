package house

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func docs(t *testing.T) []string {
	t.Helper()
	files, err := Files(root(t))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(name string) bool {
		return !strings.HasSuffix(name, ".md") || fixture(name) || strings.HasPrefix(name, "examples/")
	})
}

func TestDocLinksResolve(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(<?([^)\s>]+)>?\)`)
	for _, name := range docs(t) {
		for _, m := range link.FindAllStringSubmatch(prose(read(t, name)), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			info, err := os.Stat(filepath.Join(root(t), filepath.FromSlash(target)))
			if err != nil {
				t.Errorf("%s: link to %s: no such file", name, m[1])
				continue
			}
			if anchor != "" && !info.IsDir() && !slices.Contains(anchors(read(t, target)), anchor) {
				t.Errorf("%s: link to %s: no such heading", name, m[1])
			}
		}
	}
}

// prose blanks fenced code blocks and code spans: what looks like a link there
// is none.
func prose(text string) string {
	var out []string
	fenced := false
	span := regexp.MustCompile("`[^`]*`")
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if !fenced {
			out = append(out, span.ReplaceAllString(line, ""))
		}
	}
	return strings.Join(out, "\n")
}

// anchors returns the fragment names that hosts make of a page's headings.
func anchors(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		title := strings.TrimLeft(line, "#")
		if title == line || !strings.HasPrefix(title, " ") {
			continue
		}
		out = append(out, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(title)))
	}
	return out
}

// The project speaks of itself alone: not of the machine it was written on, nor
// of the hosts it fetched its modules from.
func TestProjectSpeaksOfItself(t *testing.T) {
	t.Parallel()
	// Spelled in pieces, or the test would find itself.
	foreign := regexp.MustCompile(`(?i)(^|[^a-z0-9._-])/` + `work/(main|shared|\.library)` +
		`|/root/` + `go/|/root/\.pyenv` +
		`|(proxy|sum)\.` + `golang\.org|deb\.` + `debian\.org|registry\.` + `npmjs\.org` +
		`|/tmp/` + `brief|bash_` + `jobs`)
	files, err := Files(root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		for n, line := range strings.Split(read(t, name), "\n") {
			if m := foreign.FindString(line); m != "" {
				t.Errorf("%s:%d: %q does not belong in the project", name, n+1, m)
			}
		}
	}
}

// Some rules ask that people are told. The words are here, so that an edit of
// the page cannot lose them.
func TestDocsWarn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rule, page, says string }{
		{"SP-SEC-01", "SECURITY.md", "run code with your rights"},
		{"SP-SEC-02", "SECURITY.md", "runs the shell code of the file, whatever its directives say"},
		{"SP-SEC-05", "SECURITY.md", "data, not instructions"},
		{"SP-TPL-10", "SECURITY.md", "set -o pipefail"},
		{"SP-PATH-06", "SECURITY.md", "does not defend against"},
	} {
		text := strings.Join(strings.Fields(read(t, c.page)), " ")
		if !strings.Contains(text, c.says) {
			t.Errorf("%s: %s does not say %q", c.rule, c.page, c.says)
		}
	}
}

// SP-SEC-06: packing cannot reach the network because nothing it is made of can,
// and nothing in the binary can expand a compressed input.
func TestSP_SEC_06_PackingHasNoNetwork(t *testing.T) {
	t.Parallel()
	list := exec.Command("go", "list", "-deps", "./internal/packer", "./seedfile/...")
	list.Dir = root(t)
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for dep := range strings.FieldsSeq(string(out)) {
		switch {
		case dep == "net", dep == "net/http", strings.HasPrefix(dep, "compress/"):
			t.Errorf("packing links %s", dep)
		}
	}
}

func TestDependenciesAreExplained(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/dependencies.md")
	linked, err := Linked(root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range linked {
		if !strings.Contains(page, "`"+m.Path+"`") {
			t.Errorf("docs/dependencies.md does not name %s, which is linked", m.Path)
		}
		if m.Licence == "" {
			t.Errorf("%s: licence not among %v", m.Path, AllowedLicences())
		}
	}
}

func TestLayoutNamesEveryPackage(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/layout.md")
	for _, p := range Packages() {
		if !strings.Contains(page, "`"+p.Dir+"`") {
			t.Errorf("docs/layout.md does not name `%s`", p.Dir)
		}
	}
}
