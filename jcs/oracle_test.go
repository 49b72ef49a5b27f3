package jcs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	oracle "github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"seed/jcs"
)

// randomFloats are doubles of every size: any bits, and numbers near those that
// people write.
func randomFloats(n int) []float64 {
	r := rand.New(rand.NewPCG(8785, 754))
	list := make([]float64, 0, n)
	for len(list) < n {
		f := math.Float64frombits(r.Uint64())
		switch r.IntN(4) {
		case 0:
			f = float64(r.Int64N(1<<60)-1<<59) / math.Pow10(r.IntN(30))
		case 1:
			f = math.Nextafter(math.Pow10(r.IntN(60)-30), f)
		}
		if !math.IsNaN(f) && !math.IsInf(f, 0) {
			list = append(list, f)
		}
	}
	return list
}

func TestCAP_JCS_03_numbersAgainstOracle(t *testing.T) {
	t.Parallel()
	for _, f := range randomFloats(50_000) {
		want, err := oracle.NumberToJSON(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(jcs.AppendNumber(nil, f)); got != want {
			t.Errorf("%016x: got %s, want %s", math.Float64bits(f), got, want)
		}
	}
}

func TestCAP_JCS_01_documentsAgainstOracle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for range draws {
			checkDocument(t, document{t: t}.root())
		}
	})
}

func checkDocument(t *rapid.T, text string) {
	want, err := oracle.Transform([]byte(text))
	if err != nil {
		t.Fatalf("oracle: %v", err)
	}
	d, err := jcs.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Root().AppendCanonical(nil); !bytes.Equal(got, want) {
		t.Fatalf("got %s, want %s", got, want)
	}
	for _, layout := range [][]byte{d.Root().AppendCompact(nil), d.Root().AppendIndent(nil, "\t")} {
		if again, err := jcs.Parse(layout); err != nil || !bytes.Equal(again.Root().AppendCanonical(nil), want) {
			t.Fatalf("%s: reads differently again (%v)", layout, err)
		}
	}
	v := d.Root()
	if v.Kind() != jcs.Object || v.Len() == 0 {
		return
	}
	var names []string
	for name := range v.Members() {
		names = append(names, name)
	}
	checkWithout(t, v, want, rapid.SampledFrom(names).Draw(t, "left out"))
}

// checkWithout compares a document minus a member with one that never had it.
func checkWithout(t *rapid.T, v jcs.Value, canonical []byte, name string) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(canonical, &members); err != nil {
		t.Fatal(err)
	}
	delete(members, name)
	left, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	want, err := oracle.Transform(left)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.AppendCanonicalWithout(nil, name); !bytes.Equal(got, want) {
		t.Fatalf("without %q: got %s, want %s", name, got, want)
	}
}

func TestCAP_JSON_02_duplicatesAgainstOracle(t *testing.T) {
	t.Parallel()
	good, bad := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range draws {
			text := document{t: t, twice: true}.root()
			_, want := oracle.Transform([]byte(text))
			_, err := jcs.Parse([]byte(text))
			var e *jcs.Error
			switch {
			case err == nil && want == nil:
				good++
			case errors.As(err, &e) && e.Reason == jcs.DuplicateMember && want != nil:
				bad++
			default:
				t.Fatalf("%s: got %v, want %v", text, err, want)
			}
		}
	})
	if good < draws || bad < draws {
		t.Errorf("got %d documents without and %d with a duplicate: too few of one kind", good, bad)
	}
}

// node runs a script in the language whose number format JCS borrows.
func node(t *testing.T, script, input string) []string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("no node on PATH: JSON.stringify was not asked")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-e", `
		const lines = require("fs").readFileSync(0, "utf8").split("\n").slice(0, -1);
		const canonical = v => v === null || typeof v !== "object" ? JSON.stringify(v)
			: Array.isArray(v) ? "[" + v.map(canonical).join(",") + "]"
			: "{" + Object.keys(v).sort().map(k => JSON.stringify(k) + ":" + canonical(v[k])).join(",") + "}";
		process.stdout.write(lines.map(`+script+`).join("\n"));`)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	return strings.Split(string(out), "\n")
}

func TestCAP_JCS_03_numbersAgainstNode(t *testing.T) {
	t.Parallel()
	floats := randomFloats(100_000)
	var input []byte
	for _, f := range floats {
		input = append(strconv.AppendUint(input, math.Float64bits(f), 10), '\n')
	}
	got := node(t, `s => JSON.stringify(new Float64Array(new BigUint64Array([BigInt(s)]).buffer)[0])`, string(input))
	if len(got) != len(floats) {
		t.Fatalf("got %d lines, want %d", len(got), len(floats))
	}
	for i, f := range floats {
		if ours := string(jcs.AppendNumber(nil, f)); ours != got[i] {
			t.Errorf("%016x: got %s, want %s", math.Float64bits(f), ours, got[i])
		}
	}
}

func TestCAP_JCS_01_documentsAgainstNode(t *testing.T) {
	t.Parallel()
	var texts []string
	rapid.Check(t, func(t *rapid.T) {
		for range draws {
			// A name that looks like an index would move to the front in JavaScript.
			text := document{t: t, prefix: "-"}.root()
			// Each text goes to node on a line of its own.
			texts = append(texts, strings.ReplaceAll(text, "\n", " "))
		}
	})
	texts = append(texts, `["\ud800","\udfff","a\ud83dz",1e999,-1e999,{"-":"\udc00\ud800"}]`) // refused, yet shown alike
	input := strings.Join(texts, "\n") + "\n"
	got := node(t, `s => { const v = JSON.parse(s);
		return JSON.stringify([canonical(v), JSON.stringify(v), JSON.stringify(v, null, 2)]); }`, input)
	if len(got) != len(texts) {
		t.Fatalf("got %d lines, want %d", len(got), len(texts))
	}
	for i, text := range texts {
		var want [3]string
		if err := json.Unmarshal([]byte(got[i]), &want); err != nil {
			t.Fatal(err)
		}
		v := mustParse(t, text)
		for k, out := range [][]byte{v.AppendCanonical(nil), v.AppendCompact(nil), v.AppendIndent(nil, "  ")} {
			if string(out) != want[k] {
				t.Errorf("%s: got %s, want %s", text, out, want[k])
			}
		}
	}
}
