package cli

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"visto/canon"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of its policies",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.print(func(w io.Writer) error { return a.printVersion(w) })
		},
	}
}

func (a *app) printVersion(w io.Writer) error {
	build := buildSettings()
	if a.json {
		return a.printJSON(w, build)
	}
	fmt.Fprintf(w, "visto %s (%s)\n", orElse(build["revision"], build["version"]), build["go"])
	for _, name := range canon.BuiltinNames() {
		p, err := canon.Builtin(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "policy %s %.12s\n", p.ID(), p.Digest())
	}
	return nil
}

// buildSettings returns the record of the Go toolchain on this build.
func buildSettings() map[string]string {
	settings := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return settings
	}
	settings["version"], settings["go"] = info.Main.Version, info.GoVersion
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			settings["revision"] = s.Value
		case "vcs.time":
			settings["time"] = s.Value
		}
	}
	return settings
}
