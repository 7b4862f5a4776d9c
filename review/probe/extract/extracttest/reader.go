// Package extracttest lets a test binary be the child process that reads documents for its tests.
package extracttest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"visto/canon/suite"
	"visto/review/probe/extract"
)

// isReader is the variable that makes a test binary the reader.
const isReader = "VISTO_TEST_READS_DOCUMENTS"

// Main runs the tests as suite.InMemory does, closes their shared values, and ends the process. In a process that a
// client of NewClient started it reads documents instead. TestMain calls it.
func Main(m *testing.M, shared ...io.Closer) {
	if os.Getenv(isReader) != "" {
		if err := extract.Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	status := suite.InMemory{Tests: m}.Run()
	for _, s := range shared {
		_ = s.Close()
	}
	os.Exit(status)
}

// NewClient returns a client that reads documents in child processes of this test binary, whose TestMain calls Main.
func NewClient() *extract.Client {
	return extract.NewClient(func() (*exec.Cmd, error) {
		self, err := os.Executable()
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), isReader+"=1")
		return cmd, err
	}, 0)
}
