package cli

import "github.com/spf13/cobra"

// Commands returns the tree of commands, for the tests of their help.
func Commands() *cobra.Command { return newRoot(&app{}) }
