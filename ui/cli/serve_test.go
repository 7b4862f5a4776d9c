package cli_test

import (
	"bufio"
	"crypto/ed25519"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"visto/review/probe"
	"visto/ui/cli"
)

// served is visto serve as a process, with two listed keys: ana's, and ben's who is a viewer.
type served struct {
	*program
	keys     string // file
	address  string
	process  *exec.Cmd
	log      *bufio.Scanner
	ana, ben ssh.Signer
}

func newServed(t *testing.T, urls string) *served {
	t.Helper()
	s := &served{program: newProgram(t), keys: filepath.Join(t.TempDir(), "reviewers.pub")}
	s.run(0, strings.NewReader(urls), "add", "-")
	var lines [2]string
	s.ana, lines[0] = newKey(t)
	s.ben, lines[1] = newKey(t)
	write(t, s.keys, lines[0]+" ana\n"+lines[1]+" ben viewer\n")
	s.process = exec.Command(linkVisto(t), "serve", "--ssh", "127.0.0.1:0", "--authorized-keys", s.keys)
	s.process.Env = s.env
	out, err := s.process.StderrPipe()
	ok(t, err)
	ok(t, s.process.Start())
	t.Cleanup(func() {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
	})
	s.log = bufio.NewScanner(out)
	s.address = s.logs(`msg=serving at=(\S+)`)
	return s
}

// logs waits for a line of the log, and returns the first group of its pattern.
func (s *served) logs(pattern string) string {
	s.t.Helper()
	line := regexp.MustCompile(pattern)
	for s.log.Scan() {
		if m := line.FindStringSubmatch(s.log.Text()); m != nil {
			return m[len(m)-1]
		}
	}
	s.t.Fatalf("the log ends without %s", pattern)
	return ""
}

func newKey(t *testing.T) (ssh.Signer, string) {
	public, private, err := ed25519.GenerateKey(nil)
	ok(t, err)
	key, err := ssh.NewSignerFromSigner(private)
	ok(t, err)
	line, err := ssh.NewPublicKey(public)
	ok(t, err)
	return key, strings.TrimSpace(string(ssh.MarshalAuthorizedKey(line)))
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// dial connects with a key.
func (s *served) dial(key ssh.Signer) (*ssh.Client, error) {
	return ssh.Dial("tcp", s.address, &ssh.ClientConfig{User: "root", HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, Timeout: 30 * time.Second})
}

// remote is a console in the terminal of an SSH client.
type remote struct {
	*ssh.Session
	t    *testing.T
	keys io.Writer
	out  chan string
	all  string
}

// sit opens a console.
func (s *served) sit(key ssh.Signer) *remote {
	s.t.Helper()
	t := s.t.(*testing.T)
	client, err := s.dial(key)
	ok(t, err)
	t.Cleanup(func() { client.Close() })
	session, err := client.NewSession()
	ok(t, err)
	r := &remote{Session: session, t: t, out: make(chan string, 1000)}
	ok(t, session.RequestPty("xterm-256color", 24, 80, nil))
	r.keys, err = session.StdinPipe()
	ok(t, err)
	out, err := session.StdoutPipe()
	ok(t, err)
	ok(t, session.Shell())
	go func() {
		defer close(r.out)
		for buf := make([]byte, 32<<10); ; {
			n, err := out.Read(buf)
			r.out <- string(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	return r
}

// shows waits for a text that is drawn from now on.
func (r *remote) shows(text string) {
	r.t.Helper()
	for end := time.After(time.Minute); !strings.Contains(r.all, text); {
		select {
		case out, open := <-r.out:
			if r.all += out; !open {
				r.t.Fatalf("it ended without %q: %q", text, r.all)
			}
		case <-end:
			r.t.Fatalf("%q does not come: %q", text, r.all)
		}
	}
	r.all = ""
}

// press types keys, later than the console takes a key for one that came too early.
func (r *remote) press(keys string) {
	r.t.Helper()
	time.Sleep(300 * time.Millisecond)
	_, err := fmt.Fprint(r.keys, keys)
	ok(r.t, err)
}

// Two people sit at one database under the names of their keys. The viewer writes nothing, whatever the key; each sees
// the decisions of the other. A changed file of keys counts at once, and the server ends both sessions.
func TestServe(t *testing.T) {
	t.Parallel()
	s := newServed(t, "https://sede.gob.es/\nhttps://tramites.gob.es/a?x=1\nhttps://otra.gob.es/a?y=1\n")
	ana, ben := s.sit(s.ana), s.sit(s.ben)
	ana.shows("ana")
	ben.shows("read-only")

	ben.press("a")
	ben.shows("open read-only")
	for _, key := range "rdRDAKeEnuUoOpPbBcCxXgGmM WwL" {
		ben.press(string(key) + "\x1b")
	}
	ben.press("1")
	if log := s.ok("log"); strings.Contains(log, "ben") {
		t.Errorf("the viewer wrote:\n%s", log)
	}

	ana.press("a")
	ana.shows("approved")
	if list := s.ok("list", "--status", "approved"); strings.Count(list, "gob.es") != 1 {
		t.Errorf("approved:\n%s", list)
	}
	if log := s.ok("log"); !strings.Contains(log, "ana") {
		t.Errorf("the log:\n%s", log)
	}

	_, stranger := newKey(t)
	write(t, s.keys, stranger+" eva\n")
	if _, err := s.dial(s.ana); err == nil {
		t.Error("a key that is listed no more enters")
	}
	ok(t, s.process.Process.Signal(os.Interrupt))
	s.logs("why=.the server stops")
	s.logs("msg=stopped")
	if err := s.process.Wait(); err != nil {
		t.Error(err)
	}
	s.ok("check")
}

// Two people who probe one URL see its events, each to the end of their own probe.
func TestTwoWatchOneURL(t *testing.T) {
	watch, notify := cli.Watching()
	var seen [3]int
	see := func(i int) func(probe.Event) { return func(probe.Event) { seen[i]++ } }
	first, second := watch(7, see(0)), watch(7, see(1))
	defer watch(8, see(2))()
	notify(probe.Event{Target: probe.Target{ID: 7}})
	first()
	notify(probe.Event{Target: probe.Target{ID: 7}})
	second()
	if seen != [3]int{1, 2, 0} {
		t.Error(seen)
	}
}

// Wrong flags and files are refused before anything is served.
func TestServeRefuses(t *testing.T) {
	p := newProgram(t)
	p.run(0, strings.NewReader("https://sede.gob.es/\n"), "add", "-")
	keys := filepath.Join(t.TempDir(), "keys")
	_, line := newKey(t)
	write(t, keys, line+" ana\n")
	empty := filepath.Join(t.TempDir(), "empty")
	write(t, empty, "# none yet\n")
	open := filepath.Join(t.TempDir(), "open")
	write(t, open, line+" ana\n")
	ok(t, os.Chmod(open, 0o666))
	for _, test := range []struct {
		status int
		args   []string
		want   string
	}{
		{1, []string{"--ssh", ":0", "--authorized-keys", t.TempDir()}, "is no regular file"},
		{2, []string{"--authorized-keys", keys}, "--ssh is missing"},
		{2, []string{"--ssh", ":0"}, "--authorized-keys is missing"},
		{2, []string{"--ssh", ":0", "--authorized-keys", keys, "--sessions", "0"}, "--sessions: at least 1"},
		{2, []string{"--ssh", ":0", "--authorized-keys", keys, "--idle", "0s"}, "--idle: more than 0"},
		{1, []string{"--ssh", ":0", "--authorized-keys", keys + "x"}, "no such file"},
		{1, []string{"--ssh", ":0", "--authorized-keys", open}, "chmod go-w"},
		{1, []string{"--ssh", "256.0.0.1:1", "--authorized-keys", keys}, "give --ssh an address"},
		{1, []string{"--ssh", "256.0.0.1:1", "--authorized-keys", empty}, "nobody can log in: the file lists no key"},
		{1, []string{"--ssh", ":0", "--authorized-keys", keys, "--host-key", keys}, "host key"},
	} {
		_, text := p.run(test.status, nil, append([]string{"serve"}, test.args...)...)
		if !strings.Contains(text, test.want) {
			t.Errorf("%q: %s", test.args, text)
		}
	}
}

// The sessions of a server see each other, also those of viewers.
func TestServedCompany(t *testing.T) {
	t.Parallel()
	s := newServed(t, "https://www.sepe.es/HomeSepe/Personas/\n")
	ana := s.sit(s.ana)
	ana.shows("reviewed 0 of 1")
	ben := s.sit(s.ben)
	ben.shows("with ana")
	ana.shows("with ben")
	ana.press("5")
	ana.shows("Also here")
}
