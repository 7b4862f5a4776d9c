package probe_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"visto/review/probe"
	"visto/review/probe/extract"
)

// asReader makes this test binary the child process that reads documents.
const asReader = "VISTO_TEST_READS_DOCUMENTS"

func TestMain(m *testing.M) {
	if os.Getenv(asReader) != "" {
		if err := extract.Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	status := m.Run()
	documents.Close()
	os.Exit(status)
}

// documents reads the PDF files of all tests.
var documents = extract.NewClient(func() (*exec.Cmd, error) {
	self, err := os.Executable()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asReader+"=1")
	return cmd, err
}, 0)

// readPage reads a page, of whatever kind.
func readPage(t testing.TB, r *probe.Response) probe.Page {
	t.Helper()
	page, err := probe.ReadPage(t.Context(), r, documents)
	if err != nil {
		t.Fatal(err)
	}
	return page
}
