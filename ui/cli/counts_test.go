package cli_test

import (
	"encoding/json"
	"testing"

	"visto/canon"
	"visto/review/health"
)

// TestCountsAgree checks that stats, list and causes count the same, before and after decisions.
func TestCountsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs some hundred commands, one after the other")
	}
	t.Parallel()
	p := newProgram(t)
	p.ok("demo", "--keep", p.db)
	agree(t, p)
	p.ok("approve", "1", "3", "5")
	p.ok("override", "add", "--host", "sede.valencia.es", "--drop", "plaza")
	agree(t, p)
	p.ok("undo")
	agree(t, p)
}

func agree(t *testing.T, p *program) {
	t.Helper()
	var s demoStats
	if err := json.Unmarshal([]byte(p.ok("stats", "--json")), &s); err != nil {
		t.Fatal(err)
	}
	if n := len(lines(p.ok("list", "--ids"))); n != s.Open {
		t.Errorf("list has %d open URLs, stats %d", n, s.Open)
	}
	byHost := causesByHost(t, p)
	for _, c := range canon.Codes() {
		listed := len(lines(p.ok("list", "--flag", c.String(), "--ids")))
		if listed != s.OpenFlags[c.String()] {
			t.Errorf("%s: list has %d, stats %d", c, listed, s.OpenFlags[c.String()])
		}
		waiting := len(lines(p.ok("list", "--flag", c.String(), "--status", waitFor(c), "--ids")))
		if c != canon.UnknownParam && byHost[c.String()] != waiting {
			t.Errorf("%s: causes have %d, list %d", c, byHost[c.String()], waiting)
		}
		all := len(lines(p.ok("list", "--status", "all", "--flag", c.String(), "--ids")))
		if all != s.Flags[c.String()] {
			t.Errorf("%s: list has %d in all, stats %d", c, all, s.Flags[c.String()])
		}
	}
	for status, n := range s.Statuses {
		if listed := len(lines(p.ok("list", "--status", status, "--ids"))); listed != n {
			t.Errorf("%s: list has %d, stats %d", status, listed, n)
		}
	}
}

// waitFor returns the statuses of the URLs that wait for a person because of a flag.
func waitFor(c canon.Code) string {
	switch {
	case health.Flags.Has(c):
		return "accepted,approved"
	case c == canon.ChangedSinceApproval:
		return "approved"
	}
	return "pending"
}

// causesByHost sums up the causes of each flag over the hosts, and checks the count of each cause against its list.
func causesByHost(t *testing.T, p *program) map[string]int {
	t.Helper()
	sum := map[string]int{}
	for _, line := range lines(p.ok("causes", "--json")) {
		var c demoCause
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Host != "" {
			sum[c.Flag] += c.N
		}
		if n := len(lines(p.ok(c.list()...))); n != c.N {
			t.Errorf("%s: lists %d", line, n)
		}
	}
	return sum
}

// list returns the command line that lists the URLs of a cause.
func (c demoCause) list() []string {
	code, _ := canon.ParseCode(c.Flag)
	args := []string{"list", "--ids", "--flag", c.Flag, "--status", waitFor(code)}
	for flag, value := range map[string]string{
		"--host": c.Host, "--param": string(c.Params), "--source": string(c.Fields), "--path": c.Path,
	} {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	return args
}
