package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestJudgeTakesTheMedianOfRounds(t *testing.T) {
	t.Parallel()
	ms := func(all ...int) []cost {
		var costs []cost
		for _, n := range all {
			costs = append(costs, cost{time.Duration(n), time.Duration(2 * n)})
		}
		return costs
	}
	c := &comparison{steps: []step{{costs: ms(10, 100, 10)}, {costs: ms(20, 100, 15)}}}
	ratio := func(r []cost) float64 { return wall(r, 1) / wall(r, 0) }
	for _, tt := range []struct {
		name   string
		demand demand
		value  float64
		within bool
	}{
		{"at most, kept", demand{of: ratio, budget: 1.5}, 1.5, true},
		{"at most, over", demand{of: ratio, budget: 1.4}, 1.5, false},
		{"at least, kept", demand{of: ratio, budget: 1.5, least: true}, 1.5, true},
		{"at least, under", demand{of: ratio, budget: 1.6, least: true}, 1.5, false},
		{"of processor time", demand{of: func(r []cost) float64 { return cpu(r, 0) }, budget: 20}, 20, true},
		{"not measured", demand{of: ratio, budget: 0.1, skip: "one core"}, 0, true},
	} {
		got := c.judge("case", tt.demand, 3)
		if got.Value != tt.value || got.Within != tt.within {
			t.Errorf("%s: got %+v, want %v, within %v", tt.name, got, tt.value, tt.within)
		}
		var text strings.Builder
		if printFigures(&text, []figure{got}) != tt.within || strings.Contains(text.String(), "OVER") == tt.within {
			t.Errorf("%s: got the table %s", tt.name, text.String())
		}
	}
}

func TestSampleRepeatsWhatIsShort(t *testing.T) {
	t.Parallel()
	prepared, ran := 0, 0
	s := step{prep: func() error { prepared++; return nil }, run: func() error { ran++; return nil }}
	if _, err := s.sample(); err != nil || ran < 2 || prepared != ran {
		t.Errorf("got %v after %d runs and %d preparations", err, ran, prepared)
	}
	s.run = func() error { return os.ErrInvalid }
	if _, err := s.sample(); !errors.Is(err, os.ErrInvalid) {
		t.Errorf("got %v, want what the step said", err)
	}
}

func TestMakeFileVerifies(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "small.capsule")
	if err := makeFile("small", path); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := verify(f, info.Size()); err != nil {
		t.Error(err)
	}
	if err := makeFile("huge", path); err == nil {
		t.Error("an unknown kind was made")
	}
}
