package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
)

func newVersion(a *app) *cobra.Command {
	return command("version", "Print the version of the program and of its policies", cobra.NoArgs,
		func(*cobra.Command, []string) error { return a.print(printVersion) })
}

func printVersion(w *printer) error {
	if w.json {
		return w.data(buildSettings())
	}
	fmt.Fprintln(w, versionLine())
	return eachBuiltin(func(p *canon.Policy) error {
		_, err := fmt.Fprintf(w, "policy %s %.12s\n", p.ID(), p.Digest())
		return err
	})
}

// versionLine is the line that --version prints.
func versionLine() string {
	return fmt.Sprintf("visto %s (%s)", buildVersion(), buildSettings()["go"])
}

// buildVersion returns the version that the Go toolchain records: the tag, or one made of the time and the revision.
func buildVersion() string { return buildSettings()["version"] }

// buildSettings returns the record of the Go toolchain on this build.
func buildSettings() map[string]string {
	settings := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return settings
	}
	settings["version"], settings["go"] = info.Main.Version, info.GoVersion
	for _, s := range info.Settings {
		if name := strings.TrimPrefix(s.Key, "vcs."); name == "revision" || name == "time" {
			settings[name] = s.Value
		}
	}
	return settings
}
