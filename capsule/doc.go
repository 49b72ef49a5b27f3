// Package capsule reads and judges capsules: single .capsule files of format
// v0.6 (and, for reading, 0.7) that carry a work product, the context to
// continue it, a hash-chained log of what happened and the signatures of those
// who sealed it; optionally all of it encrypted inside a thin outer capsule.
//
//	manifest.json               identity and content index
//	program.md                  what this is about
//	agents.md                   who works on it, and how
//	skills/<id>/SKILL.md        skills, with skill.json beside
//	payload/…                   the work product
//	chain/events.jsonl          what happened, each line hashed over the one before
//	provenance/envelope.json    who sealed manifest, index and chain
//
// The file is a ZIP archive of stored entries. [Verify] takes any bytes and gives
// a [Result]: it never panics, streams what is large and collects every problem
// with its rule id, area and place. [Open] gives access to a capsule without a
// verdict. Authoring is in capsule/build, the event log in capsule/chain,
// encryption in capsule/crypt and text normalising in capsule/pith.
//
// What a verdict means: valid says that the file's statements about itself are
// true, signed says which keys sealed it, trusted that a key was on the caller's
// allowlist. A chain proves order and content at the time of sealing; it proves
// neither time nor truth nor authority (CAP-CHN-21), and signed_at is the
// signer's own claim (CAP-ENV-08). Nothing here reads a clock, a file or the
// network.
package capsule
