// Package transport is the shell code that a seed carries around its document:
// the canonical transport T1 as data, the rebuilding of it from five values,
// and the comparison of a stranger's transport with it (Seed/1.0, SP-TPL).
//
// A seed is head, document, tail:
//
//	# Usage: curl -sSL https://seed.example/s/abc12 | bash -s <path>
//
//	{ seed_file=note.md seed_sum='1598545809 104'; seed_doc() {
//	cat > "$TARGET/note.md" <<'SEED_70DD0AE2'
//	---
//	seed: "1.0"
//	grow: show
//	---
//
//	The document ends with a line feed.
//	SEED_70DD0AE2
//	}
//
//	    # Seed/1.0 transport T1-doc. ...
//	    exit 0
//	    }
//
// The package never runs the code and knows nothing of metadata or payload;
// package seedfile does. All profiles come from one text, t1.sh.in, in which
// lines that begin with "@" say which profiles the following lines belong to.
package transport

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Unplanted is the URL of a seed that no registry has given one yet. Its
// top-level domain is reserved, so it cannot resolve (SP-FMT-03).
const Unplanted = "https://seed.invalid/unplanted"

// Profile is one of the fixed texts of the transport (SP-TPL-07).
type Profile int

const (
	Doc  Profile = iota // show, one document
	Tree                // show, unfold, copy
	Full                // all directives
	Bin                 // all directives, and base64 members in the archive
)

const profiles = 4

func (p Profile) String() string {
	switch p {
	case Doc:
		return "T1-doc"
	case Tree:
		return "T1-tree"
	case Full:
		return "T1-full"
	case Bin:
		return "T1-bin"
	}
	return "profile(" + strconv.Itoa(int(p)) + ")"
}

// Params are the values that differ between two seeds of one profile
// (SP-TPL-09). Head writes them as they are: whoever fills them in has checked
// them, or they come from [Recognise], which has.
type Params struct {
	URL      string // of the usage line
	File     string // name of the document on disk
	Sum      string // "CRC SIZE" of the document, as POSIX cksum prints it
	Sentinel string // ends the here-document
}

// Head returns everything that comes before the document: line 1 to the line
// that opens the here-document, with its line feed.
func (p Profile) Head(v Params) []byte {
	b := make([]byte, 0, 160+len(v.URL)+2*len(v.File))
	b = append(b, usagePrefix+v.URL+usageSuffix+"\n\n"...)
	b = append(b, bootPrefix+v.File+bootMiddle+v.Sum+bootSuffix+"\n"...)
	return append(b, openPrefix+v.File+openMiddle+v.Sentinel+openSuffix+"\n"...)
}

// Tail returns everything that comes after the document: the sentinel's line to
// the end of the file.
func (p Profile) Tail(sentinel string) []byte {
	return append([]byte(sentinel), tails()[p]...)
}

// For returns the smallest profile that can grow a seed with these directives.
// growLine is the raw metadata line: T1-doc is taken only when it is exactly
// "grow: show". hasBinary says that the archive has base64 members.
func For(grow []string, growLine string, hasBinary bool) Profile {
	if hasBinary {
		return Bin
	}
	if growLine == "grow: show" {
		return Doc
	}
	for _, d := range grow {
		if d != "show" && d != "unfold" && d != "copy" {
			return Full
		}
	}
	return Tree
}

const (
	usagePrefix = "# Usage: curl -sSL "
	usageSuffix = " | bash -s <path>"
	bootPrefix  = "{ seed_file="
	bootMiddle  = " seed_sum='"
	bootSuffix  = "'; seed_doc() {"
	openPrefix  = `cat > "$TARGET/`
	openMiddle  = `" <<'`
	openSuffix  = "'"
)

//go:embed t1.sh.in
var source string

// tails holds what follows the sentinel, for each profile.
var tails = sync.OnceValue(func() [profiles]string {
	var out [profiles]string
	for p := range out {
		var b strings.Builder
		b.WriteString("\n}\n\n")
		mine := true
		for line := range strings.Lines(source) {
			if set, ok := strings.CutPrefix(line, "@"); ok {
				words := strings.Fields(set)
				mine = len(words) == 0 || slices.Contains(words, Profile(p).String()[len("T1-"):])
				continue
			}
			if mine {
				b.WriteString(line)
			}
		}
		out[p] = b.String()
	}
	return out
})
