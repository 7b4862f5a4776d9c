package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"visto/canon"
)

// demoStats is the part of stats --json that the tests read.
type demoStats struct {
	Total, Open, Reviewed     int
	Verdicts, Statuses, Flags map[string]int
	OpenFlags                 map[string]int `json:"open_flags"`
}

func TestDemoHasEveryFlag(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	p := newProgram(t)
	p.ok("demo", "--keep", p.db)
	var s demoStats
	if err := json.Unmarshal([]byte(p.ok("stats", "--json")), &s); err != nil {
		t.Fatal(err)
	}
	if s.Total < 60 || s.Total > 120 {
		t.Errorf("%d sample URLs, want 60 to 120", s.Total)
	}
	for _, c := range canon.Codes() {
		if s.OpenFlags[c.String()] == 0 {
			t.Errorf("no sample in the queue has the flag %s", c)
		}
	}
	for _, status := range []string{"pending", "accepted", "approved", "rejected", "deferred"} {
		if s.Statuses[status] == 0 {
			t.Errorf("no sample is %s", status)
		}
	}
}

// demoCause is the part of causes --json that the tests read.
type demoCause struct {
	Flag, Host, Path string
	Params, Fields   names
	N, Sole, Hosts   int
}

// names are the names of the fields or parameters of a cause, joined by a comma.
type names string

func (n *names) UnmarshalJSON(text []byte) error {
	var list []string
	err := json.Unmarshal(text, &list)
	*n = names(strings.Join(list, ","))
	return err
}

// The demo has a rule to propose: a newcomer sees one.
func TestDemoHasASuggestion(t *testing.T) {
	p := newProgram(t)
	p.ok("demo", "--keep", p.db)
	const rule = "drop entorno on sede.imserso.gob.es/tramites"
	if out := p.ok("suggest"); !strings.Contains(out, rule) || strings.Count(out, "\n") != 2 {
		t.Errorf("suggested:\n%s", out)
	}
}

func TestDemoHasClassesThatOneRuleSettles(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	p := newProgram(t)
	p.ok("demo", "--keep", p.db)
	want := map[demoCause]bool{
		{Flag: "unknown-param", Host: "sede.valencia.es", Params: "plaza", N: 14, Sole: 13, Hosts: 1}: false,
		{Flag: "home-page", Fields: "portal_url,sede_url", N: 9, Sole: 9, Hosts: 9}:                   false,
		{Flag: "no-spanish", Host: "web.gencat.cat", N: 7, Sole: 7, Hosts: 1}:                         false,
	}
	for _, line := range lines(p.ok("causes", "--json")) {
		var c demoCause
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if _, ok := want[c]; ok {
			want[c] = true
		}
	}
	for c, found := range want {
		if !found {
			t.Errorf("no cause %+v", c)
		}
	}
	p.ok("override", "add", "--host", "web.gencat.cat", "--spanish", "/ca/=/es/")
	if left := p.ok("list", "--host", "web.gencat.cat"); left != "" {
		t.Errorf("the Spanish pair leaves\n%s", left)
	}
}

func TestDemoUndoIsYourOwn(t *testing.T) {
	p := newProgram(t)
	p.ok("demo", "--keep", p.db)
	p.run(1, nil, "undo")
}
