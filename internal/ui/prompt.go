package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"seed/internal/visible"
)

// ErrNoTerminal is returned by Confirm, Ask and AskSecret when there is nobody to ask.
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
	line, err := s.ask(ctx, question, false)
	return strings.TrimSpace(string(line)), err
}

// AskSecret is Ask for what must not be seen: the terminal does not show what is
// typed. The line is returned as it is, and is the caller's to overwrite.
func (s *Streams) AskSecret(ctx context.Context, question string) ([]byte, error) {
	line, err := s.ask(ctx, question, true)
	return bytes.TrimSuffix(line, []byte("\r")), err
}

func (s *Streams) ask(ctx context.Context, question string, secret bool) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	tty, err := s.Terminal()
	if err != nil {
		return nil, err
	}
	restore := func() {}
	if secret {
		// Before the question stands there: whoever sees it may type.
		if restore, err = hushed(tty); err != nil {
			tty.Close()
			return nil, fmt.Errorf("hide what is typed on the terminal: %w", err)
		}
	}
	s.mu.Lock()
	s.erase()
	s.mu.Unlock()
	if _, err := io.WriteString(tty, visible.Block(question)+" "); err != nil {
		restore()
		tty.Close()
		return nil, fmt.Errorf("ask on the terminal: %w", err)
	}
	type result struct {
		line []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		line, err := readLine(tty)
		done <- result{line, err}
	}()
	select {
	case r := <-done:
		if secret {
			// The newline that was typed was not shown either.
			_, _ = io.WriteString(tty, "\n")
		}
		restore()
		tty.Close()
		if err := ctx.Err(); err != nil {
			clear(r.line)
			return nil, err // a yes that came together with Ctrl-C is none
		}
		if r.err != nil && !errors.Is(r.err, io.EOF) && !errors.Is(r.err, errLongAnswer) {
			return nil, fmt.Errorf("read the answer: %w", r.err)
		}
		return r.line, r.err
	case <-ctx.Done():
		// The cursor stands behind the question.
		_, _ = io.WriteString(tty, "\n")
		restore()
		// Closing ends the read, but a console may make it wait for the next key.
		go tty.Close()
		return nil, ctx.Err()
	}
}

// hushed turns the echo of a terminal off. What is no device, as in a test, has
// no echo of its own.
func hushed(tty Terminal) (restore func(), err error) {
	device, ok := tty.(syscall.Conn)
	if !ok {
		return func() {}, nil
	}
	raw, err := device.SyscallConn()
	if err != nil {
		return nil, err
	}
	cerr := raw.Control(func(fd uintptr) { restore, err = hush(fd) })
	if err := errors.Join(cerr, err); err != nil {
		return nil, err
	}
	undo := restore
	// A terminal that is gone by then has nothing to restore.
	return func() { _ = raw.Control(func(uintptr) { undo() }) }, nil
}

// readLine reads byte by byte: what follows the line is not ours. The buffer is
// made once, as a copy of a secret would be one more to overwrite.
func readLine(r io.Reader) ([]byte, error) {
	line := make([]byte, 0, maxAnswer+1)
	var b [1]byte
	for len(line) <= maxAnswer {
		n, err := r.Read(b[:])
		if n == 1 {
			if b[0] == '\n' {
				return line, nil
			}
			line = append(line, b[0])
		}
		if err != nil {
			// A line cut by the end of input was not confirmed with Enter.
			clear(line)
			return nil, err
		}
	}
	clear(line)
	return nil, errLongAnswer
}
