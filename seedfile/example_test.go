package seedfile_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing/fstest"

	"seed/seedfile"
)

func ExampleOpen() {
	const text = `# Usage: curl -sSL https://seed.example/s/abc12 | bash -s <path>

TARGET=$1; mkdir -p "$TARGET"
cat > "$TARGET/hello.md" <<'SEED_70DD0AE2'
---
seed: "1.0"
grow: show
name: hello
---

# Hello
SEED_70DD0AE2
`
	f, err := seedfile.Open(strings.NewReader(text), int64(len(text)), seedfile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Meta.Name, f.Meta.Grow)
	_, _ = io.Copy(os.Stdout, f.Payload())

	broken := strings.Replace(text, "grow: show\n", "", 1)
	_, err = seedfile.Open(strings.NewReader(broken), int64(len(broken)), seedfile.Options{Name: "my.seed"})
	fmt.Println(err)
	// Output:
	// hello [show]
	// # Hello
	// my.seed:6: metadata has no "grow" field (SP-META-01)
}

func ExamplePackTree() {
	tree := fstest.MapFS{
		"README.md": {Data: []byte("# Tool\n"), Mode: 0o644},
		"bin/tool":  {Data: []byte("#!/bin/sh\necho hi\n"), Mode: 0o755},
	}
	members := []seedfile.Member{{Path: "bin/tool", Mode: fs.FileMode(0o755)}, {Path: "README.md", Mode: fs.FileMode(0o644)}}
	packed, err := seedfile.PackTree(tree, members, seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "tool"}, Root: "tool"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var seed bytes.Buffer
	if _, err := packed.WriteTo(&seed); err != nil {
		fmt.Println(err)
		return
	}
	f, err := seedfile.Open(bytes.NewReader(seed.Bytes()), packed.Size, seedfile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range f.Archive.Files {
		fmt.Println(e.Path, e.Mode, e.Size)
	}
	fmt.Println(f.Transport.Profile, f.Meta.Grow)
	// Output:
	// README.md -rw-r--r-- 7
	// bin/tool -rwxr-xr-x 18
	// T1-tree [unfold]
}

func ExampleMetadata_With() {
	m, _ := seedMetadata("seed: \"1.0\"\ngrow: show # for now\nx: y\n")
	edited, err := m.With("grow", "grow: exec\n")
	fmt.Println(err)
	fmt.Print(string(edited.Raw()))
	// Output:
	// <nil>
	// seed: "1.0"
	// grow: exec
	// x: y
}
