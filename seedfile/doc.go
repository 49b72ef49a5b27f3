// Package seedfile reads, checks, edits and writes seeds: single UTF-8 files of
// the Seed/1.0 format that are markdown to a reader and a shell script to a
// shell. It implements the format, metadata, payload, archive and packing rules
// of the protocol (SP-FMT, SP-META, SP-PAY, SP-ARC, SP-PATH, SP-PACK, SP-TPL).
//
// A seed has three layers, always in this order:
//
//	# Usage: curl -sSL https://registry.example/s/abc12 | bash -s <path>
//
//	{ seed_file=hello.md seed_sum='1598545809 104'; seed_doc() {      transport
//	cat > "$TARGET/hello.md" <<'SEED_70DD0AE2'
//	---                                                               metadata
//	seed: "1.0"
//	grow: show
//	---
//
//	# Hello                                                           payload
//	SEED_70DD0AE2
//	}
//	    ...                                                           transport
//
// Metadata and payload together are the document, which is what a shell writes
// to disk. With "type: archive" the payload is many text files in one.
//
// [Open] reads a seed strictly and gives a [File]; [Check] gives every finding
// instead of the first. [PackTree], [PackDocument] and [Repack] make seeds. [Sign]
// and [File.Signature] are the extension of docs/spec/signed-seeds.md.
// Nothing here runs the transport or touches a file, the network or a clock;
// the seed is an [io.ReaderAt], so its size is not bound by memory.
package seedfile

// Limits beside those that the protocol sets. They keep what is held in memory
// small whatever the input; payloads and archive members are streamed.
const (
	MaxUsage    = 8 << 10 // bytes of line 1
	MaxMetadata = 1 << 20 // bytes of one metadata block
	MaxFiles    = 1 << 20 // members of one archive
	MaxFindings = 100     // findings of one report; the rest is counted
	MaxGrow     = 64      // directives of one seed
)
