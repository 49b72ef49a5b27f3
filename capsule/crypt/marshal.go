package crypt

import (
	"encoding/hex"

	"seed/jcs"
)

// Marshal returns m as it is stored: two spaces of indentation, the members in
// the order of CAP-ENC-04, no newline at the end. Unknown members are not
// written.
func (m *Metadata) Marshal() []byte {
	dst := make([]byte, 0, 128+400*len(m.Bundles))
	dst = jcs.AppendString(append(dst, "{\n  \"cipher\": "...), m.Cipher)
	dst = appendHex(append(dst, ",\n  \"content_nonce\": "...), m.ContentNonce[:])
	dst = append(dst, ",\n  \"key_bundles\": ["...)
	for i := range m.Bundles {
		b := &m.Bundles[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, "\n    {\n      \"recipient_public_key\": "...)
		dst = appendHex(dst, b.Recipient[:])
		dst = appendHex(append(dst, ",\n      \"ephemeral_public_key\": "...), b.Ephemeral[:])
		dst = appendHex(append(dst, ",\n      \"wrap_nonce\": "...), b.WrapNonce[:])
		dst = appendHex(append(dst, ",\n      \"wrapped_key\": "...), b.Wrapped[:])
		dst = append(dst, "\n    }"...)
	}
	if len(m.Bundles) > 0 {
		dst = append(dst, "\n  "...)
	}
	return append(dst, "]\n}"...)
}

func appendHex(dst, b []byte) []byte {
	return append(hex.AppendEncode(append(dst, '"'), b), '"')
}
