package build_test

import (
	"crypto/ed25519"
	"fmt"

	"seed/capsule/build"
	"seed/capsule/chain"
)

func ExampleWrite() {
	key := ed25519.NewKeyFromSeed(make([]byte, 32)) // from a key file in earnest

	log := chain.Log{Actors: map[string]bool{"human:ana": true}}
	events, err := log.Append(chain.Draft{
		Actor: "human:ana", Kind: "decision", Action: "approved", Target: "payload/plan.md",
		Timestamp: "2026-05-21T12:00:00Z", Payload: []byte(`{"summary":"Go."}`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := build.Draft{
		Label: "Ana", SignedAt: "2026-05-21T12:00:00Z",
		Participants: []build.Participant{{ActorID: "human:ana"}},
		Files:        []build.File{build.Text("program.md", "# Move house\n"), build.Text("payload/plan.md", "Pack. Carry. Unpack.\n")},
		Chain:        build.Bytes(chain.Path, events),
		Signers:      []build.Signer{{Role: "originator", Key: key}},
	}
	var file memory // an *os.File opened for reading and writing will do
	sealed, err := build.Write(&file, &d)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sealed.CapsuleID)
	fmt.Println(sealed.Result.Verdict, sealed.Events, "event,", sealed.Size, "bytes")
	for _, q := range sealed.Result.Qualifiers {
		fmt.Println("but:", q.Phrase())
	}
	// Output:
	// 79ffc6691b8cb6a6d10219b8d146304bf2899ca96dce94f0e3e8c544fcc5cd24
	// valid 1 event, 2847 bytes
	// but: no allowlist: whose keys these are was not checked
}
