package chain_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"seed/capsule/chain"
)

// TestCAP_CHN_04_LineEnds: readers split at LF and are easy about the rest; the
// bytes are pinned by the content index anyway.
func TestCAP_CHN_04_LineEnds(t *testing.T) {
	t.Parallel()
	lines, hashes := three(t, nil)
	for name, log := range map[string]string{
		"as written":       text(lines),
		"no final LF":      strings.TrimSuffix(text(lines), "\n"),
		"CR before LF":     strings.Join(lines, "\r\n") + "\r\n",
		"final CR":         strings.Join(lines, "\n") + "\r",
		"blank lines":      "\n\n" + strings.Join(lines, "\n\n\n") + "\n\n",
		"spaces around":    "  " + strings.Join(lines, "\t \n ") + " ",
		"one byte at once": text(lines),
	} {
		var r io.Reader = strings.NewReader(log)
		if name == "one byte at once" {
			r = iotest.OneByteReader(r)
		}
		res, err := chain.Walk(r, chain.Options{})
		if err != nil || !res.OK() || res.Events != 3 || res.First != hashes[0] || res.Last != hashes[2] {
			t.Errorf("%s: got %+v, %v, want a clean chain", name, res, err)
		}
	}
	// A line of nothing but CR or space is a line, and no event.
	for _, blank := range []string{"\r", " "} {
		got := said(walk(t, lines[0]+"\n"+blank+"\n"+lines[1], chain.Options{}))
		if len(got) != 3 || !strings.HasPrefix(got[0], "CAP-CHN-07 2 event_not_object: event is not a JSON object") ||
			!strings.HasPrefix(got[1], "CAP-CHN-03 3 seq_mismatch: seq 2 expected 3") {
			t.Errorf("%q: got %v, want event 2 unreadable and event 3 out of step", blank, got)
		}
	}
	if res := walk(t, "", chain.Options{}); !res.OK() || res.Events != 0 || res.First != "" || res.Last != "" {
		t.Errorf("no bytes: got %+v, want no events", res)
	}
}

// padded is a valid event whose line has exactly size bytes without its LF.
func padded(t *testing.T, size int) string {
	t.Helper()
	body := `{"seq":1,"kind":"session","prev_hash":"` + chain.Genesis + `","payload":{"p":""}}`
	short, _ := link(t, chain.Genesis, body)
	line, _ := link(t, chain.Genesis, strings.Replace(body, `"p":""`, `"p":"`+strings.Repeat("x", size-len(short))+`"`, 1))
	if len(line) != size {
		t.Fatalf("got a line of %d bytes, want %d", len(line), size)
	}
	return line
}

func TestCAP_JSON_08_LineLimit(t *testing.T) {
	t.Parallel()
	const tooLong = "CAP-JSON-08 1 line_too_long: event line is longer than 16777216 bytes"
	edge, past := padded(t, chain.MaxLine), padded(t, chain.MaxLine+1)
	for _, end := range []string{"", "\n"} {
		expect(t, edge+end, chain.Options{})
		expect(t, past+end, chain.Options{}, tooLong)
	}
	// The rest of the log is read all the same, and the long line counts.
	_, hashes := three(t, nil)
	lines, _ := three(t, nil)
	res := walk(t, strings.Repeat("x", chain.MaxLine+70_000)+"\n"+lines[1]+"\n", chain.Options{})
	want := []string{
		tooLong, "CAP-CHN-02 2 prev_hash_mismatch: prev_hash mismatch: got " + hashes[0] +
			", expected none, as the event before has no usable hash",
	}
	if got := said(res); strings.Join(got, "|") != strings.Join(want, "|") || res.Events != 2 {
		t.Errorf("got %v of %d events, want %v", got, res.Events, want)
	}
}

func TestCAP_JSON_08_Depth(t *testing.T) {
	t.Parallel()
	// The event is one level, its payload the second.
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	fine, _ := three(t, second(t, `"Go."`, deep(510)))
	expect(t, text(fine), chain.Options{})
	lines, _ := three(t, nil)
	for _, n := range []int{511, 100_000} {
		bad := strings.Replace(lines[1], `"Go."`, deep(n), 1)
		got := said(walk(t, text([]string{lines[0], bad}), chain.Options{}))
		if len(got) != 1 || !strings.HasPrefix(got[0], "CAP-JSON-08 2 too_deep: event is not a JSON object that can be hashed: ") {
			t.Errorf("%d levels: got %.300v, want too_deep alone", n, got)
		}
	}
	var log chain.Log
	if _, err := log.Append(chain.Draft{Actor: "ai:x", Action: "a", Timestamp: noon, Payload: []byte(`{"a":` + deep(511) + `}`)}); err == nil {
		t.Error("Append took a payload that Walk finds too deep")
	}
}

// endless gives one line of n bytes that never ends before them.
type endless struct{ n int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), e.n))
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.n -= int64(n)
	return n, nil
}

// TestCAP_JSON_08_LongLinesAreStreamed is not parallel: it counts what the whole
// process allocates.
func TestCAP_JSON_08_LongLinesAreStreamed(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := chain.Walk(&endless{n: 512 << 20}, chain.Options{})
	runtime.ReadMemStats(&after)
	if err != nil || res.Events != 1 || len(res.Problems) != 1 || res.Problems[0].Reason != chain.LineTooLong {
		t.Fatalf("got %+v, %v, want one line that is too long", res, err)
	}
	// A line up to the limit is collected by doubling.
	if got := after.TotalAlloc - before.TotalAlloc; got > 8*chain.MaxLine {
		t.Errorf("a line of 512 MiB allocated %d bytes in total, want at most %d", got, 8*chain.MaxLine)
	}
}

// TestCAP_JSON_08_ManyEventsInBoundedMemory is not parallel either.
func TestCAP_JSON_08_ManyEventsInBoundedMemory(t *testing.T) {
	var log chain.Log
	var b bytes.Buffer
	for range 20_000 {
		line, err := log.Append(chain.Draft{Actor: "ai:x", Action: "a", Timestamp: noon, Payload: []byte(`{"summary":"a sentence of some length"}`)})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := chain.Walk(&b, chain.Options{})
	runtime.ReadMemStats(&after)
	if err != nil || !res.OK() || res.Events != 20_000 || res.Last != log.Last() {
		t.Fatalf("got %+v, %v, want 20,000 events", res, err)
	}
	// Nothing is kept of an event but its hash.
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
		t.Errorf("walking 20,000 events allocated %d bytes, want at most 16 MiB", got)
	}
}

func TestCAP_CHN_04_ProblemsAreBounded(t *testing.T) {
	t.Parallel()
	res := walk(t, strings.Repeat("1\n", chain.MaxProblems+500), chain.Options{})
	if len(res.Problems) != chain.MaxProblems || res.More != 500 || res.OK() || res.Events != chain.MaxProblems+500 {
		t.Errorf("got %d problems and %d more of %d events", len(res.Problems), res.More, res.Events)
	}
	res = walk(t, "1\n1\n1\n", chain.Options{Keep: 2})
	if len(res.Problems) != 2 || res.More != 1 || res.OK() {
		t.Errorf("Keep 2: got %d problems and %d more", len(res.Problems), res.More)
	}
	if (&chain.Result{More: 1}).OK() {
		t.Error("a result with problems that were not kept is OK")
	}
}

func TestWalk_ReadError(t *testing.T) {
	t.Parallel()
	lines, _ := three(t, nil)
	broken := errors.New("the disk is gone")
	for _, before := range []string{"", text(lines), lines[0][:50], strings.Repeat("x", chain.MaxLine+1)} {
		res, err := chain.Walk(io.MultiReader(strings.NewReader(before), iotest.ErrReader(broken)), chain.Options{})
		if !errors.Is(err, broken) || res != nil {
			t.Errorf("after %d bytes: got %v, %v, want the error of reading", len(before), res, err)
		}
	}
}

func TestWalk_Visit(t *testing.T) {
	t.Parallel()
	lines, hashes := three(t, nil)
	log := text([]string{lines[0], "[]", "{", strings.Replace(lines[1], `"seq":2`, `"seq":9`, 1)})
	var seen []chain.Event
	var members []string
	res := walk(t, log, chain.Options{Visit: func(e chain.Event) error {
		seen = append(seen, e)
		members = append(members, e.Actor(), e.Kind(), e.Action(), e.Target(), e.Timestamp(), e.Hash(), e.Payload().Member("summary").Str())
		return nil
	}})
	if len(seen) != 2 || seen[0].Pos != 1 || seen[1].Pos != 4 || res.Events != 4 {
		t.Fatalf("got %d visits of %d events, want those that are objects, 1 and 4", len(seen), res.Events)
	}
	want := []string{"human:ana", "decision", "approved", "payload/plan.md", noon, hashes[0], "Go."}
	want = append(want, want...)
	want[12] = hashes[1]
	if strings.Join(members, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", members, want)
	}
	stop := errors.New("enough")
	calls := 0
	res, err := chain.Walk(strings.NewReader(text(lines)), chain.Options{Visit: func(chain.Event) error {
		calls++
		return stop
	}})
	if !errors.Is(err, stop) || res != nil || calls != 1 {
		t.Errorf("got %v, %v after %d calls, want the visitor's error after one", res, err, calls)
	}
}

func TestCAP_CHN_08_Resolve(t *testing.T) {
	t.Parallel()
	line, _ := link(t, chain.Genesis, `{"seq":1,"kind":"session","prev_hash":"`+chain.Genesis+`","payload":{"a":{"b":"deep","0":"zero"},"l":["x"],"t":"top",`+
		`"a.b":"dotted","é":"accent"},"untrusted_payload_fields":["payload.a.b","payload.l.0"]}`)
	broken := strings.Replace(line, `"payload.l.0"]`, `"payload.l.0","nonsense",7]`, 1)
	for _, l := range []string{line, broken} {
		visited := 0
		walk(t, l, chain.Options{Visit: func(e chain.Event) error {
			visited++
			if got := strings.Join(e.Untrusted(), "|"); got != "payload.a.b|payload.l.0" {
				t.Errorf("Untrusted: got %s, want the two of the right grammar", got)
			}
			for path, want := range map[string]string{
				"payload.a.b": `"deep"`, "payload.a.0": `"zero"`, "payload.t": `"top"`, "payload.a": `{"b":"deep","0":"zero"}`,
				"payload.l.0": "", "payload.t.x": "", "payload.nowhere": "", "payload.a.b.c": "", "payload": "", "payload.": "", "": "", "a.b": "",
				"payload..a": "", "actor": "", "PAYLOAD.t": "", "nothing.t": "", "payload.é": "", "payload.t.": "",
			} {
				if got := string(e.Resolve(path).AppendCompact(nil)); got != want {
					t.Errorf("Resolve(%q): got %s, want %s", path, got, want)
				}
			}
			return nil
		}})
		if visited != 1 {
			t.Errorf("%s: visited %d times", l, visited)
		}
	}
	bare := `{"seq":1,"payload":["x"]}`
	walk(t, bare, chain.Options{Visit: func(e chain.Event) error {
		if e.Resolve("payload.0").Exists() || len(e.Untrusted()) != 0 {
			t.Errorf("%s: got %v", bare, e.Resolve("payload.0"))
		}
		return nil
	}})
}
