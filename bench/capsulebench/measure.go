package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"
)

// atLeast is how long one sample takes: what is shorter runs several times.
const atLeast = 60 * time.Millisecond

// cost is what one run of a step took.
type cost struct{ wall, cpu time.Duration }

// step is one thing that is measured.
type step struct {
	label, does string
	prep        func() error // before each run, not measured; may be nil
	run         func() error
	costs       []cost // one for each round
}

// demand is what a case holds its steps to, from what they cost in one round.
type demand struct {
	name   string
	of     func(round []cost) float64
	budget float64
	least  bool // the figure must be at least its budget, not at most
	skip   string
}

// comparison is a case: its steps run in turn, once a round.
type comparison struct {
	steps   []step
	demands []demand
	closers []io.Closer
}

// figure is a demand that was measured.
type figure struct {
	Case    string  `json:"case"`
	Name    string  `json:"figure"`
	Value   float64 `json:"value"`
	Budget  float64 `json:"budget"`
	Least   bool    `json:"at_least"`
	Within  bool    `json:"within"`
	Skipped string  `json:"skipped,omitempty"`
}

func (c *comparison) close() error {
	var err error
	for _, f := range c.closers {
		err = errors.Join(err, f.Close())
	}
	return err
}

func (c *comparison) measure(w io.Writer, name string, n int) ([]figure, error) {
	for round := range n + 1 {
		for i := range c.steps {
			s := &c.steps[i]
			took, err := s.sample()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.label, err)
			}
			if round > 0 { // the first one warms caches and counts for nobody
				s.costs = append(s.costs, took)
			}
		}
	}
	fmt.Fprintf(w, "%s\n", name)
	for _, s := range c.steps {
		fmt.Fprintf(w, "  %-14s %10s wall %10s CPU   %s\n", s.label,
			median(s.costs, func(c cost) float64 { return float64(c.wall) }).round(),
			median(s.costs, func(c cost) float64 { return float64(c.cpu) }).round(), s.does)
	}
	figures := make([]figure, len(c.demands))
	for i, d := range c.demands {
		figures[i] = c.judge(name, d, n)
	}
	return figures, nil
}

// judge takes the median of the figure over the rounds: within a round the
// steps saw the same machine.
func (c *comparison) judge(name string, d demand, n int) figure {
	f := figure{Case: name, Name: d.name, Budget: d.budget, Least: d.least, Within: true, Skipped: d.skip}
	if d.skip != "" {
		return f
	}
	rounds := make([][]cost, n)
	for r := range rounds {
		for _, s := range c.steps {
			rounds[r] = append(rounds[r], s.costs[r])
		}
	}
	f.Value = float64(median(rounds, d.of))
	f.Within = f.Value <= d.budget
	if d.least {
		f.Within = f.Value >= d.budget
	}
	return f
}

// sample runs the step once, or as often as makes it long enough to be timed.
func (s *step) sample() (cost, error) {
	runtime.GC() // what others left behind is not for this one to collect
	var sum cost
	for n := time.Duration(1); ; n++ {
		if s.prep != nil {
			if err := s.prep(); err != nil {
				return cost{}, err
			}
		}
		start, spent := time.Now(), cpuTime()
		if err := s.run(); err != nil {
			return cost{}, err
		}
		sum.wall += time.Since(start)
		sum.cpu += cpuTime() - spent
		if sum.wall >= atLeast {
			return cost{sum.wall / n, sum.cpu / n}, nil
		}
	}
}

type number float64

func (n number) round() time.Duration { return time.Duration(n).Round(10 * time.Microsecond) }

func median[T any](all []T, of func(T) float64) number {
	values := make([]float64, len(all))
	for i, v := range all {
		values[i] = of(v)
	}
	slices.Sort(values)
	k := len(values) / 2
	if len(values)%2 == 0 {
		return number((values[k-1] + values[k]) / 2)
	}
	return number(values[k])
}

// printFigures prints the table and reports whether everything is in budget.
func printFigures(w io.Writer, all []figure) (within bool) {
	within = true
	fmt.Fprintf(w, "\n%-9s %-62s %8s %15s\n", "case", "figure", "measured", "budget")
	for _, f := range all {
		verdict, bound := "ok", "at most"
		if f.Least {
			bound = "at least"
		}
		switch {
		case f.Skipped != "":
			verdict = "not measured: " + f.Skipped
		case !f.Within:
			verdict, within = "OVER", false
		}
		fmt.Fprintf(w, "%-9s %-62s %8.3f %9s %5.2f  %s\n", f.Case, f.Name, f.Value, bound, f.Budget, verdict)
	}
	return within
}
