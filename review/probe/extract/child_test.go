package extract

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// asChild makes this test binary a child process: "serve" the real one, "fake" one that obeys its documents, "parent"
// a program that has a fake child and is killed.
const asChild = "VISTO_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(asChild) {
	case "":
		os.Exit(m.Run())
	case "serve":
		end(Serve(os.Stdin, os.Stdout))
	case "fake":
		limitMemory()
		end(serve(os.Stdin, os.Stdout, obey))
	case "parent":
		end(beParent(os.Args[1]))
	}
}

func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

var turns int // of the hanging child

// obey is the answer function of the fake child. It obeys the text of the document, and returns its process number as
// the number of pages.
func obey(r request) (a response) {
	switch string(r.body) {
	case "crash":
		os.Exit(3)
	case "hang":
		for {
			turns++
		}
	case "eat":
		var eaten [][]byte
		for range 64 {
			eaten = append(eaten, make([]byte, 64<<20)) // the limit counts what is mapped, touched or not
		}
		a.Error = fmt.Sprint(len(eaten))
	case "talk":
		fmt.Print(strings.Repeat("\xFF", 100))
	case "flood":
		a.Document.Text = strings.Repeat("x", maxResponse)
	case "refuse":
		a.Error = "this is no document"
	}
	a.Document.Pages = os.Getpid()
	return a
}

// command returns a command that runs this test binary in a role.
func command(role string, args ...string) func() (*exec.Cmd, error) {
	return func() (*exec.Cmd, error) {
		self, err := os.Executable()
		cmd := exec.Command(self, args...)
		cmd.Env = append(os.Environ(), asChild+"="+role)
		return cmd, err
	}
}

// beParent starts a child, prints its process number, gives it a document and waits.
func beParent(document string) error {
	c := NewClient(command("fake"), 0)
	doc, err := c.PDF(background, nil, 0)
	if err != nil {
		return err
	}
	fmt.Println(doc.Pages)
	if document != "" {
		_, err = c.PDF(background, []byte(document), 0)
		return err
	}
	time.Sleep(time.Minute)
	return nil
}
