package ui

import (
	"errors"
	"os"
	"syscall"
)

// console joins the two halves of a Windows console.
type console struct{ in, out *os.File }

func (c console) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c console) Write(p []byte) (int, error) { return c.out.Write(p) }
func (c console) Close() error                { return errors.Join(c.in.Close(), c.out.Close()) }

// SyscallConn is the half that echoes.
func (c console) SyscallConn() (syscall.RawConn, error) { return c.in.SyscallConn() }

func openTTY() (Terminal, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		in.Close()
		return nil, err
	}
	return console{in, out}, nil
}
