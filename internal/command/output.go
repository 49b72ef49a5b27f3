package command

import (
	"fmt"
	"os"
)

// CheckOutput refuses to put a file in the place of a device, a pipe or a folder:
// the rename that makes writing atomic would replace it. "" and "-" pass.
func CheckOutput(out string) error {
	if out == "" || out == "-" {
		return nil
	}
	info, err := os.Stat(out)
	if err != nil || info.Mode().IsRegular() {
		return nil // what else is wrong shows when the file is made
	}
	if info.IsDir() {
		return &Failure{Err: fmt.Errorf("write %s: is a folder", out), Code: Cannot, Reason: "exists", Hint: "name the file to write: -o FILE"}
	}
	return &Failure{
		Err: fmt.Errorf("write %s: is not a regular file, and would be replaced by one", out), Code: Cannot, Reason: "exists",
		Hint: "name a file to write: -o FILE",
	}
}
