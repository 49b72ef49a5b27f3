package cli

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"seed/internal/command"
)

// version is stamped by the build.
var version = "dev"

func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		GroupID: "tool",
		Short:   "Print the version",
		Long:    "Print the version of seed, of the format it writes, and of what it was built with and for.\n\nExit codes: 0 printed; 2 could not.",
		Example: "  seed version\n  seed version --json",
		Args:    command.Args(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if a.JSON {
				return a.UI.JSON(map[string]string{
					"version": version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "seed": "1.0",
				})
			}
			_, err := io.WriteString(a.UI.Out, versionLine())
			return err
		},
	}
}

func versionLine() string {
	return fmt.Sprintf("seed %s (Seed/1.0, %s %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
