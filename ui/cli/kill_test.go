package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// decisions is how many a kill test makes.
const decisions = 200

// TestKill kills the real program, with a signal that it cannot catch, while it makes 200 decisions. What it had
// confirmed must be there afterwards, and the database must be sound.
func TestKill(t *testing.T) {
	visto := filepath.Join(t.TempDir(), "visto")
	if out, err := exec.Command("go", "build", "-o", visto, "visto").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	t.Run("many processes", func(t *testing.T) { killManyProcesses(t, visto, random) })
	t.Run("one process", func(t *testing.T) { killOneProcess(t, visto, random) })
}

// toDecide is a database with URLs to decide on.
func toDecide(t *testing.T) *program {
	p := newProgram(t)
	var urls strings.Builder
	for i := range decisions {
		fmt.Fprintf(&urls, "https://sede.example.gob.es/tramite/%d/detalle?plaza=1\n", 1000+i)
	}
	p.run(0, strings.NewReader(urls.String()), "add", "-")
	return p
}

// nothingLost checks that every confirmed approval is there, and that the database is sound.
func nothingLost(t *testing.T, p *program, confirmed map[string]bool) {
	t.Helper()
	approved := map[string]bool{}
	for _, id := range lines(p.ok("list", "--status", "approved", "--ids")) {
		approved[id] = true
	}
	for id := range confirmed {
		if !approved[id] {
			t.Errorf("the approval of %s was confirmed and is lost", id)
		}
	}
	p.ok("check")
}

// killManyProcesses kills every second of 200 processes that make one decision each, at a random moment of the time
// that they take.
func killManyProcesses(t *testing.T, visto string, random *rand.Rand) {
	p := toDecide(t)
	confirmed, killed := map[string]bool{}, 0
	for id := range decisions {
		name := strconv.Itoa(id + 1)
		var out bytes.Buffer
		cmd := exec.Command(visto, "approve", name)
		cmd.Env, cmd.Stdout = p.env, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if id%2 == 0 {
			time.Sleep(time.Duration(random.IntN(60_000)) * time.Microsecond)
			cmd.Process.Kill()
		}
		if cmd.Wait() != nil {
			killed++
		}
		if strings.HasPrefix(out.String(), "approved 1 URL") {
			confirmed[name] = true
		}
	}
	t.Logf("%d of %d processes killed, %d decisions confirmed", killed, decisions, len(confirmed))
	nothingLost(t, p, confirmed)
}

// killOneProcess kills a review that is fed decisions as fast as it takes them, and goes on with another one, until
// all 200 are made.
func killOneProcess(t *testing.T, visto string, random *rand.Rand) {
	p := toDecide(t)
	confirmed, killed := map[string]bool{}, 0
	for len(lines(p.ok("list", "--ids"))) > 0 {
		made := reviewUntilKilled(t, visto, p, 1+random.IntN(40))
		if len(made) == 0 {
			t.Fatal("a review confirmed nothing before it was killed")
		}
		for _, id := range made {
			confirmed[id] = true
		}
		killed++
		nothingLost(t, p, confirmed)
	}
	t.Logf("%d processes killed, %d decisions confirmed", killed, len(confirmed))
	if len(confirmed) < decisions-killed {
		t.Errorf("%d decisions confirmed by %d processes: more than one of a process was not", len(confirmed), killed)
	}
}

// reviewUntilKilled feeds one plain review with approvals, always one more than it has confirmed, kills it when it
// has confirmed n, and returns the numbers of the URLs whose approval it confirmed.
func reviewUntilKilled(t *testing.T, visto string, p *program, n int) (confirmed []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, visto, "review", "--plain")
	cmd.Env = p.env
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	io.WriteString(stdin, "a\na\n")
	said := bufio.NewScanner(stdout)
	for said.Scan() {
		if id, ok := confirmedIn(said.Text()); ok {
			confirmed = append(confirmed, id)
			io.WriteString(stdin, "a\n")
		}
		if strings.Contains(said.Text(), "Nothing waits") || len(confirmed) == n {
			break
		}
	}
	cmd.Process.Kill()
	for said.Scan() { // what it had said before it was killed counts
		if id, ok := confirmedIn(said.Text()); ok {
			confirmed = append(confirmed, id)
		}
	}
	return confirmed
}

// confirmedIn returns the number in "approved: URL 7 (u takes it back).", which may stand behind a prompt.
func confirmedIn(line string) (id string, ok bool) {
	_, rest, ok := strings.Cut(line, "approved: URL ")
	id, _, _ = strings.Cut(rest, " ")
	return id, ok
}
