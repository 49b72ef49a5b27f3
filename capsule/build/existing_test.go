package build_test

import (
	"bytes"
	"crypto/ecdh"
	"errors"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/finding"
)

func TestCAP_ENC_05_EncryptAnExistingCapsule(t *testing.T) {
	t.Parallel()
	d := draft(t)
	d.Signers = append(d.Signers, build.Signer{Role: "approver", Key: signing("bob")})
	plain, before := write(t, d)
	_, rita := recipient(t, "rita")
	encrypt := func(o build.EncryptOptions) ([]byte, *build.Sealed, error) {
		res, c := verify(t, plain, capsule.Options{})
		var out memory
		sealed, err := build.Encrypt(&out, c, res, bytes.Clone(plain), o)
		return out.Bytes(), sealed, err
	}
	good := build.EncryptOptions{Signers: d.Signers, Recipients: [][32]byte{rita}, Rand: constant(3)}
	data, sealed, err := encrypt(good)
	if err != nil {
		t.Fatal(err)
	}
	if sealed.CapsuleID != before.CapsuleID || sealed.EntryHash != before.EntryHash || sealed.Events != 2 || sealed.Result.Level != "L3" {
		t.Errorf("got %+v, want the identity of %+v", sealed, before)
	}
	key, _ := recipient(t, "rita")
	res, _ := verify(t, data, capsule.Options{Recipient: key})
	if res.Verdict != capsule.Valid || res.ManifestHash != before.ManifestHash {
		t.Errorf("got %v, want the sealed capsule inside", res.Problems)
	}
	whole := d
	whole.Recipients, whole.Rand = good.Recipients, constant(3)
	if direct, _ := write(t, whole); !bytes.Equal(direct, data) {
		t.Error("sealing and encrypting in two steps gives another file than in one")
	}
	reordered := good
	reordered.Signers = []build.Signer{d.Signers[1], d.Signers[0]}
	if _, _, err := encrypt(reordered); err != nil {
		t.Errorf("signers in another order: %v", err)
	}

	var broken *finding.Error
	for says, signers := range map[string][]build.Signer{
		"whose private key was not given": d.Signers[:1],
		"did not seal the capsule":        append(d.Signers[:2:2], build.Signer{Role: "legal", Key: signing("cy")}),
		`role "approver" with key`:        {d.Signers[0], {Role: "approver", Key: signing("cy")}},
	} {
		o := good
		o.Signers = signers
		data, _, err := encrypt(o)
		if !errors.As(err, &broken) || broken.Rule.ID != "CAP-ENC-05" || !strings.Contains(err.Error(), says) || len(data) != 0 {
			t.Errorf("got %v after %d bytes, want %q", err, len(data), says)
		}
	}
	for name, change := range map[string]func(*build.EncryptOptions){
		"no recipients": func(o *build.EncryptOptions) { o.Recipients = nil },
		"no signers":    func(o *build.EncryptOptions) { o.Signers = nil },
		"no randomness": func(o *build.EncryptOptions) { o.Rand = nil },
	} {
		o := good
		change(&o)
		if data, _, err := encrypt(o); err == nil || len(data) != 0 {
			t.Errorf("%s: got %v after %d bytes", name, err, len(data))
		}
	}
	// Neither an encrypted capsule nor one that does not verify is content.
	outerRes, outer := verify(t, data, capsule.Options{})
	if _, err := build.Encrypt(&memory{}, outer, outerRes, bytes.Clone(data), good); !errors.Is(err, build.ErrEncrypted) {
		t.Errorf("encrypting twice: got %v", err)
	}
	bad := bytes.Replace(plain, []byte("# Plan"), []byte("# Plot"), 1)
	badRes, badCapsule := verify(t, bad, capsule.Options{})
	if _, err := build.Encrypt(&memory{}, badCapsule, badRes, bad, good); err == nil {
		t.Error("a capsule that does not verify was encrypted")
	}
	// The bytes must be those of the capsule.
	vres, vc := verify(t, plain, capsule.Options{})
	other, _ := write(t, draft(t))
	if _, err := build.Encrypt(&memory{}, vc, vres, other[:len(other)-1], good); err == nil {
		t.Error("other bytes were encrypted as the capsule's content")
	}
}

// TestCAP_ENC_10_SigningKeysAsRecipients: the bytes of a key do not tell its
// kind. Half of the signing keys are no canonical X25519 keys and are refused;
// content sealed to another opens with nothing its owner holds.
func TestCAP_ENC_10_SigningKeysAsRecipients(t *testing.T) {
	t.Parallel()
	accepted, refused := 0, 0
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		d := secret(t)
		d.Recipients = [][32]byte{[32]byte(signing(name)[32:])}
		var out memory
		_, err := build.Write(&out, &d)
		var broken *finding.Error
		if errors.As(err, &broken) && broken.Rule.ID == "CAP-ENC-10" {
			refused++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		accepted++
		own, err := ecdh.X25519().NewPrivateKey(signing(name).Seed())
		if err != nil {
			t.Fatal(err)
		}
		res, _ := verify(t, out.Bytes(), capsule.Options{Recipient: own})
		if res.Level != "L2" || res.Decryption == nil || res.Decryption.Reason != capsule.NotAddressed {
			t.Errorf("%s: got %+v, want content that the signing key does not open", name, res.Decryption)
		}
	}
	if accepted == 0 || refused == 0 {
		t.Errorf("%d accepted, %d refused: choose names with both kinds of key", accepted, refused)
	}
}
