package main

import (
	"slices"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	t.Parallel()
	cases, err := parse(`
# one comparison
case pack
prep rm -rf /x/y
run tar tar -cf /x/a.tar -C /x real
run seed seed pack real   # ours
run shell dash -s out <| a.seed
limit seed ratio=3 rss=32M time=10ms
`)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 1 || len(cases[0].runs) != 3 {
		t.Fatalf("got %+v", cases)
	}
	c := cases[0]
	if !slices.Equal(c.prep, []string{"rm -rf /x/y"}) {
		t.Errorf("prep: got %q", c.prep)
	}
	if want := []string{"seed", "pack", "real"}; !slices.Equal(c.runs[1].args, want) {
		t.Errorf("args: got %q, want %q", c.runs[1].args, want)
	}
	if want := (limit{3, 32 << 20, 10 * time.Millisecond}); c.runs[1].limit != want {
		t.Errorf("limit: got %+v, want %+v", c.runs[1].limit, want)
	}
	if sh := c.runs[2]; sh.stdin != "a.seed" || !sh.pipe || len(sh.args) != 3 {
		t.Errorf("stdin: got %+v", sh)
	}
	for _, bad := range []string{"run a b", "case x\nlimit a ratio=1", "case x\nrun a b\nlimit a ratio=x", "case x\nrun a b\nlimit a speed=1", "nonsense"} {
		if got, err := parse(bad); err == nil {
			t.Errorf("%q: got %+v, want an error", bad, got)
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit limit
		over  int
	}{
		{limit{}, 0},
		{limit{ratio: 2, rss: 20 << 20, time: time.Second}, 0},
		{limit{ratio: 1.4}, 1},
		{limit{ratio: 1, rss: 1, time: 1}, 3},
	} {
		r := result{Median: time.Millisecond, Ratio: 1.5, RSS: 10 << 20}
		r.judge(c.limit)
		if len(r.Over) != c.over {
			t.Errorf("%+v: got %q, want %d of them", c.limit, r.Over, c.over)
		}
	}
}
