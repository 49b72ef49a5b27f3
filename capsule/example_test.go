package capsule_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
)

// sealedExample stands for a file that somebody sent.
func sealedExample(key ed25519.PrivateKey) *bytes.Reader {
	var file memoryFile
	if _, err := build.Write(&file, &build.Draft{
		Label: "Ana", SignedAt: "2026-05-21T12:00:00Z",
		Files:   []build.File{build.Text("payload/plan.md", "Pack. Carry. Unpack.\n")},
		Signers: []build.Signer{{Role: "originator", Key: key}},
	}); err != nil {
		panic(err)
	}
	return bytes.NewReader(file.Bytes())
}

func ExampleVerify() {
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	file := sealedExample(key)

	res, err := capsule.Verify(file, file.Size(), capsule.Options{
		Allowlist: []string{hex.EncodeToString(key[32:])}, RequireTrusted: true,
	})
	if err != nil {
		fmt.Println(err) // of reading, never of content
		return
	}
	fmt.Println(res.Verdict, res.OK, res.TrustedSignerCount)
	for _, q := range res.Qualifiers {
		fmt.Println("but:", q.Phrase())
	}
	for _, p := range res.Problems {
		fmt.Println(p.Area, p.Message, p.Rule)
	}
	// Output:
	// valid true 1
	// but: actors are not bound to a declared participant set
}

func ExampleOpen() {
	file := sealedExample(ed25519.NewKeyFromSeed(make([]byte, 32)))

	c, err := capsule.Open(file, file.Size(), capsule.Limits{MaxTotal: 1 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	// Nothing is verified here: these are the file's own words.
	fmt.Println(c.Manifest.Version, c.Manifest.Label, c.Encrypted())
	for _, e := range c.Entries() {
		fmt.Println(e.Path, e.Size)
	}
	if _, err = c.Events(func(e chain.Event) error {
		fmt.Println(e.Pos, e.Actor(), e.Kind(), e.Action())
		return nil
	}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0.6 Ana false
	// chain/events.jsonl 397
	// manifest.json 1001
	// payload/plan.md 21
	// program.md 10
	// provenance/envelope.json 847
	// 1 system:host observation session_ended
}
