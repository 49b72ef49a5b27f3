package seedfile

import (
	"bytes"
	"strings"
)

// The line profile of SP-META-02, one small question a function. The shell
// transport asks the same questions in awk; a vector in testkit that only one of
// the two accepts is a bug in the other.

// splitLines cuts raw at LF; a last line without LF counts as a line.
func splitLines(raw []byte) [][]byte {
	if len(raw) == 0 {
		return nil
	}
	return bytes.Split(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n"))
}

// cutField splits "key: value" at column 1. The key has no blank before its
// colon, and a blank or the end of the line follows it.
func cutField(s string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(s, ":")
	if !ok || key == "" || isBlank(key[0]) || isBlank(key[len(key)-1]) {
		return "", "", false
	}
	if value != "" && !isBlank(value[0]) {
		return "", "", false
	}
	return key, value, true
}

// plainKey refuses keys that begin with a quote or a YAML indicator.
func plainKey(key string) bool {
	return !strings.ContainsRune("\"'&*!|<>%@`?,[]{}#-", rune(key[0]))
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isItem reports whether s looks like an item, however it is indented.
func isItem(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(s, " \t"), "- ")
}

func isCommentOrBlank(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return s == "" || s[0] == '#'
}

func isContinuation(s string) bool {
	return isBlank(s[0]) || s == "-" || strings.HasPrefix(s, "- ")
}

// trimValue drops blanks around a value and a comment that a blank precedes.
func trimValue(s string) string {
	s = strings.TrimLeft(s, " \t")
	for i := 0; i < len(s); i++ {
		if !isBlank(s[i]) {
			continue
		}
		j := i
		for j < len(s) && isBlank(s[j]) {
			j++
		}
		if j == len(s) || s[j] == '#' {
			return s[:i]
		}
		i = j
	}
	return s
}

// unquote takes one pair of quotes off. There are no escapes: values are text.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// plainValue reports whether a YAML reader takes s for the same text as we do:
// it does not begin with an indicator, and quotes are one pair around all of it
// with no escape inside.
func plainValue(s string) bool {
	switch {
	case s == "":
		return true
	case s[0] == '"':
		return len(s) > 1 && strings.IndexByte(s[1:], '"') == len(s)-2 && strings.IndexByte(s, '\\') < 0
	case s[0] == '\'':
		return len(s) > 1 && strings.IndexByte(s[1:], '\'') == len(s)-2
	}
	return strings.IndexByte("&*!|>%@`[{", s[0]) < 0
}

// cutFlow takes the brackets off a one-line flow sequence.
func cutFlow(s string) (inner string, ok bool) {
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return "", false
	}
	return s[1 : len(s)-1], true
}

func validType(t string) bool {
	switch t {
	case "skill", "tool", "context", "data", "archive":
		return true
	}
	return false
}

// PlainName reports whether s is a name as the format writes one: letters,
// digits, dots, underscores and dashes, at most 100, a letter or digit first.
func PlainName(s string) bool {
	return s != "" && len(s) <= 100 && isAlnum(s[0]) && allBytes(s, func(c byte) bool { return isAlnum(c) || c == '.' || c == '_' || c == '-' })
}

// checkDirective returns why d is not a directive, or "".
func checkDirective(d string) string {
	switch d {
	case "show", "unfold", "copy", "exec", "install":
		return ""
	}
	rest, isURL := strings.CutPrefix(d, "https://")
	if !isURL {
		if strings.Contains(d, "://") {
			return "a URL directive must begin with https://"
		}
		return "unknown directive"
	}
	if rest == "" || !isAlnum(rest[0]) || !allBytes(rest, isDirectiveURLChar) {
		return "a URL directive with characters outside the safe set"
	}
	return ""
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isUsageURLChar keeps out what a shell would act on when somebody pastes the
// usage line without its "#" (SP-FMT-03).
func isUsageURLChar(c byte) bool {
	return isAlnum(c) || strings.IndexByte("-._~/:%@+,=", c) >= 0
}

func isDirectiveURLChar(c byte) bool {
	return isUsageURLChar(c) || strings.IndexByte("?#!&*;", c) >= 0
}

func allBytes(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}
