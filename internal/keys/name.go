package keys

import (
	"errors"
	"fmt"
	"strings"

	"seed/finding"
	"seed/internal/pathrule"
	"seed/internal/visible"
)

const (
	maxName  = 64
	maxLabel = 128
)

// CheckName says whether a key in the store may have this name: a letter or
// digit, then up to 63 letters, digits, dots, underscores and dashes, and
// nothing that Windows keeps for itself or that could be taken for a key.
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("the name of the key is empty")
	case isKeyHex(name):
		// Not repeated: it may be a secret in the wrong place.
		return errors.New("64 hex digits are no name for a key: they look like one")
	case len(name) > maxName:
		return fmt.Errorf("the name of the key is longer than %d characters", maxName)
	}
	for i := range len(name) {
		c := name[i]
		plain := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !plain && (i == 0 || !strings.ContainsRune("._-", rune(c))) {
			return fmt.Errorf("%s is no name for a key: use letters, digits, dots, dashes and underscores, a letter or digit first", finding.Quote(name))
		}
	}
	if why := pathrule.Portable(name); why != "" {
		return fmt.Errorf("%s is no name for a key: it %s", finding.Quote(name), why)
	}
	return nil
}

// CheckLabel says whether a text may label a key: one short line in which
// nothing is hidden. The empty label is fine.
func CheckLabel(label string) error {
	switch {
	case len(label) > maxLabel:
		return fmt.Errorf("the label is longer than %d bytes", maxLabel)
	case visible.Text(label) != label:
		return fmt.Errorf("the label %s holds characters that cannot be seen", finding.Quote(label))
	case strings.TrimSpace(label) != label:
		return fmt.Errorf("the label %s begins or ends with a blank", finding.Quote(label))
	}
	return nil
}
