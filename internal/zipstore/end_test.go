package zipstore_test

import (
	"maps"
	"strings"
	"testing"

	"seed/internal/zipstore"
)

const emptyArchive = "PK\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// two is what most tests break: a valid archive of two files.
func two() *raw { return zip("a.txt", "alpha", "dir/b.txt", "beta") }

func TestCAP_ZIP_10_endRecord(t *testing.T) {
	t.Parallel()
	good := string(two().bytes())
	want := map[string]string{"a.txt": "alpha", "dir/b.txt": "beta"}
	if got := accepted(t, "plain", []byte(good)); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := accepted(t, "22 bytes", []byte(emptyArchive)); len(got) != 0 {
		t.Errorf("got %v, want no files", got)
	}
	for _, c := range []struct {
		name, data string
		reason     zipstore.Reason
	}{
		{"nothing", "", zipstore.MalformedContainer},
		{"21 bytes", emptyArchive[:21], zipstore.MalformedContainer},
		{"no signature", strings.Repeat("x", 100_000), zipstore.MalformedContainer},
		{"signature at the very end", strings.Repeat("x", 100) + "PK\x05\x06", zipstore.MalformedContainer},
		{"one byte after", good + "x", zipstore.TrailingBytes},
		{"a zero byte after", good + "\x00", zipstore.TrailingBytes},
		{"many bytes after", good + strings.Repeat("x", 60_000), zipstore.TrailingBytes},
		{"a byte after an empty archive", emptyArchive + "x", zipstore.TrailingBytes},
		{"so many bytes that the record is out of reach", good + strings.Repeat("x", 70_000), zipstore.MalformedContainer},
		{"comment shorter than it says", good[:len(good)-2] + "\x05\x00abcd", zipstore.MalformedContainer},
		{"comment longer than it says", good[:len(good)-2] + "\x02\x00abcd", zipstore.TrailingBytes},
	} {
		refused(t, c.name, []byte(c.data), "CAP-ZIP-10", c.reason)
	}
	if _, err := zipstore.Open(strings.NewReader(good), -1, zipstore.Options{}); err == nil {
		t.Error("size -1: got no error")
	}
}

func TestCAP_ZIP_11_oneEndRecord(t *testing.T) {
	t.Parallel()
	nested := two()
	nested.parts = append(nested.parts, file("inner.zip", string(two().bytes())))
	accepted(t, "an archive in the archive", nested.bytes())
	longest := two()
	longest.comment = strings.Repeat("c", 1<<16-1)
	accepted(t, "the longest comment", longest.bytes())

	inside := two()
	inside.comment = "see PK\x05\x06"
	refused(t, "signature in the comment", inside.bytes(), "CAP-ZIP-11", zipstore.AmbiguousEOCD)

	second := two()
	second.comment = emptyArchive
	refused(t, "whole record in the comment", second.bytes(), "CAP-ZIP-11", zipstore.AmbiguousEOCD)

	across := two()
	across.comment = "\x05\x06" + strings.Repeat("c", 0x4b50-2)
	refused(t, "signature across length and comment", across.bytes(), "CAP-ZIP-11", zipstore.AmbiguousEOCD)

	// Content that ends the file if one believes its comment length.
	decoy := zip("a.txt", emptyArchive)
	left := len(decoy.bytes()) - (30 + len("a.txt") + len(emptyArchive))
	decoy = zip("a.txt", emptyArchive[:20]+string(le(uint16(left))))
	refused(t, "record in the content", decoy.bytes(), "CAP-ZIP-11", zipstore.AmbiguousEOCD)
}

func TestCAP_ZIP_12_noZIP64(t *testing.T) {
	t.Parallel()
	const none = 1<<32 - 1
	for name, fix := range map[string]func(p []*part, e *fin){
		"count":             func(_ []*part, e *fin) { e.count = 0xffff },
		"count on disk":     func(_ []*part, e *fin) { e.onDisk = 0xffff },
		"both counts":       func(_ []*part, e *fin) { e.count, e.onDisk = 0xffff, 0xffff },
		"directory size":    func(_ []*part, e *fin) { e.dirSize = none },
		"directory offset":  func(_ []*part, e *fin) { e.dirOffset = none },
		"compressed size":   func(p []*part, _ *fin) { p[0].central.compressed = none },
		"size":              func(p []*part, _ *fin) { p[1].central.size = none },
		"local offset":      func(p []*part, _ *fin) { p[1].central.offset = none },
		"disk of the entry": func(p []*part, _ *fin) { p[1].central.disk = 0xffff },
	} {
		z := two()
		z.fix = fix
		refused(t, name, z.bytes(), "CAP-ZIP-12", zipstore.ZIP64)
	}
	local := two()
	local.parts[0].local.size = none
	refused(t, "local size", local.bytes(), "CAP-ZIP-12", zipstore.ZIP64)

	locator := two()
	locator.hidden = "PK\x06\x07" + strings.Repeat("\x00", 16)
	refused(t, "locator", locator.bytes(), "CAP-ZIP-12", zipstore.ZIP64)
	locator.comment = strings.Repeat("c", 1<<16-1)
	refused(t, "locator before the longest comment", locator.bytes(), "CAP-ZIP-12", zipstore.ZIP64)

	for name, fix := range map[string]func(p []*part, e *fin){
		"number of this disk":     func(_ []*part, e *fin) { e.disk = 1 },
		"disk of the directory":   func(_ []*part, e *fin) { e.dirDisk = 1 },
		"disk of the local entry": func(p []*part, _ *fin) { p[0].central.disk = 1 },
	} {
		z := two()
		z.fix = fix
		refused(t, name, z.bytes(), "CAP-ZIP-12", zipstore.MalformedContainer)
	}
}

func TestCAP_ZIP_13_directory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		fix    func(p []*part, e *fin)
		reason zipstore.Reason
	}{
		{"understated count", func(_ []*part, e *fin) { e.count, e.onDisk = 1, 1 }, zipstore.EntryCountMismatch},
		{"count of none", func(_ []*part, e *fin) { e.count, e.onDisk = 0, 0 }, zipstore.EntryCountMismatch},
		{"overstated count", func(_ []*part, e *fin) { e.count, e.onDisk = 3, 3 }, zipstore.EntryCountMismatch},
		{"overstated count that would fit", func(p []*part, e *fin) {
			p[0].central.comment = strings.Repeat("c", 60)
			e.dirSize += 60
			e.count, e.onDisk = 3, 3
		}, zipstore.EntryCountMismatch},
		{"two counts", func(_ []*part, e *fin) { e.onDisk = 1 }, zipstore.EntryCountMismatch},
		{"directory too short", func(_ []*part, e *fin) { e.dirSize-- }, zipstore.MalformedContainer},
		{"directory too long", func(_ []*part, e *fin) { e.dirSize++ }, zipstore.MalformedContainer},
		{"directory too early", func(_ []*part, e *fin) { e.dirOffset-- }, zipstore.MalformedContainer},
		{"directory begins before", func(_ []*part, e *fin) { e.dirOffset -= 4; e.dirSize += 4 }, zipstore.MalformedContainer},
		{"directory past the end", func(_ []*part, e *fin) { e.dirOffset = 1 << 31 }, zipstore.MalformedContainer},
		{"sum past 32 bits", func(_ []*part, e *fin) { e.dirOffset, e.dirSize = 1<<32-2, 1<<32-2 }, zipstore.MalformedContainer},
		{"signature of a record", func(p []*part, _ *fin) { p[1].central.sig = "PK\x01\x03" }, zipstore.MalformedContainer},
		{"name past the directory", func(p []*part, _ *fin) { p[1].central.nameLen = 4000 }, zipstore.MalformedContainer},
		{"extra past the directory", func(p []*part, _ *fin) { p[1].central.extraLen = 1 }, zipstore.MalformedContainer},
		{"name shorter than it is", func(p []*part, _ *fin) { p[0].central.nameLen = 2 }, zipstore.MalformedContainer},
	} {
		z := two()
		z.fix = c.fix
		refused(t, c.name, z.bytes(), "CAP-ZIP-13", c.reason)
	}
	hidden := two()
	hidden.hidden = string(hidden.parts[0].central.centralBytes())
	refused(t, "hidden record", hidden.bytes(), "CAP-ZIP-13", zipstore.MalformedContainer)
	hidden.fix = func(_ []*part, e *fin) { e.dirSize += uint32(len(hidden.hidden)) }
	refused(t, "record that is not counted", hidden.bytes(), "CAP-ZIP-13", zipstore.EntryCountMismatch)

	// 22 bytes that point into nowhere once killed a reader.
	for _, field := range []int{12, 16} {
		b := []byte(emptyArchive)
		b[field+3] = 0x7f
		if _, err := open(b, zipstore.Options{}); err == nil {
			t.Errorf("22 bytes with byte %d set: got no error", field+3)
		}
	}
}
