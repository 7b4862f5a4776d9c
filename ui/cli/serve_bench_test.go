//go:build linux

package cli_test

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/pem"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/crypto/ssh"
)

// The team of BenchmarkTeam.
const (
	teamSize  = 50
	keyEvery  = 400 * time.Millisecond
	keyLate   = 5 * time.Second // counts for a key without a frame by then
	decideOne = 5               // one pair of keys of so many decides
)

// BenchmarkTeam lets fifty people review at once, each by an ssh client in a terminal of its own, for the time in
// VISTO_TEAM_TIME: a key every 400 ms, at random, every tenth a decision. Halfway it stops and starts the server; then
// it kills a client and makes a window as small as it can be for a while. It measures the time from a key to its frame
// at the client, and the server's memory, and fails if a decision that a screen confirmed is not in the log, or one is
// in it twice.
//
//	VISTO_TEAM_TIME=5m VISTO_BENCH_ROWS=100000 go test ./ui/cli -run xxx -bench Team/SQLite -benchtime 1x -timeout 30m
//
// or Team/PostgreSQL, on a server that the benchmark starts beside.
func BenchmarkTeam(b *testing.B) {
	lasts, err := time.ParseDuration(os.Getenv("VISTO_TEAM_TIME"))
	if err != nil {
		b.Skip("VISTO_TEAM_TIME, such as 5m, says how long the team works")
	}
	if _, err := exec.LookPath("ssh"); err != nil {
		b.Skip("there is no ssh")
	}
	onStores(b, func(b *testing.B, t *table) { newTeam(b, t.visto, t.db).review(lasts) })
}

// review has the team work.
func (t *team) review(lasts time.Duration) {
	for range t.N {
		t.start()
		half := time.Now().Add(lasts / 2)
		t.work(half, nil)
		t.stop()
		t.start()
		t.work(half.Add(lasts/2), func(m *teamMember) {
			switch m.n {
			case 0:
				_ = m.client.Process.Kill()
			case 1:
				_ = pty.Setsize(m.terminal, &pty.Winsize{Rows: 1, Cols: 1})
				m.beat("j")
				m.beat("k")
				_ = pty.Setsize(m.terminal, &pty.Winsize{Rows: 48, Cols: 160})
				time.Sleep(keyEvery)
			}
		})
		memory := t.memory()
		t.stop()
		t.report(memory)
	}
}

// team is a server and its clients.
type team struct {
	*testing.B
	visto, dir, db string
	server         *exec.Cmd
	address        string
	people         []*teamMember
}

// teamMember is one reviewer and the keys of one client.
type teamMember struct {
	team     *team
	n        int
	name     string
	client   *exec.Cmd
	terminal *os.File
	out      chan output
	random   *rand.Rand

	times              []time.Duration
	pressed, confirmed int // decisions
}

func newTeam(b *testing.B, visto, db string) *team {
	t := &team{B: b, visto: visto, dir: b.TempDir(), db: db}
	var keys bytes.Buffer
	for i := range teamSize {
		m := &teamMember{team: t, n: i, name: fmt.Sprintf("person%02d", i), random: rand.New(rand.NewPCG(1, uint64(i)))}
		public, private, err := ed25519.GenerateKey(nil)
		noError(b, err)
		block, err := ssh.MarshalPrivateKey(private, "")
		noError(b, err)
		noError(b, os.WriteFile(m.key(), pem.EncodeToMemory(block), 0o600))
		line, err := ssh.NewPublicKey(public)
		noError(b, err)
		fmt.Fprintf(&keys, "%s %s\n", bytes.TrimSpace(ssh.MarshalAuthorizedKey(line)), m.name)
		t.people = append(t.people, m)
	}
	noError(b, os.WriteFile(filepath.Join(t.dir, "keys"), keys.Bytes(), 0o600))
	return t
}

func (m *teamMember) key() string { return filepath.Join(m.team.dir, m.name) }

// start starts the server and seats everyone.
func (t *team) start() {
	address := t.address
	if address == "" {
		address = "127.0.0.1:0"
	}
	t.server = exec.Command(t.visto, "serve", "--db", t.db, "--ssh", address, "--authorized-keys",
		filepath.Join(t.dir, "keys"))
	t.server.Env = []string{"HOME=" + t.dir, "VISTO_REVIEWER=server"}
	out, err := t.server.StderrPipe()
	noError(t.B, err)
	noError(t.B, t.server.Start())
	lines := bufio.NewScanner(out)
	for t.address = ""; t.address == "" && lines.Scan(); {
		if _, rest, ok := strings.Cut(lines.Text(), "msg=serving at="); ok {
			t.address, _, _ = strings.Cut(rest, " ")
		}
	}
	go func() {
		for lines.Scan() {
			continue
		}
	}()
	for _, m := range t.people {
		m.sit()
	}
}

// stop stops the server, which ends all clients.
func (t *team) stop() {
	noError(t.B, t.server.Process.Signal(syscall.SIGINT))
	noError(t.B, t.server.Wait())
	for _, m := range t.people {
		_ = m.client.Wait()
		m.terminal.Close()
	}
}

// memory returns the largest memory of the server so far, in MB.
func (t *team) memory() float64 { return (&sitting{b: t.B, cmd: t.server}).memory() }

func (m *teamMember) sit() {
	host, port, _ := strings.Cut(m.team.address, ":")
	m.client = exec.Command("ssh", "-tt", "-p", port, "-i", m.key(), "-F", "none", "-o", "IdentitiesOnly=yes",
		"-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", host)
	m.client.Env = []string{"TERM=xterm-256color", "HOME=" + m.team.dir}
	var err error
	m.terminal, err = pty.StartWithSize(m.client, &pty.Winsize{Rows: 48, Cols: 160})
	noError(m.team.B, err)
	m.out = make(chan output, 10_000)
	go (&sitting{terminal: m.terminal, out: m.out}).read()
}

// work has everyone press keys until a time. event happens to each member after a third of it.
func (t *team) work(until time.Time, event func(*teamMember)) {
	var all sync.WaitGroup
	third := time.Now().Add(time.Until(until) / 3)
	for _, m := range t.people {
		all.Go(func() {
			m.wait(5 * time.Second) // the first screen
			time.Sleep(time.Duration(m.random.Int64N(int64(keyEvery))))
			for range m.n { // not all at the same URLs
				m.timed("\x1b[6~")
			}
			for happened := event == nil; time.Now().Before(until); {
				if !happened && time.Now().After(third) {
					event(m)
					happened = true
				}
				m.one()
			}
		})
	}
	all.Wait()
}

// teamKey is a key that decides nothing, the key that leads back to the list, and how often it comes in a hundred. Both
// change the screen. The way back by escape is not measured: a console waits after it for the rest of a key.
type teamKey struct {
	key, back string
	share     int
}

// teamKeys are mostly those of reading.
var teamKeys = []teamKey{
	{"j", "k", 50}, {"\x1b[6~", "\x1b[5~", 15}, {"\r", "1", 12}, {"f", "\x1b", 5}, {"?", "\x1b", 5}, {"2", "1", 5},
	{"4", "1", 4}, {"5", "1", 4},
}

// one presses a key and the key that leads back, or decides on the URL under the cursor of the queue.
func (m *teamMember) one() {
	if m.random.IntN(decideOne) > 0 {
		at := m.random.IntN(100)
		k := teamKeys[slices.IndexFunc(teamKeys, func(k teamKey) bool {
			at -= k.share
			return at < 0
		})]
		m.timed(k.key)
		if k.back == "\x1b" {
			m.beat(k.back)
			return
		}
		m.timed(k.back)
		return
	}
	m.beat("j") // the message of the last decision goes
	m.pressed++
	if out := m.timed("a"); bytes.Contains(out, []byte("approved:")) { // a conflict says "approved by"
		m.confirmed++
	}
}

// beat presses a key and waits for the time of the next one.
func (m *teamMember) beat(key string) {
	m.typed(key)
	time.Sleep(keyEvery)
}

// timed presses a key, and returns the output until the time of the next one, or until there is some.
func (m *teamMember) timed(key string) []byte {
	m.drain()
	began := time.Now()
	m.typed(key)
	var all []byte
	for wait := keyLate; wait > 0; wait = time.Until(began.Add(keyEvery)) {
		select {
		case o, ok := <-m.out:
			if !ok {
				return all
			}
			if len(all) == 0 {
				m.times = append(m.times, o.at.Sub(began))
			}
			all = append(all, o.text...)
		case <-time.After(wait):
			if len(all) == 0 {
				m.times = append(m.times, keyLate)
			}
			return all
		}
	}
	return all
}

func (m *teamMember) typed(key string) { _, _ = m.terminal.WriteString(key) }

func (m *teamMember) drain() {
	for {
		select {
		case _, ok := <-m.out:
			if !ok {
				return
			}
		default:
			return
		}
	}
}

// wait waits for the first output.
func (m *teamMember) wait(most time.Duration) {
	select {
	case <-m.out:
	case <-time.After(most):
	}
}

// report reports the times and compares the decisions with the log.
func (t *team) report(memory float64) {
	var times []time.Duration
	var confirmed int
	log := t.run("log", "--limit", "0", "--json")
	for _, m := range t.people {
		times = append(times, m.times...)
		confirmed += m.confirmed
		logged := strings.Count(log, fmt.Sprintf(`"reviewer":%q`, m.name))
		if logged < m.confirmed || logged > m.pressed {
			t.Errorf("%s pressed %d times, saw %d decisions and made %d", m.name, m.pressed, m.confirmed, logged)
		}
	}
	t.run("check", "--replay")
	slices.Sort(times)
	report(t.B, times, "")
	t.ReportMetric(float64(len(times)), "keys")
	t.ReportMetric(float64(confirmed), "decisions")
	t.ReportMetric(memory, "MB")
}

func (t *team) run(args ...string) string {
	cmd := exec.Command(t.visto, args...)
	cmd.Env = []string{"HOME=" + t.dir, "VISTO_REVIEWER=server", "VISTO_DB=" + t.db}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("visto %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
