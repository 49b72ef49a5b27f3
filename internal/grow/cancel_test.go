package grow_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"testing"

	"seed/internal/grow"
)

// countdown is a context that is cancelled the nth time somebody asks.
type countdown struct {
	context.Context
	left   *atomic.Int64
	cancel context.CancelFunc
}

func newCountdown(n int64) *countdown {
	ctx, cancel := context.WithCancel(context.Background())
	c := &countdown{ctx, new(atomic.Int64), cancel}
	c.left.Store(n)
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// Cancelled at any moment, a destination is as it was or as it should be, and
// no stage is left (SP-GROW-05).
func TestSP_GROW_05_CancelAtEveryStage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		there []string
	}{
		{"new destination", nil},
		{"existing destination", []string{"dest/a", "old\n", "dest/d/mine", "kept\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cancelled := 0
			for n := int64(0); ; n++ {
				if n > 1000 {
					t.Fatal("got no end of questions to the context, want growing to finish")
				}
				w := newWorld(t)
				w.plant(c.there...)
				w.o.Force = true
				before := w.list(".")
				ctx := newCountdown(n)
				p, err := grow.Prepare(ctx, archive(t, tree, "show", "unfold"), w.dest, w.o)
				if err == nil {
					_, err = p.Run(ctx)
				}
				ctx.cancel()
				if err == nil {
					break
				}
				cancelled++
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("cancelled at question %d: got %v, want %v", n, err, context.Canceled)
				}
				w.want(".", before...)
			}
			if cancelled < 3 {
				t.Errorf("got %d moments of cancelling, want several", cancelled)
			}
		})
	}
}

// Cancelled between two steps, what landed stays and the error says so.
func TestSP_GROW_05_CancelBetweenSteps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w.o.Announce = func(s *grow.Step) {
		if s.Directive == "show" {
			cancel()
		}
	}
	w.o.Show = func(io.Reader) error { t.Error("shown after it was cancelled"); return nil }
	p, err := grow.Prepare(ctx, archive(t, tree, "unfold", "show"), w.dest, w.o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(ctx)
	if !errors.Is(err, context.Canceled) || !slices.Equal(statuses(r.Steps), []string{"unfold done", "show failed"}) {
		t.Errorf("got %v and %q, want it cancelled at show", err, statuses(r.Steps))
	}
	w.want("dest", grown...)
}
