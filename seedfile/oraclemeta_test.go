package seedfile_test

import (
	"regexp"
	"strings"
)

var (
	reKnown   = regexp.MustCompile(`^(seed|grow|type|name):([ \t].*)?$`)
	reItem    = regexp.MustCompile(`^([ \t]*)- (.*)$`)
	reQuiet   = regexp.MustCompile(`^[ \t]*(#.*)?$`)
	reMore    = regexp.MustCompile(`^([ \t]|- |-$)`)
	reField   = regexp.MustCompile("^[^ \t:\"'&*!|<>%@`?,\\[\\]{}#-](?:[^:]*[^ \t:])?:([ \t].*)?$")
	reWord    = regexp.MustCompile(`^(show|unfold|copy|exec|install)$`)
	reDirURL  = regexp.MustCompile(`^https://[A-Za-z0-9][-._~/:%@+,=?#!&*;A-Za-z0-9]*$`)
	reName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	reSpecial = regexp.MustCompile("^[|>%@`\\[{]")
	reQuoted  = regexp.MustCompile(`^("[^"\\]*"|'[^']*')$`)
	reSpoilt  = regexp.MustCompile(`^["' \t]*(seed|grow|type|name)["' \t]*:`)
)

func oracleTrim(s string) string {
	s = strings.TrimLeft(s, " \t")
	return regexp.MustCompile(`[ \t]+(#.*)?$`).ReplaceAllString(s, "")
}

func oracleBare(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[0] == s[len(s)-1] {
		return s[1 : len(s)-1]
	}
	return s
}

// oracleMetadata reads the lines of a metadata block, of which the first has the
// given number, and returns the first breach.
func oracleMetadata(meta string, first int) (typ string, bad verdict) {
	var (
		grow   []string
		known  = map[string]string{}
		cur    string
		growAt int
		indent = "none"
	)
	directive := func(s string, line int) bool {
		d := oracleBare(oracleTrim(s))
		if !reWord.MatchString(d) && !reDirURL.MatchString(d) {
			bad = broken("SP-GROW-01", line)
			if strings.Contains(d, "://") {
				bad = broken("SP-DIR-06", line)
			}
			return false
		}
		grow = append(grow, d)
		return true
	}
	lines := strings.Split(strings.TrimSuffix(meta, "\n"), "\n")
	if meta == "" {
		lines = nil
	}
	for i, l := range lines {
		line := first + i
		if strings.Contains(l, "\r") {
			return "", broken("SP-FMT-01", line)
		}
		m, item := reKnown.FindStringSubmatch(l), reItem.FindStringSubmatch(l)
		switch {
		case m != nil:
			cur = m[1]
			value := oracleTrim(m[2])
			if _, dup := known[cur]; dup {
				return "", broken("SP-META-03", line)
			}
			known[cur] = value
			flow := cur == "grow" && len(value) > 1 && value[0] == '[' && value[len(value)-1] == ']'
			switch {
			case value != "" && strings.Contains("&*!", value[:1]):
				return "", broken("SP-META-03", line)
			case !flow && reSpecial.MatchString(value), value != "" && strings.Contains(`"'`, value[:1]) && !reQuoted.MatchString(value):
				return "", broken("SP-META-02", line)
			case cur == "seed" && value != `"1.0"` && (value == "" || value[0] == '"'):
				return "", broken("SP-META-01", line)
			case cur == "seed" && value != `"1.0"`:
				return "", broken("SP-META-04", line)
			}
			if cur != "grow" {
				continue
			}
			growAt = line
			parts := []string{value}
			if flow {
				parts = strings.Split(value[1:len(value)-1], ",")
			}
			if len(parts) == 1 && strings.Trim(strings.Trim(value, "[]"), " \t") == "" && (value == "" || flow) {
				continue
			}
			for _, d := range parts {
				if !directive(d, line) {
					return "", bad
				}
			}
		case item != nil && cur == "grow" && known["grow"] == "":
			if item[1] != "" && item[1] != "  " || indent != "none" && indent != item[1] {
				return "", broken("SP-META-05", line)
			}
			indent = item[1]
			if !directive(item[2], line) {
				return "", bad
			}
		case reQuiet.MatchString(l):
		case cur == "other" && reMore.MatchString(l):
		case reField.MatchString(l):
			cur = "other"
		case reSpoilt.MatchString(l) && !reMore.MatchString(l) && !regexp.MustCompile(`^(seed|grow|type|name):`).MatchString(l):
			return "", broken("SP-META-03", line)
		default:
			return "", broken("SP-META-02", line)
		}
	}
	_, hasSeed := known["seed"]
	_, hasGrow := known["grow"]
	switch {
	case !hasSeed || !hasGrow:
		return "", broken("SP-META-01", first)
	case len(grow) == 0:
		return "", broken("SP-META-01", growAt)
	}
	typ = oracleBare(known["type"])
	for _, d := range grow {
		switch {
		case d == "unfold" && typ != "archive":
			return "", broken("SP-DIR-02", growAt)
		case d == "copy" && typ != "archive":
			return "", broken("SP-DIR-03", growAt)
		case d == "exec" && typ == "archive":
			return "", broken("SP-DIR-04", growAt)
		case d == "install" && !reName.MatchString(oracleBare(known["name"])):
			return "", broken("SP-DIR-05", growAt)
		}
	}
	return typ, verdict{}
}
