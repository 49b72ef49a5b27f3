package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// comparison is one case of a plan.
type comparison struct {
	name string
	prep []string
	runs []*command
}

type command struct {
	label string
	args  []string
	stdin string // a file, "" for none
	pipe  bool   // stdin is fed through a pipe
	limit limit
}

// limit holds what a command may need; zero means anything.
type limit struct {
	ratio float64 // of the peer's median
	rss   int64   // bytes
	time  time.Duration
}

func parse(text string) ([]*comparison, error) {
	var cases []*comparison
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, " #")
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if err := instruct(&cases, words, line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return cases, nil
}

func instruct(cases *[]*comparison, words []string, line string) error {
	if words[0] == "case" && len(words) == 2 {
		*cases = append(*cases, &comparison{name: words[1]})
		return nil
	}
	if len(*cases) == 0 {
		return fmt.Errorf("%s before the first case", words[0])
	}
	c := (*cases)[len(*cases)-1]
	switch {
	case words[0] == "prep" && len(words) > 1:
		c.prep = append(c.prep, strings.TrimPrefix(strings.TrimSpace(line), "prep "))
	case words[0] == "run" && len(words) > 2:
		cmd := &command{label: words[1], args: words[2:]}
		if k := len(cmd.args) - 2; k > 0 && (cmd.args[k] == "<" || cmd.args[k] == "<|") {
			cmd.stdin, cmd.pipe, cmd.args = cmd.args[k+1], cmd.args[k] == "<|", cmd.args[:k]
		}
		c.runs = append(c.runs, cmd)
	case words[0] == "limit" && len(words) > 2:
		for _, cmd := range c.runs {
			if cmd.label == words[1] {
				return cmd.limit.set(words[2:])
			}
		}
		return fmt.Errorf("limit for %q, which does not run before it", words[1])
	default:
		return fmt.Errorf("not understood: %q", line)
	}
	return nil
}

func (l *limit) set(words []string) error {
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		var err error
		switch key {
		case "ratio":
			l.ratio, err = strconv.ParseFloat(value, 64)
		case "rss":
			l.rss, err = strconv.ParseInt(strings.TrimSuffix(value, "M"), 10, 64)
			l.rss <<= 20
		case "time":
			l.time, err = time.ParseDuration(value)
		default:
			err = fmt.Errorf("unknown limit %q", key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
