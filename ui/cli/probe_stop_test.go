package cli_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"visto/review/probe/testnet"
)

// stuck is a handler that answers the first pages, and the others only once it is released.
type stuck struct {
	left    atomic.Int32
	reached chan struct{} // closed when it answers no more
	page    http.Handler
}

func (s *stuck) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch n := s.left.Add(-1); {
	case n == -1:
		close(s.reached)
		fallthrough
	case n < 0:
		<-r.Context().Done()
	default:
		s.page.ServeHTTP(w, r)
	}
}

// A probe that a signal stops keeps its answers; the next one requests the rest and repeats no request. While it runs
// no other probe may.
func TestProbeStopped(t *testing.T) {
	t.Parallel()
	visto := linkVisto(t)
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, os.Kill} {
		t.Run(signal.String(), func(t *testing.T) { stopProbe(t, visto, signal) })
	}
}

const (
	pagesInAll   = 9
	pagesToBegin = 4
)

func stopProbe(t *testing.T, visto string, signal os.Signal) {
	handler := &stuck{reached: make(chan struct{}), page: testnet.Page{Lang: "es", Title: "Ayuda"}}
	handler.left.Store(pagesToBegin)
	n := internet(t, []testnet.Site{{Host: "pages.gob.es", Rest: handler}}, testnet.Options{})
	p := newProgram(t)
	var urls strings.Builder
	for i := range pagesInAll {
		fmt.Fprintf(&urls, "https://pages.gob.es/tramites/ayuda-numero-%d\n", i)
	}
	p.run(0, strings.NewReader(urls.String()), "add", "-")
	args := append([]string{"probe", "--rate", "0"}, ledTo(t, n)...)

	var out, errs bytes.Buffer
	cmd := exec.Command(visto, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env, &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-handler.reached
	_, second := p.run(1, nil, args...)
	if !strings.Contains(second, "another probe runs on this database") || !strings.Contains(second, "hint: wait") {
		t.Errorf("a second probe says %q", second)
	}
	p.run(0, strings.NewReader("https://pages.gob.es/"), "add", "-") // a home page, which waits for a person
	plain := append([]string{"review", "--plain"}, args[1:]...)
	console, _ := p.run(0, strings.NewReader("p\nq\n"), plain...)
	if !strings.Contains(console, "another probe runs on this database") {
		t.Errorf("p in a console says\n%s", console)
	}
	p.ok("reject", strconv.Itoa(pagesInAll+1))
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if got := strings.Count(out.String(), "  200  "); got != pagesToBegin {
		t.Errorf("%d answers before the end:\n%s", got, &out)
	}
	if signal != os.Kill {
		said := "interrupted; the answers so far are stored, and visto probe goes on with the other 5"
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(errs.String(), said) {
			t.Errorf("%v: %s", err, &errs)
		}
	}

	handler.left.Store(1000)
	if out, _ := p.run(0, nil, args...); strings.Count(out, "  200  ") != pagesInAll-pagesToBegin {
		t.Errorf("the second run says\n%s", out)
	}
	twice := 0
	for i := range pagesInAll {
		asked := n.Log().Asked(fmt.Sprintf("https://pages.gob.es/tramites/ayuda-numero-%d", i))
		twice += asked - 1
	}
	if twice != 1 { // the one that was not answered
		t.Errorf("%d pages were asked for twice", twice)
	}
	p.ok("check")
}

// ledTo returns the flags that lead the program to the test internet.
func ledTo(t *testing.T, n *testnet.Net) []string {
	t.Helper()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, n.CA(), 0o644); err != nil {
		t.Fatal(err)
	}
	return flagsTo(n, ca)
}
