//go:build unix

package grow_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// endProcess ends the process whose number a script printed.
func endProcess(t *testing.T, printed string) {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(printed))
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Error(err)
	}
}
