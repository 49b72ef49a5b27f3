// Command seed packs, inspects, verifies and grows seeds. All it does itself is
// to connect the process to package cli.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"seed/internal/cli"
)

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		// The first signal asks for an orderly end, a second one does not wait.
		s := <-signals
		cancel(cli.Interrupted{Signal: s})
		s = <-signals
		os.Exit(cli.Interrupted{Signal: s}.Code())
	}()
	os.Exit(cli.Main(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
