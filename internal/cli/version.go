package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// version is stamped by the build.
var version = "dev"

func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		GroupID: "tool",
		Short:   "Print the version",
		Args:    args(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.ui.JSON(map[string]string{
					"version": version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "seed": "1.0",
				})
			}
			_, err := fmt.Fprintf(a.ui.Out, "seed %s (Seed/1.0, %s %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
