package shellscan

import (
	"encoding/base64"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The kinds of made-up text.
const (
	download = "download"
	decode   = "decode"
	dynamic  = "dynamic"
)

// source is where the standard input of a command comes from. Most commands do
// not run their input, so it is looked at only when one does.
type source struct {
	made   []syntax.Node    // what makes it
	stages []*syntax.Stmt   // the same as a pipeline, if it is one
	code   *syntax.Redirect // a here-document or here-string, if it is one
	text   string
}

// maxStages bounds the pipelines whose text is worked out.
const maxStages = 4

// written returns the input itself where it is written down in the script, the
// line it begins on and how it reaches the command.
func (s *scanner) written(src *source) (code string, line int, via string) {
	if r := src.code; r != nil {
		if r.Hdoc != nil {
			return s.hdoc(r), s.line(r.Hdoc), "here-document"
		}
		return s.code(r.Word), s.line(r.Word), "here-string"
	}
	if len(src.stages) > maxStages {
		return "", 0, ""
	}
	via = "pipe"
	for i, st := range src.stages {
		call, ok := st.Cmd.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return "", 0, ""
		}
		name := call.Args[0].Lit()
		switch {
		case i == 0 && (name == "echo" || name == "printf"):
			code, line = s.printed(call.Args[1:]), s.line(call)
		case i == 0 && name == "cat" && len(call.Args) == 1 && len(st.Redirs) == 1 && st.Redirs[0].Hdoc != nil:
			code, line = s.hdoc(st.Redirs[0]), s.line(st.Redirs[0].Hdoc)
		case i > 0 && name == "tee":
		case i > 0 && name == "base64":
			clear, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(code), ""))
			if err != nil {
				return "", 0, ""
			}
			code, via = string(clear), "base64"
		default:
			return "", 0, ""
		}
	}
	return code, line, via
}

// printed returns what echo or printf would print.
func (s *scanner) printed(args []*syntax.Word) string {
	var b strings.Builder
	for _, w := range args {
		text := s.code(w)
		if b.Len() == 0 && (strings.HasPrefix(text, "-") || text == "%s" || text == `%s\n`) {
			continue
		}
		b.WriteString(text + " ")
	}
	return strings.ReplaceAll(b.String(), `\n`, "\n")
}

// makes tells by the commands below the nodes what kind of text they make.
func (s *scanner) makes(nodes ...syntax.Node) string {
	kind := dynamic
	for _, n := range nodes {
		syntax.Walk(n, func(n syntax.Node) bool {
			if s.looks++; s.looks > maxLooks {
				s.out.Partial = true
				return false
			}
			if call, ok := n.(*syntax.CallExpr); ok {
				kind = stronger(kind, s.callMakes(call))
			}
			return true
		})
	}
	return kind
}

// maxLooks bounds the nodes that makes visits, all calls together: nested
// pipelines would have it look at the innermost again and again.
const maxLooks = 2_000_000

func (s *scanner) callMakes(call *syntax.CallExpr) string {
	kind := dynamic
	// The name may stand behind sudo, env or the like.
	for _, w := range call.Args[:min(4, len(call.Args))] {
		word := s.word(w)
		if vals := s.known[strings.Trim(word.text, "${}")]; word.dynamic && len(vals) > 0 {
			word.text, _, _ = strings.Cut(vals[0], " ")
		}
		switch path.Base(word.text) {
		case "curl", "wget", "fetch", "http", "https", "aria2c", "lynx", "ftp", "scp", "ssh", "nc", "ncat",
			"netcat", "socat", "aws", "gsutil":
			return download
		case "base64", "base32", "xxd", "uudecode", "openssl", "gunzip", "zcat", "gzip", "bzip2", "xz", "xzcat",
			"rev", "tr", "gpg":
			kind = decode
		}
	}
	return kind
}

func stronger(a, b string) string {
	switch {
	case a == download || b == download:
		return download
	case a == decode || b == decode:
		return decode
	}
	return dynamic
}

// fed handles an interpreter that runs its standard input.
func (s *scanner) fed(c invocation) {
	src := s.pipe
	if src == nil {
		return
	}
	code, line, via := s.written(src)
	if code != "" && isShell(c.name) {
		s.codeText(code, line, via)
	}
	// Text that stands in the script and was followed is no longer unknown.
	if kind := s.makes(src.made...); code == "" || kind != dynamic {
		s.shellPipe(c.line, c.name, kind, src.text)
	}
}

func (s *scanner) shellPipe(line int, shell, kind, from string) {
	if len(s.out.ShellPipes) >= maxItems {
		s.out.Partial = true
		return
	}
	s.out.ShellPipes = append(s.out.ShellPipes, ShellPipe{Line: line, Shell: shell, Kind: kind, From: from})
}
