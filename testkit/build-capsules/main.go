// Command build-capsules writes the capsule vectors into a directory, for other
// implementations: NAME.capsule and NAME.json with what a verifier must say of it.
//
//	go run ./testkit/build-capsules DIR
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"seed/testkit"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: build-capsules DIR")
		os.Exit(2)
	}
	n, err := write(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "build-capsules:", err)
		os.Exit(1)
	}
	fmt.Println(n, "capsules")
}

// expectation is the vector with what pins its file.
type expectation struct {
	*testkit.Capsule
	SHA256 string `json:"sha256"`
	Size   int    `json:"size"`
}

func write(dir string) (int, error) {
	capsules, err := testkit.Capsules()
	if err != nil {
		return 0, err
	}
	for _, c := range capsules {
		data, err := testkit.BuildCapsule(c.Name)
		if err != nil {
			return 0, err
		}
		sum := sha256.Sum256(data)
		text, err := json.MarshalIndent(expectation{c, hex.EncodeToString(sum[:]), len(data)}, "", "  ")
		if err != nil {
			return 0, err
		}
		path := filepath.Join(dir, filepath.FromSlash(c.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return 0, err
		}
		if err := os.WriteFile(path+".capsule", data, 0o644); err != nil {
			return 0, err
		}
		if err := os.WriteFile(path+".json", append(text, '\n'), 0o644); err != nil {
			return 0, err
		}
	}
	return len(capsules), nil
}
