package seedfile_test

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"strings"

	"seed/seedfile"
)

func ExampleSign() {
	text := "# Hello\n"
	packed, err := seedfile.PackDocument(strings.NewReader(text), int64(len(text)), seedfile.PackOptions{Base: "hello.md"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))

	signed, err := seedfile.Sign(reopen(packed), key, seedfile.PackOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f := reopen(signed)
	s, err := f.Signature()
	fmt.Println(s.State, s.SignerText(), err)

	// A new URL is a matter of the transport, another name is not.
	for _, o := range []seedfile.PackOptions{{URL: "https://seeds.example/s/abc12"}, {Name: "goodbye"}} {
		changed, err := seedfile.Repack(f, o)
		if err != nil {
			fmt.Println(err)
			return
		}
		s, err := reopen(changed).Signature()
		fmt.Println(s.State, s.Breach, err)
	}
	// Output:
	// valid ed25519:8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c <nil>
	// valid <nil> <nil>
	// invalid line 11: the signature is not that of the signer over this metadata and payload (SIG-08) <nil>
}

func reopen(p *seedfile.Packed) *seedfile.File {
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		panic(err)
	}
	f, err := seedfile.Open(bytes.NewReader(b.Bytes()), p.Size, seedfile.Options{})
	if err != nil {
		panic(err)
	}
	return f
}
