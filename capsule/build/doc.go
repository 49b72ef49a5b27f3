// Package build writes capsules: it takes content, a chain and keys, and gives a
// sealed file that package capsule accepts. It implements the writing rules of
// Capsule v0.6 (CAP-BLD-*, and the writer's side of CAP-ZIP-*, CAP-MAN-*,
// CAP-ENC-*).
//
// The same input gives the same bytes, encryption apart, which draws fresh keys
// from the randomness it is handed. Every capsule is read back and verified
// before it is called written: what our own verifier would not accept is never
// the result.
//
//	d := build.Draft{
//		Label: "Ana", CreatedAt: "2026-05-21T12:00:00Z", SignedAt: "2026-05-21T12:00:00Z",
//		Files:   []build.File{build.Text("program.md", "# Program\n")},
//		Chain:   build.Bytes(chain.Path, events),
//		Signers: []build.Signer{{Role: "originator", Key: key}},
//	}
//	result, err := build.Write(file, &d)
package build
