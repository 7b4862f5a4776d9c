package cli_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"visto/canon"
	"visto/canon/suite"
	"visto/ui/cli"
)

// TestNinetyDaysOfCommands is TestNinetyDays with the commands that a schedule and people run.
func TestNinetyDaysOfCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs hundreds of commands")
	}
	suite.Repeats(t, "TestNinetyDays lives the same days through the packages, scripts run each command")
	t.Parallel()
	n := newNinety(t)
	p := newProgram(t)
	n.begin(0, simTime(0, 12))
	r := &commandReviewer{t: t, n: n, p: p}
	r.n.addTo(t, p)
	n.simulate(t, r, 3) // reading a list takes longer than all else
	p.ok("check")
}

// commandReviewer works through commands.
type commandReviewer struct {
	t *testing.T
	n *ninety
	p *program

	states map[int64]simState
}

// ok runs a command in the world of the simulation and returns its stdout.
func (r *commandReviewer) ok(args ...string) string {
	r.t.Helper()
	stdout, stderr, status := r.do(args...)
	if status != 0 {
		r.t.Fatalf("visto %s: exit status %d\n%s", strings.Join(args, " "), status, stderr)
	}
	return stdout
}

func (r *commandReviewer) do(args ...string) (stdout, stderr string, status int) {
	r.states = nil
	var out, err bytes.Buffer
	status = cli.RunIn(args, strings.NewReader(""), &out, &err, r.p.env, r.n, r.n.network)
	return out.String(), err.String(), status
}

func (r *commandReviewer) run() (asked []int64) {
	stdout, stderr, status := r.do("probe", "--due", "--json", "--no-browser")
	if want := r.n.offline() && strings.Contains(stderr, "no network"); status != 0 && !want {
		r.t.Fatalf("visto probe: exit status %d\n%s", status, stderr)
	}
	for _, line := range lines(stdout) {
		asked = append(asked, r.read(line).ID)
	}
	return asked
}

// jsonLine has the fields of all lines that are read here.
type jsonLine struct {
	ID        int64
	Batch     int64
	Original  string
	Status    string
	Flags     []json.RawMessage
	LinkState string `json:"link_state"`
}

func (r *commandReviewer) read(line string) (v jsonLine) {
	r.t.Helper()
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		r.t.Fatalf("%s: %v", line, err)
	}
	return v
}

func (r *commandReviewer) decide(l *simLink, d simDecision) int64 {
	args := []string{d.kind, strconv.FormatInt(l.id, 10), "--json"}
	switch {
	case d.kind == "correct":
		args = append([]string{"approve", "--as", "https://" + l.host + d.arg}, args[1:]...)
	case d.arg != "":
		args = append(args, "--record", d.arg)
	}
	return r.read(r.ok(args...)).Batch
}

func (r *commandReviewer) undo(batch int64) { r.ok("undo", strconv.FormatInt(batch, 10)) }

func (r *commandReviewer) state(l *simLink) simState {
	if r.states == nil {
		states := map[int64]simState{}
		for _, line := range lines(r.ok("list", "--status", "all", "--json")) {
			v := r.read(line)
			s := simState{status: v.Status, state: v.LinkState}
			for _, raw := range v.Flags {
				s.flags = s.flags.With(r.flag(raw))
			}
			states[v.ID] = s
		}
		r.states = states
	}
	return r.states[l.id]
}

// flag reads a flag: its name, or an object with its code.
func (r *commandReviewer) flag(raw json.RawMessage) canon.Code {
	var name string
	var object struct{ Code string }
	if json.Unmarshal(raw, &name) != nil && json.Unmarshal(raw, &object) == nil {
		name = object.Code
	}
	c, ok := canon.ParseCode(name)
	if !ok {
		r.t.Fatalf("there is no flag %s", raw)
	}
	return c
}

func (r *commandReviewer) exported() []string {
	return originals(r.t, r.ok("export", "--fields", "original"))
}
