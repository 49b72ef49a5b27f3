//go:build unix && !linux

package disk

import "errors"

func mountSmall(string) error { return errors.ErrUnsupported }

func unmountSmall(string) error { return nil }
