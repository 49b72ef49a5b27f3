package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// result is what one command of a case took.
type result struct {
	Case   string        `json:"case"`
	Label  string        `json:"command"`
	Median time.Duration `json:"median_ns"`
	Best   time.Duration `json:"best_ns"`
	Ratio  float64       `json:"ratio"`   // of the case's first command
	RSS    int64         `json:"max_rss"` // bytes; 0 where the system does not say
	Over   []string      `json:"over,omitempty"`
	within bool
}

func (r result) String() string {
	verdict := ""
	switch {
	case len(r.Over) > 0:
		verdict = "OVER: " + strings.Join(r.Over, ", ")
	case r.within:
		verdict = "ok"
	}
	return fmt.Sprintf("%-16s %-14s %10s %10s %8.2f %7.1fM  %s", r.Case, r.Label,
		r.Median.Round(10*time.Microsecond), r.Best.Round(10*time.Microsecond), r.Ratio, float64(r.RSS)/(1<<20), verdict)
}

func (c *comparison) measure(n int, timeout time.Duration) ([]result, error) {
	times := make([][]time.Duration, len(c.runs))
	rss := make([]int64, len(c.runs))
	for round := range n + 1 {
		for i, cmd := range c.runs {
			for _, p := range c.prep {
				if out, err := exec.Command("sh", "-c", p).CombinedOutput(); err != nil {
					return nil, fmt.Errorf("prep %s: %w: %s", p, err, out)
				}
			}
			took, peak, err := cmd.once(timeout)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", cmd.label, err)
			}
			if round == 0 {
				continue // warms caches, counts for nobody
			}
			times[i] = append(times[i], took)
			rss[i] = max(rss[i], peak)
		}
	}
	var all []result
	for i, cmd := range c.runs {
		slices.Sort(times[i])
		r := result{Case: c.name, Label: cmd.label, Median: times[i][n/2], Best: times[i][0], RSS: rss[i]}
		r.Ratio = float64(r.Median) / float64(times[0][n/2])
		r.judge(cmd.limit)
		all = append(all, r)
	}
	return all, nil
}

func (r *result) judge(l limit) {
	if l == (limit{}) {
		return
	}
	r.within = true
	if l.ratio > 0 && r.Ratio > l.ratio {
		r.Over = append(r.Over, fmt.Sprintf("ratio at most %g", l.ratio))
	}
	if l.rss > 0 && r.RSS > l.rss {
		r.Over = append(r.Over, fmt.Sprintf("RSS at most %dM", l.rss>>20))
	}
	if l.time > 0 && r.Median > l.time {
		r.Over = append(r.Over, fmt.Sprintf("time at most %v", l.time))
	}
}

// once runs the command and returns its wall time and peak memory, that of the
// largest process when it starts others.
func (c *command) once(timeout time.Duration) (time.Duration, int64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if c.stdin != "" {
		f, err := os.Open(c.stdin)
		if err != nil {
			return 0, 0, err
		}
		defer f.Close()
		cmd.Stdin = f
		if c.pipe {
			cmd.Stdin = struct{ io.Reader }{f} // not a file any more: os/exec makes a pipe
		}
	}
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w: %s", strings.Join(c.args[:min(len(c.args), 4)], " "), err, bytes.TrimSpace(stderr.Bytes()[:min(stderr.Len(), 500)]))
	}
	return took, peak(cmd.ProcessState), nil
}
