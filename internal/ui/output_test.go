package ui_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"seed/internal/ui"
)

func TestNewStreamsWithoutTerminal(t *testing.T) {
	t.Parallel()
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := ui.NewStreams(f, f, f, func(string) string { return "" })
	if s.InTTY || s.OutTTY || s.ErrTTY || s.Redraw || bool(s.Color) || bool(s.ErrColor) {
		t.Errorf("got %+v, want a plain stream", s)
	}
	if s.Columns() != 80 {
		t.Errorf("got %d columns, want 80", s.Columns())
	}
}

func TestPaint(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		f    func(ui.Paint) string
		want string
	}{
		{"bold", func(p ui.Paint) string { return p.Bold("x") }, "\x1b[1mx\x1b[0m"},
		{"dim", func(p ui.Paint) string { return p.Dim("x") }, "\x1b[2mx\x1b[0m"},
		{"good", func(p ui.Paint) string { return p.Good("x") }, "\x1b[32mx\x1b[0m"},
		{"bad", func(p ui.Paint) string { return p.Bad("x") }, "\x1b[1;31mx\x1b[0m"},
		{"warn", func(p ui.Paint) string { return p.Warn("x") }, "\x1b[33mx\x1b[0m"},
		{"plain", func(p ui.Paint) string { return p.Apply(ui.Plain, "x") }, "x"},
		{"nothing", func(p ui.Paint) string { return p.Bold("") }, ""},
	}
	for _, tt := range tests {
		if got := tt.f(true); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		if got := tt.f(false); strings.Contains(got, "\x1b") {
			t.Errorf("%s without colour: got %q, want it plain", tt.name, got)
		}
	}
}

func TestNotesGoToStandardError(t *testing.T) {
	t.Parallel()
	var out, err bytes.Buffer
	s := &ui.Streams{Out: &out, Err: &err, ErrColor: true}
	s.NoColor()
	s.Note("kept %s", "a\x1b[2Jb")
	s.Warn("two\nlines")
	s.Fail(errors.New("my.seed:14: no \u202egrow"), "add one")
	want := "note: kept a\\x1b[2Jb\nwarning: two\\nlines\nseed: my.seed:14: no \\u202egrow\n hint: add one\n"
	if err.String() != want || out.Len() != 0 {
		t.Errorf("got %q and %q, want %q and nothing", err.String(), out.String(), want)
	}
	err.Reset()
	s.Fail(errors.New("x"), "")
	if err.String() != "seed: x\n" {
		t.Errorf("got %q, want no hint", err.String())
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	table := ui.Table{Indent: 2, Max: 12}
	table.Add(ui.Cell{Text: "name", Style: ui.Bold}, ui.Cell{Text: "size", Right: true}, ui.Cell{Text: "note"})
	table.Add(ui.Cell{Text: "a\x1b[2J\tb"}, ui.Cell{Text: "12 B", Right: true}, ui.Cell{Text: "x"})
	table.Add(ui.Cell{Text: "日本語"}, ui.Cell{Text: "1.2 MiB", Right: true}, ui.Cell{})
	table.Add(ui.Cell{Text: "e\u0301t\u00e9"}, ui.Cell{}, ui.Cell{Text: "y"})
	table.Add(ui.Cell{Text: "a-very-long-name-indeed"})
	var b bytes.Buffer
	if err := table.Print(&b, true); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"  \x1b[1mname\x1b[0m             size  note\n" +
		"  a\\x1b[2J\\tb      12 B  x\n" +
		"  日本語        1.2 MiB\n" +
		"  e\u0301t\u00e9                    y\n" +
		"  a-very-long…\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestDisplayWidth(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "ｶ": 1, "Ａ": 2, "한": 2, "🌱": 2, "Ж": 1} {
		if got := ui.DisplayWidth(in); got != want {
			t.Errorf("%q: got %d, want %d", in, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	text := "<a href=\"x\">&</a> é 日 \u2028\u2029\x7f\u009b\u202e\u200b\U000e0041\x1b\t"
	in := map[string]any{"list": []int{1, 2}, "text": text, "\u202ekey": nil}
	var out bytes.Buffer
	s := &ui.Streams{Out: &out}
	if err := s.JSON(in); err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"list\": [\n    1,\n    2\n  ],\n  \"text\": \"<a href=\\\"x\\\">&</a> é 日 " +
		`\u2028\u2029\u007f\u009b\u202e\u200b\udb40\udc41\u001b\t` + "\",\n  \"\\u202ekey\": null\n}\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	var back map[string]any
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back["text"] != text {
		t.Errorf("got back %q, want %q", back["text"], text)
	}
	if _, ok := back["\u202ekey"]; !ok {
		t.Error("the key did not come back")
	}
	if err := s.JSON(math.NaN()); err == nil {
		t.Error("got nil for what JSON cannot say, want an error")
	}
}

func FuzzJSON(f *testing.F) {
	f.Add("\u2028 \x7f \U000e0041 \xff \\u0041")
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		if err := (&ui.Streams{Out: &out}).JSON(text); err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil {
			t.Fatalf("%q: %v", out.String(), err)
		}
		if want := strings.ToValidUTF8(text, "\ufffd"); strings.Count(text, "\ufffd") == strings.Count(want, "\ufffd") && back != text {
			t.Fatalf("got %q, want %q", back, text)
		}
		if strings.ContainsAny(out.String(), "\x7f\u009b\u202e\u2028") {
			t.Fatalf("got a hidden character in %q", out.String())
		}
	})
}

func TestWords(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1 << 20: "1.0 MiB", 1<<20 - 1: "1.0 MiB", 1258291: "1.2 MiB",
		5 << 30: "5.0 GiB", math.MaxInt64: "8.0 EiB",
	} {
		if got := ui.Size(n); got != want {
			t.Errorf("Size(%d): got %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 10700: "10,700", 1234567: "1,234,567", -100: "-100", -1000: "-1,000"} {
		if got := ui.Count(n); got != want {
			t.Errorf("Count(%d): got %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 files", 1: "1 file", 2: "2 files", 10700: "10,700 files"} {
		if got := ui.Plural(n, "file", "files"); got != want {
			t.Errorf("Plural(%d): got %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "0 µs", 900 * time.Microsecond: "900 µs", 12 * time.Millisecond: "12 ms", 3400 * time.Millisecond: "3.4 s",
		59990 * time.Millisecond: "1 min 0 s", 125 * time.Second: "2 min 5 s", 72 * time.Minute: "1 h 12 min",
		time.Hour - time.Millisecond: "1 h 0 min", -time.Second: "-1.0 s",
	} {
		if got := ui.Duration(d); got != want {
			t.Errorf("Duration(%d): got %q, want %q", d, got, want)
		}
	}
}
