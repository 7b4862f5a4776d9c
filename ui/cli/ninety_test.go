package cli_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
)

// ninetyDays is the length of the simulation of testdata/health/ninety.txt, which explains itself.
const ninetyDays = 90

// runsADay are the hours of the runs of each day.
var runsADay = []int{2, 5}

// simLink is a link of the script, with its part of the table.
type simLink struct {
	name       string
	host, path string
	priorities []string
	answers    []simAnswer
	decisions  []simDecision
	want       [ninetyDays + 1]simState
	ask        [ninetyDays + 1]int
	silent     [ninetyDays + 1]bool

	id      int64
	batches []int64 // of the decisions that are not undone
}

// simAnswer is the answer of a path during some runs.
type simAnswer struct {
	path    string
	during  [(ninetyDays + 1) * 2]bool
	do      string
	details []string
}

type simDecision struct {
	day  int
	kind string
	arg  string
}

// simState is a line of the table.
type simState struct {
	status, state string
	flags         canon.CodeSet
}

func (s simState) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", s.status, s.state)
	for _, c := range s.flags.Codes() {
		fmt.Fprintf(&b, " %s", c)
	}
	return b.String()
}

// isExported reports whether an export without flags has the link.
func (s simState) isExported() bool {
	return s.state != health.Inactive.String() && s.status != review.Pending.String() &&
		s.status != review.Rejected.String()
}

func (l *simLink) url() string { return "https://" + l.host + l.path }

// readNinety reads the script and the table.
func readNinety(t *testing.T) (links []*simLink) {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "testdata/health/ninety.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0 || words[0] == "#":
		case words[0] == "url":
			links = append(links, newSimLink(words[1], words[2:]))
		default:
			if err := links[len(links)-1].read(words); err != nil {
				t.Fatalf("ninety.txt:%d: %v", n, err)
			}
		}
	}
	return links
}

func newSimLink(name string, priorities []string) *simLink {
	host, last, ok := strings.Cut(name, ".")
	if !ok {
		last = name
	}
	return &simLink{name: name, host: host + ".gob.es", path: "/tramites/" + last, priorities: priorities}
}

// read reads a line about the link.
func (l *simLink) read(words []string) error {
	path := l.path
	if words[0] == "at" {
		path, words = words[1], words[1:]
	}
	runs, err := runsOf(words[1])
	if err != nil {
		return err
	}
	rest := words[2:]
	switch words[0] {
	case "net", path:
		l.answers = append(l.answers, simAnswer{path, runs, rest[0], rest[1:]})
	case "do":
		d := simDecision{day: slices.Index(runs[:], true) / 2, kind: rest[0]}
		if len(rest) > 1 {
			d.arg = rest[1]
		}
		l.decisions = append(l.decisions, d)
	case "want":
		state := simState{status: rest[0], state: rest[1]}
		for _, name := range rest[2:] {
			c, ok := canon.ParseCode(name)
			if !ok {
				return fmt.Errorf("there is no flag %s", name)
			}
			state.flags = state.flags.With(c)
		}
		onDays(runs, func(day int) { l.want[day] = state })
	case "ask":
		times, err := strconv.Atoi(rest[0])
		onDays(runs, func(day int) { l.ask[day] = times })
		return err
	case "end":
		l.end(slices.Index(runs[:], true) / 2)
	case "silent":
		onDays(runs, func(day int) { l.silent[day] = true })
	default:
		return fmt.Errorf("%q is no line of the script", words[0])
	}
	return nil
}

// end rejects the link on a day.
func (l *simLink) end(day int) {
	l.decisions = append(l.decisions, simDecision{day: day, kind: "reject"})
	for d := day; d <= ninetyDays; d++ {
		l.want[d] = simState{status: review.Rejected.String(), state: l.want[day-1].state}
		if d > day {
			l.ask[d] = 0
		}
	}
}

// runsOf returns the runs of days such as 5, 5a, 5-9, 5- and 5-/7. The runs of day n are those with the indexes 2n and
// 2n+1.
func runsOf(text string) (runs [(ninetyDays + 1) * 2]bool, err error) {
	span, every, stepped := strings.Cut(text, "/")
	first, last, isSpan := strings.Cut(span, "-")
	first, isFirst := strings.CutSuffix(first, "a")
	from, err := strconv.Atoi(first)
	to, step := from, 1
	if isSpan {
		to = ninetyDays
	}
	if last != "" && err == nil {
		to, err = strconv.Atoi(last)
	}
	if stepped && err == nil {
		step, err = strconv.Atoi(every)
	}
	if err != nil || from < 1 || to > ninetyDays || step < 1 {
		return runs, fmt.Errorf("%q are no days", text)
	}
	for day := from; day <= to; day += step {
		runs[2*day], runs[2*day+1] = true, !isFirst
	}
	return runs, nil
}

func onDays(runs [(ninetyDays + 1) * 2]bool, fn func(day int)) {
	for day := 1; day <= ninetyDays; day++ {
		if runs[2*day] {
			fn(day)
		}
	}
}

// simTime returns an hour of a day, by the clock of Madrid.
func simTime(day, hour int) time.Time {
	return time.Date(2026, 2, 17+day, hour, 0, 0, 0, simZone)
}

var simZone = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Madrid")
	if err != nil {
		panic(err)
	}
	return zone
}()

// sources returns the file that cites the links.
func sources(links []*simLink) string {
	var b strings.Builder
	for _, l := range links {
		for _, p := range l.priorities {
			fmt.Fprintf(&b, "{\"id\": %q, \"priority\": %q, \"url\": %q}\n", l.name+"-"+p, p, l.url())
		}
		if len(l.priorities) == 0 {
			fmt.Fprintf(&b, "{\"id\": %q, \"url\": %q}\n", l.name, l.url())
		}
	}
	return b.String()
}

// simReviewer makes the runs and decisions, through the packages or through the commands.
type simReviewer interface {
	// run checks the links that are due, and returns their IDs.
	run() []int64
	// decide makes a decision on a link and returns its batch.
	decide(l *simLink, d simDecision) int64
	undo(batch int64)
	// state returns the link's state and flags, as the table has them.
	state(l *simLink) simState
	// exported returns the URLs of an export without flags.
	exported() []string
}

// simulate goes through the days and compares with the table: visits each day, states once in every days.
func (n *ninety) simulate(t *testing.T, r simReviewer, every int) {
	for day := 1; day <= ninetyDays; day++ {
		n.log().Clear()
		visits := map[int64]int{}
		for i, hour := range runsADay {
			n.begin(2*day+i, simTime(day, hour))
			for _, id := range r.run() {
				visits[id]++
			}
		}
		n.begin(2*day+1, simTime(day, 10))
		for _, l := range n.links {
			l.decideOn(r, day)
		}
		n.begin(2*day+1, simTime(day, 12))
		var registry []string
		for _, l := range n.links {
			n.compareVisits(t, day, l, visits[l.id])
			if day%every == 0 && r.state(l) != l.want[day] {
				t.Errorf("day %d: %s is %s, want %s", day, l.name, r.state(l), l.want[day])
			}
			if l.want[day].isExported() {
				registry = append(registry, l.url())
			}
		}
		if day%10 == 0 {
			got := r.exported()
			slices.Sort(registry)
			slices.Sort(got)
			if !slices.Equal(got, registry) {
				t.Errorf("day %d: exported\n%s\nwant\n%s", day, strings.Join(got, "\n"), strings.Join(registry, "\n"))
			}
		}
	}
}

func (l *simLink) decideOn(r simReviewer, day int) {
	for _, d := range l.decisions {
		switch last := len(l.batches) - 1; {
		case d.day != day:
		case d.kind == "undo":
			r.undo(l.batches[last])
			l.batches = l.batches[:last]
		default:
			l.batches = append(l.batches, r.decide(l, d))
		}
	}
}

func (n *ninety) compareVisits(t *testing.T, day int, l *simLink, visits int) {
	t.Helper()
	if visits != l.ask[day] {
		t.Errorf("day %d: %s is asked for %d times, want %d", day, l.name, visits, l.ask[day])
	}
	if asked := n.log().Asked(l.url()); asked > 0 && (l.silent[day] || l.ask[day] == 0) {
		t.Errorf("day %d: the server got %d requests for %s", day, asked, l.url())
	}
}
