package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// binary builds the real program, once.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "visto-test-*")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "visto")
	out, err := exec.Command("go", "build", "-o", file, "visto").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return file, nil
})

// TestKillLosesNoConfirmedDecision kills the real program, at random moments, while it makes 200 decisions. What it
// had confirmed must be there afterwards, and the database must be sound.
func TestKillLosesNoConfirmedDecision(t *testing.T) {
	visto, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))

	const decisions = 200
	p := newProgram(t)
	var urls strings.Builder
	for i := range decisions {
		fmt.Fprintf(&urls, "https://sede.example.gob.es/tramite/%d/detalle?plaza=1\n", 1000+i)
	}
	p.run(0, strings.NewReader(urls.String()), "add", "-")

	confirmed, killed := map[string]bool{}, 0
	for id := 1; id <= decisions; id++ {
		cmd := exec.Command(visto, "approve", strconv.Itoa(id))
		cmd.Env = p.env
		if killedOne(t, cmd, random) {
			killed++
		}
		if strings.HasPrefix(cmd.Stdout.(*bytes.Buffer).String(), "approved 1 URL") {
			confirmed[strconv.Itoa(id)] = true
		}
	}
	t.Logf("%d of %d processes killed, %d decisions confirmed", killed, decisions, len(confirmed))
	if killed == 0 || len(confirmed) == 0 {
		t.Fatalf("%d killed and %d confirmed: the moments are badly chosen", killed, len(confirmed))
	}
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

// killedOne runs a command and kills it, every second time, after a moment that lies within the time such a command takes.
func killedOne(t *testing.T, cmd *exec.Cmd, random *rand.Rand) bool {
	t.Helper()
	cmd.Stdout = new(bytes.Buffer)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if random.IntN(2) == 0 {
		time.AfterFunc(time.Duration(random.IntN(60_000))*time.Microsecond, func() { cmd.Process.Kill() })
	}
	return cmd.Wait() != nil
}

// TestKillInTheMiddleOfOneReview kills one process that makes many decisions, line by line.
func TestKillInTheMiddleOfOneReview(t *testing.T) {
	_ = bufio.NewScanner
}
