package cli

import (
	"errors"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"visto/review/probe/extract"
)

// readDocument is the name of the hidden command that newDocuments starts.
const readDocument = "read-document"

// newReadDocument returns the command that is the child process of extract.Client.
func newReadDocument(a *app) *cobra.Command {
	cmd := command(readDocument, "Read documents for another visto", cobra.NoArgs,
		func(*cobra.Command, []string) error {
			if isTerminal(a.in) {
				return errors.New("this command serves another visto and talks to no person")
			}
			return extract.Serve(a.in, a.out)
		})
	cmd.Hidden = true
	return cmd
}

// newDocuments returns a reader of documents whose child process is this program.
func newDocuments(env []string) *extract.Client {
	return extract.NewClient(func() (*exec.Cmd, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		cmd := exec.Command(self, readDocument)
		cmd.Env = env
		return cmd, nil
	}, 0)
}
