package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"seed/internal/visible"
)

// ErrNoTerminal is returned by Confirm and Ask when there is nobody to ask.
var ErrNoTerminal = errors.New("no terminal to ask on")

// maxAnswer is the longest answer in bytes; a terminal delivers no longer line.
const maxAnswer = 4096

// Terminal is the controlling terminal, opened for one question.
type Terminal interface {
	io.ReadWriteCloser
}

// Confirm asks a question that yes or no answers, on the controlling terminal.
// Only y and yes mean yes. An empty line, the end of input and anything else
// mean no. It returns as soon as ctx ends.
func (s *Streams) Confirm(ctx context.Context, question string) (bool, error) {
	answer, err := s.Ask(ctx, question+" [y/N]")
	if errors.Is(err, io.EOF) || errors.Is(err, errLongAnswer) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", nil
}

var errLongAnswer = errors.New("the answer is too long")

// Terminal opens the controlling terminal. The error wraps [ErrNoTerminal].
func (s *Streams) Terminal() (Terminal, error) {
	open := s.OpenTTY
	if open == nil {
		open = openTTY
	}
	tty, err := open()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoTerminal, err)
	}
	return tty, nil
}

// Ask asks for one line of text on the controlling terminal and returns it
// without surrounding spaces. The end of input before a line is io.EOF.
func (s *Streams) Ask(ctx context.Context, question string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	tty, err := s.Terminal()
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	s.erase()
	s.mu.Unlock()
	if _, err := io.WriteString(tty, visible.Block(question)+" "); err != nil {
		tty.Close()
		return "", fmt.Errorf("ask on the terminal: %w", err)
	}
	type result struct {
		line string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		line, err := readLine(tty)
		done <- result{line, err}
	}()
	select {
	case r := <-done:
		tty.Close()
		if err := ctx.Err(); err != nil {
			return "", err // a yes that came together with Ctrl-C is none
		}
		if r.err != nil && !errors.Is(r.err, io.EOF) && !errors.Is(r.err, errLongAnswer) {
			return "", fmt.Errorf("read the answer: %w", r.err)
		}
		return strings.TrimSpace(r.line), r.err
	case <-ctx.Done():
		// The cursor stands behind the question.
		_, _ = io.WriteString(tty, "\n")
		// Closing ends the read, but a console may make it wait for the next key.
		go tty.Close()
		return "", ctx.Err()
	}
}

// readLine reads byte by byte: what follows the line is not ours.
func readLine(r io.Reader) (string, error) {
	var line []byte
	var b [1]byte
	for len(line) <= maxAnswer {
		n, err := r.Read(b[:])
		if n == 1 {
			if b[0] == '\n' {
				return string(line), nil
			}
			line = append(line, b[0])
		}
		if err != nil {
			// A line cut by the end of input was not confirmed with Enter.
			return "", err
		}
	}
	return "", errLongAnswer
}
