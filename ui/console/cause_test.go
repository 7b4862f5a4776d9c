package console

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	intake "visto/review/read"
	"visto/review/suggest"
	"visto/ui/pane"
)

// portal is a portal with two unknown parameters, both on one URL and each on one of its own, and with home pages in a
// field.
func portal() []review.Found {
	var found []review.Found
	for _, query := range []string{"uno=1&dos=1", "uno=2", "dos=2"} {
		found = append(found, review.Found{URL: "https://sede.ejemplo.gob.es/tramites/alta-padron?" + query})
	}
	for _, host := range []string{"www.ine.es", "www.boe.es", "www.senado.es:8443"} {
		found = append(found, review.Found{URL: "https://" + host,
			Place: intake.Place{File: "r.yaml", Field: "portal_url"}})
	}
	return found
}

// addChanged adds URLs that were approved in a field, and that rules changed since. A decision settles them, and no rule.
// It returns their IDs.
func addChanged(t *testing.T, desk *review.Desk, field string, hosts ...string) (ids []int64) {
	t.Helper()
	for _, host := range hosts {
		url := "https://" + host + "/" + field + "/alta-padron?uno=1"
		add(t, desk, []review.Found{{URL: url, Place: intake.Place{File: field + ".yaml", Field: field}}})
		items, err := desk.Find(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		id := items[0].ID
		if _, err := desk.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: id}); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(host, ":")
		rule := canon.Override{Match: canon.Match{Host: name, PathPrefix: "/" + field}, DropQueryParams: []string{"uno"}}
		if _, _, err := desk.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, ""); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// changedHosts are hosts for addChanged. The URL on the last one has another flag too.
var changedHosts = []string{"www.ine.es", "www.boe.es", "www.senado.es:8443"}

// open fails the test unless the item is open, or not.
func open(t *testing.T, desk *review.Desk, id int64, want bool) {
	t.Helper()
	if it := item(t, desk, id); it.Open() != want {
		t.Errorf("URL %d is open: %t", id, it.Open())
	}
}

func TestMarkedCausesAreOneBatch(t *testing.T) {
	desk := newDesk(t, portal()...)
	s := openAsking(t, desk, 120, 40, "2", "z").shows("dos on sede.ejemplo.gob.es", "uno on sede.ejemplo.gob.es")
	s.onCause("dos on sede.ejemplo.gob.es").keys("space").onCause("uno on sede.ejemplo.gob.es").keys("space", "K")
	s.shows("╭─ 2 causes", "keep dos, uno on sede.ejemplo.gob.es",
		"3 URLs settled").keys("y").shows("2 causes kept: 3 URLs settled").lacks("uno on sede")
	if list := overridesOf(t, desk); len(list) != 1 ||
		!slices.Equal(list[0].Override.KeepQueryParams, []string{"dos", "uno"}) {
		t.Errorf("%+v", list)
	}
	s.keys("u").shows("uno on sede", "dos on sede")
	if list := overridesOf(t, desk); len(list) != 0 {
		t.Errorf("after one undo: %+v", list)
	}
}

// One K keeps all parameters of a host, which are one row.
func TestKeepAllParametersOfAHost(t *testing.T) {
	desk := newDesk(t, portal()...)
	s := openScreen(t, desk, 120, 40, "2").shows("dos, uno on sede.ejemplo.gob.es", "+2 rows", "settles all 3 URLs",
		"l  only dos 2  uno 2")
	s.keys("K").shows("dos, uno kept on sede.ejemplo.gob.es: 3 URLs settled").lacks("unknown-param")
	if list := overridesOf(t, desk); len(list) != 1 ||
		!slices.Equal(list[0].Override.KeepQueryParams, []string{"dos", "uno"}) {
		t.Errorf("%+v", list)
	}
}

func TestMarkedCausesOfTwoKinds(t *testing.T) {
	desk := newDesk(t, portal()...)
	addChanged(t, desk, "url", changedHosts...)
	s := openScreen(t, desk, 120, 40, "2").onCause("in field portal_url on 3 hosts").keys("space")
	s.onCause("in field url on 3 hosts").keys("space", "A").shows("mark one kind at a time").keys("esc").lacks("*  ")
}

// Spec 10: enter, esc: open; back.
func TestEscGoesBackToCauses(t *testing.T) {
	s := openScreen(t, newDesk(t, portal()...), 120, 40, "2", "z").onCause("uno on sede.ejemplo.gob.es").keys("enter")
	s.shows("[1 Queue]", "of 2").keys("space", "esc").shows("[1 Queue]").keys("esc").shows("[2 Causes]", "▌")
	s.keys("1").shows("of 6")
}

// undo leads back to the cause that it brings back, wherever the cursor went.
func TestUndoGoesToTheCause(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40, "2").onCause("on web.gencat.cat")
	s.keys("A").shows("1 URL settled").lacks("no-spanish  ")
	s.keys("g", "u").shows("▌        1       1  no-spanish").keys("g", "a", "y").shows("approved: 2 URLs")
	s.keys("G", "u").shows("▌        3       2  unknown-param")
}

// URLs that are approved together have no flag but the cause's.
func TestApprovalLeavesWhatHasOtherFlags(t *testing.T) {
	desk := newDesk(t, []review.Found{}...)
	ids := addChanged(t, desk, "url", changedHosts...)
	s := openAsking(t, desk, 120, 40, "2").onCause("in field url on 3 hosts")
	s.keys("A").shows("approve the 2 URLs with no other flag",
		"2 URLs decided together").keys("y").shows("approved: 2 URLs")
	open(t, desk, ids[0], false)
	open(t, desk, ids[2], true)
	s.keys("u").shows("took back: approve, 2 URLs")
	open(t, desk, ids[0], true)
}

// URLs that joined a cause since it was listed have been seen by nobody: they are asked about.
func TestGrownCauseIsAskedAbout(t *testing.T) {
	desk := newDesk(t, []review.Found{}...)
	ids := addChanged(t, desk, "url", changedHosts...)
	s := openScreen(t, desk, 120, 40, "2").onCause("in field url on 3 hosts")
	addChanged(t, desk, "url", "www.dgt.es")
	s.keys("A").shows("3 URLs decided together", "more than the 2 that were listed").keys("esc")
	open(t, desk, ids[0], true)
	s.poll().keys("A").lacks("were listed").keys("y").shows("approved: 3 URLs")
}

// A question about one URL speaks of one.
func TestQuestionsAboutOneURL(t *testing.T) {
	desk := newDesk(t, []review.Found{}...)
	addChanged(t, desk, "url", changedHosts[1:]...)
	s := openAsking(t, desk, 120, 40, "2").onCause("in field url on 2 hosts")
	s.keys("A").shows("approve the one URL with no other flag as it is").lacks("they are").keys("esc")
	s.keys("1", "space", "A").shows("Approve 1 URL as it is shown? u takes it back.")
}

// The same holds for several causes at once. A rejection concerns all of their URLs.
func TestMarkedCausesAreDecidedTogether(t *testing.T) {
	desk := newDesk(t, []review.Found{}...)
	ids := append(addChanged(t, desk, "url", changedHosts...), addChanged(t, desk, "sede_url", changedHosts...)...)
	s := openAsking(t, desk, 120, 40, "2")
	s.onCause("in field sede_url on 3 hosts").keys("space").onCause("in field url on 3 hosts").keys("space", "A")
	s.shows("4 URLs decided together").keys("y").shows("approved: 4 URLs")
	for i, want := range []bool{false, false, true, false, false, true} {
		open(t, desk, ids[i], want)
	}
	s.keys("u", "g").onCause("in field sede_url on 3 hosts").keys("space").onCause("in field url on 3 hosts")
	s.keys("space", "R")
	s.keys("type:no procedures there", "enter").shows("reason: no procedures there", "reject 2 causes: 6 URLs",
		"6 URLs decided together").keys("y").shows("no longer after this").keys("y")
	for _, id := range ids {
		status(t, desk, id, review.Rejected)
	}
}

// Marked causes combine: settled are the URLs that have no flag but theirs, also where no URL has only one of them.
func TestMarkedCausesCombine(t *testing.T) {
	var found []review.Found
	for _, url := range []string{"https://www.uno.example", "https://www.dos.example", "https://www.ine.es",
		"https://www.tres.example:8443"} {
		found = append(found, review.Found{URL: url, Place: intake.Place{File: "r.yaml", Field: "portal_url"}})
	}
	desk := newDesk(t, found...)
	s := openAsking(t, desk, 80, 24, "2").onCause("in field portal_url on 3 hosts").keys("space", "g")
	s.onCause("in field portal_url on 4 hosts").keys("space", "A")
	s.shows("accept 2 causes with 4 rules: 3 URLs settled",
		"rule: accept home-page in field portal_url", "rule: accept off-allowlist on www.dos.example").keys("y")
	s.shows("2 causes accepted: 3 URLs settled")
	for id, want := range []review.Status{review.Accepted, review.Accepted, review.Accepted, review.Pending} {
		status(t, desk, int64(id+1), want)
	}
}

// One key trusts the hosts of a field that are there, as one batch. A later URL of the field on another host waits.
func TestHostsOfAFieldAreAcceptedAtOneKey(t *testing.T) {
	found := func(hosts ...string) (list []review.Found) {
		for _, host := range hosts {
			list = append(list, review.Found{URL: "https://" + host + "/tramites/alta-padron/uno",
				Place: intake.Place{File: host + ".yaml", Field: "portal_url"}})
		}
		return list
	}
	desk := newDesk(t, append(found("uno.example"), found("dos.example")...)...)
	s := openScreen(t, desk, 120, 40, "2").onCause("in field portal_url on 2 hosts")
	s.shows("accept off-allowlist on dos.example, uno.example").keys("A")
	s.shows("off-allowlist accepted on dos.example, uno.example: 2 URLs settled")
	add(t, desk, found("tres.example"))
	status(t, desk, 2, review.Accepted)
	status(t, desk, 3, review.Pending)
	s.poll().keys("u")
	status(t, desk, 1, review.Pending)
	status(t, desk, 2, review.Pending)
}

// The effect on a class can be read to its end: the question scrolls, and says how many URLs follow.
func TestEffectOfACauseIsRead(t *testing.T) {
	var found []review.Found
	for i := range 240 {
		found = append(found, review.Found{URL: fmt.Sprintf("https://h%03d.ejemplo.gob.es", i),
			Place: intake.Place{File: "r.yaml", Field: "portal_url"}})
	}
	s := openScreen(t, newDesk(t, found...), 80, 24, "2").onCause("in field portal_url on 240 hosts").keys("A")
	s.shows("accept home-page in field portal_url", "https://h000.ejemplo.gob.es", "and 40 URLs that are not listed",
		"k j scroll")
	s.keys("j").lacks("h000.ejemplo").shows("h001.ejemplo")
	s.keys("pgdown").lacks("h001.ejemplo").keys("k", "pgup").shows("h000.ejemplo", "[Cancel]")
	s.keys("G").shows("h199.ejemplo.gob.es", "and 40 URLs that are not listed").lacks("↓")
	s.keys("g").shows("h000.ejemplo").keys("y").shows("accepted in field portal_url: 240 URLs settled")
}

// A rule settles the URLs too that the reviewer approved as the first of two persons. The row is without them, so the
// study tells their number.
func TestRuleSettlesWhatWaitsForAnother(t *testing.T) {
	var found []review.Found
	for _, plaza := range []string{"1", "2", "3", "4"} {
		url := "https://sede.ejemplo.gob.es/tramites/alta-de-uno?plaza=" + plaza
		found = append(found, review.Found{URL: url})
	}
	desk := newDesk(t, found...)
	wantTwoFor(t, desk, canon.UnknownParam)
	s := openScreen(t, desk, 120, 40, "2").shows("settles all 4 URLs").lacks("another person")
	s.keys("1", "a", "2").shows("settles all 3 URLs; a rule also the one that waits for another person")
	s.keys("1", "a", "2").shows("settles all 2 URLs; a rule also 2 that wait for another person")
	s.keys("K").shows("kept on sede.ejemplo.gob.es: 4 URLs settled")
}

// undo leads back to its cause while causes are being read, whether these were read before it or after it.
func TestUndoWhileCausesAreRead(t *testing.T) {
	for _, before := range []bool{true, false} {
		desk := newDesk(t)
		s := openScreen(t, desk, 80, 24, "2").onCause("on www.sepe.es").keys("A").keys("G", "g")
		reading := s.model.causes.load()
		if before {
			add(t, desk, []review.Found{{URL: "https://sede.ejemplo.gob.es/tramites/otro?plaza=este"}})
			msg := reading()
			s.keys("u").send(msg)
		} else {
			s.keys("u").run(reading)
		}
		if c, _ := s.model.causes.pane.Current(); pane.CauseText(c) != "on www.sepe.es" {
			t.Errorf("read before: %t, the cursor is on %s:\n%s", before, pane.CauseText(c), s.text())
		}
	}
}

// The footer offers only the actions of the cause under the cursor.
func TestFooterOfACause(t *testing.T) {
	s := openScreen(t, newDesk(t, portal()...), 160, 48, "2")
	foot := func() string { lines := strings.Split(s.text(), "\n"); return lines[len(lines)-1] }
	has := func(where string, yes []string, no ...string) {
		t.Helper()
		for _, word := range yes {
			if !strings.Contains(foot(), word) {
				t.Errorf("%s: no %q in %q", where, word, foot())
			}
		}
		for _, word := range no {
			if strings.Contains(foot(), word) {
				t.Errorf("%s: %q in %q", where, word, foot())
			}
		}
	}
	s.onCause("in field portal_url on 3 hosts")
	has("a field", []string{"enter its URLs", "A accept", "o form"}, "K keep", "D drop", "m Spanish")
	s = openScreen(t, newDesk(t), 160, 48, "2").onCause("plaza on sede.ejemplo.gob.es")
	has("a parameter", []string{"K keep", "D drop", "A accept", "o form"}, "m Spanish")
	s.keys("g").onCause("on web.gencat.cat")
	has("a language", []string{"m Spanish", "A accept", "o form"}, "K keep", "D drop")
	s.keys("/", "type:no such cause", "enter")
	has("no cause", []string{"/ search"}, "K keep", "D drop", "m Spanish", "A accept", "its URLs", "o form")
}

// Two parameters of the same URLs are one row, which a rule for both settles.
func TestParametersAreOneRow(t *testing.T) {
	desk := newDesk(t, review.Found{URL: "https://sede.ejemplo.gob.es/tramites/alta-de-uno?plaza=1&origen=web"})
	s := openScreen(t, desk, 80, 24, "2").onCause("origen, plaza on sede.ejemplo.gob.es").keys("D")
	s.shows("origen, plaza dropped on sede.ejemplo.gob.es: 1 URL settled")
	if list := overridesOf(t, desk); len(list) != 1 || len(list[0].Override.DropQueryParams) != 2 {
		t.Errorf("%+v", list)
	}
}

// A host with and without www. is one row: one key writes a rule for each, and one key takes both back.
func TestBothHostsAreOneRow(t *testing.T) {
	desk := newDesk(t, review.Found{URL: "https://a.gob.es/"}, review.Found{URL: "https://www.a.gob.es/"})
	s := openScreen(t, desk, 80, 24, "2").onCause("on a.gob.es and www.a.gob.es")
	s.shows("only on a.gob.es 1  www.a.gob.es 1", "another rule, in the form, for a.gob.es alone")
	s.keys("c").shows("both hosts have the flag", "settles nothing: l leaves")
	s.keys("/", "type:www.a.gob", "enter").onCause("on a.gob.es and www.a.gob.es").keys("esc", "A")
	s.shows("home-page accepted on a.gob.es and www.a.gob.es: 2 URLs settled")
	if list := overridesOf(t, desk); len(list) != 2 {
		t.Errorf("%+v", list)
	}
	s.keys("u")
	if list := overridesOf(t, desk); len(list) != 0 {
		t.Errorf("undone: %+v", list)
	}
	for id := range int64(2) {
		status(t, desk, id+1, review.Pending)
	}
	s.onCause("on a.gob.es and www.a.gob.es").keys("l", "l", "A").shows("Redo will be lost").keys("y")
	s.shows("home-page accepted on www.a.gob.es: 1 URL settled")
	s.onCause("on a.gob.es")
	status(t, desk, 1, review.Pending)
	status(t, desk, 2, review.Accepted)
}

// A rule for one of two parameters says that it answers one of two.
func TestOneOfTwoParameters(t *testing.T) {
	for _, test := range []struct{ key, verb, written string }{
		{"K", "keep", "0 URLs settled, 1 URL in part (1 of 2"}, {"D", "drop", "1 URL changed, 1 URL in part (1 of 2"},
	} {
		desk := newDesk(t, review.Found{URL: "https://sede.ejemplo.gob.es/tramites/alta-de-uno?plaza=1&origen=web"})
		openScreen(t, desk, 80, 24).shows("param plaza,origen")
		s := openAsking(t, desk, 80, 24, "2").onCause("origen, plaza on sede.ejemplo.gob.es").keys("l", "l", test.key)
		s.shows(test.verb+" plaza on sede.ejemplo.gob.es", "1 URL settled in part: 1 of 2 answered").keys("y")
		s.shows("on sede.ejemplo.gob.es: " + test.written)
		openScreen(t, desk, 80, 24).shows("param origen")
	}
}

func TestCauseIsRejectedWithAReason(t *testing.T) {
	desk := newDesk(t, portal()...)
	s := openAsking(t, desk, 120, 40, "2").onCause("in field portal_url on 3 hosts").keys("R",
		"enter").shows("needs a reason")
	s.keys("type:no procedures there", "enter").shows("reject the 3 URLs: no procedures there",
		"3 URLs decided together", "[Cancel]")
	s.keys("y").shows("rejected: 3 URLs")
	if d := item(t, desk, 6).Decision; d == nil || d.Note != "no procedures there" {
		t.Errorf("%+v", d)
	}
}

func TestNextCauseIsUnderTheCursor(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40, "2").onCause("on www.sepe.es")
	s.keys("j")
	next, _ := s.model.causes.pane.Current()
	s.keys("k", "A").shows("home-page accepted on www.sepe.es: 1 URL settled (u takes it back)")
	if here, _ := s.model.causes.pane.Current(); !here.Same(next) {
		t.Errorf("the cursor is on %s, not on %s", here, next)
	}
}

func TestCauseThatOthersHaveSettled(t *testing.T) {
	mine, theirs := two(t)
	s := openScreen(t, mine, 120, 40, "2").onCause("on www.sepe.es")
	settle := func() {
		c, _ := s.model.causes.pane.Current()
		if _, err := theirs.DecideAll(t.Context(), review.Choice{Kind: review.Defer}, c.Filter()); err != nil {
			t.Fatal(err)
		}
	}
	settle()
	s.keys("A").shows("others have settled it")
	if n := len(overridesOf(t, mine)); n != 0 {
		t.Errorf("%d overrides saved", n)
	}
}

func TestSuggestionSaysWhy(t *testing.T) {
	var found []review.Found
	for _, host := range []string{"www.ine.es", "www.boe.es", "www.senado.es"} {
		found = append(found, review.Found{URL: "https://" + host,
			Place: intake.Place{File: "r.yaml", Field: "portal_url"}})
	}
	s := openScreen(t, newDesk(t, found...), 80, 24, "2").onCause("in field portal_url on 3 hosts")
	s.shows(" A  accept home-page in field portal_url", "suggested: 3 of the 3 URLs in portal_url are such pages")
	openScreen(t, newDesk(t), 160, 48, "2").shows(" K  keep plaza on sede.ejemplo.gob.es").lacks("suggested")
}

func TestCauseFormIsPrefilled(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 40,
		"2").onCause("on web.gencat.cat").keys("o").shows("Override for web.gencat.cat", "/ca/", "/es/")
	s.keys("esc", "g", "l").shows("/tramites/cita-previa").keys("o").shows("path prefix          /tramites/cita-previa")
}

// A narrowed cause is settled below its path alone.
func TestNarrowedCause(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "2", "l").shows("plaza on sede.ejemplo.gob.es/tramites/cita-previa",
		"settles all 2 URLs")
	s.keys("D").shows("plaza dropped on sede.ejemplo.gob.es/tramites/cita-previa: 2 URLs settled")
	want := canon.Match{Host: "sede.ejemplo.gob.es", PathPrefix: "/tramites/cita-previa"}
	if list := overridesOf(t, desk); len(list) != 1 || list[0].Override.Match != want {
		t.Errorf("%+v", list)
	}
}

// groupingDesk counts how often the causes are read. What it mines is no change of its store.
type groupingDesk struct {
	Desk
	read  int
	wait  func()
	mined *review.Mined
}

func (d *groupingDesk) Mined(context.Context) (*review.Mined, error) { return d.mined, nil }

func (d *groupingDesk) KeepMined(_ context.Context, m review.Mined) error {
	d.mined = &m
	return nil
}

func (d *groupingDesk) Groups(ctx context.Context, f review.Filter, fn func(review.Group) error) error {
	d.read++
	if d.wait != nil {
		d.wait()
	}
	return d.Desk.Groups(ctx, f, fn)
}

// The causes are read again only after somebody has written.
func TestCausesAreReadOnceForEachVersion(t *testing.T) {
	mine, theirs := two(t)
	desk := &groupingDesk{Desk: mine}
	s := openScreen(t, desk, 80, 24)
	for _, step := range []struct {
		do   func()
		want int
	}{
		{func() { s.keys("2", "1", "2", "3", "2") }, 1},
		{func() { s.keys("1", "a", "2", "1", "2") }, 2},
		{func() { decideAs(t, theirs, review.Approve, 2); s.keys("1", "2", "1", "2") }, 3},
	} {
		if step.do(); desk.read != step.want {
			t.Errorf("read %d times, not %d", desk.read, step.want)
		}
	}
}

// Consoles of one process share the causes: the second one shows those of the first for a while after somebody else
// has written, and then the latest. Its own decisions are in them at once.
func TestCausesAreShared(t *testing.T) {
	mine, theirs := two(t)
	desk := &groupingDesk{Desk: mine}
	opts := Options{Surveys: &Surveys{}}
	first := openScreenWith(t, desk, opts, 120, 24)
	both := []*screen{first}
	desk.wait = func() {
		for _, s := range both {
			s.now = s.now.Add(time.Second)
		}
	}
	decideAs(t, theirs, review.Approve, 1)
	first.keys("2").shows("home-page")
	second := openScreenWith(t, desk, opts, 120, 24)
	both = append(both, second)
	read := desk.read
	release, waits := second.hold()
	second.now = first.now
	if second.keys("2").shows("home-page"); desk.read != read || len(*waits) > 0 {
		t.Errorf("read %d times more; waits for %v", desk.read-read, *waits)
	}
	second.keys("1")
	decideAs(t, theirs, review.Approve, 2)
	want := []time.Duration{6 * time.Second} // a second goes on with each key
	if second.keys("2"); desk.read != read || !slices.Equal(*waits, want) {
		t.Errorf("read %d times more; waits for %v, not %v", desk.read-read, *waits, want)
	}
	second.now = second.now.Add(want[0])
	if release(); desk.read != read+1 {
		t.Errorf("read %d times more after that", desk.read-read)
	}
	if second.keys("1", "j", "a", "2"); desk.read != read+2 {
		t.Errorf("read %d times more after a decision of this console", desk.read-read)
	}
}

// classDesk is a desk with n URLs of one cause, each of a record of its own.
func classDesk(t *testing.T, n int) *review.Desk {
	var found []review.Found
	for i := range n {
		r := &intake.Record{Path: fmt.Sprintf("/%d", i), ID: fmt.Sprintf("town-%02d", i)}
		found = append(found, review.Found{URL: fmt.Sprintf("https://www.sepe.es/t/p%02d?plaza=1&utm_source=x", i),
			Record: r, Title: fmt.Sprintf("Page %02d", i),
			Place: intake.Place{File: "towns.yaml", Field: "portal_url", Path: r.Path + "/portal_url"}})
	}
	return newDesk(t, found...)
}

// All URLs of a class can be read beside the list and on the whole screen, before and after.
func TestUrlsOfACauseAreReadWhole(t *testing.T) {
	const n = 250 // more than one page of the store
	s := openScreen(t, classDesk(t, n), 80, 24, "2")
	s.shows("settles 150 of 250; 100 also have", "1 to ", ". , scroll", "t/p00?plaza=1").lacks("p249")
	for _, keys := range [][]string{nil, {"tab", "g"}} {
		s.keys(keys...)
		seen := map[int]bool{}
		for range n {
			for i := range n {
				if strings.Contains(s.text(), fmt.Sprintf("/p%02d?plaza=1", i)) {
					seen[i] = true
				}
			}
			if strings.Contains(s.keys(".").text(), "these are the last") {
				break
			}
		}
		if len(seen) != n {
			t.Errorf("%q: %d of %d URLs were on the screen", keys, len(seen), n)
		}
	}
	s.shows("~ https://www.sepe.es/t/p249?plaza=1[-&utm_source=x-]", "“Page 249”  town-249 (portal_url)")
	s.keys("g").shows("1 to ", "/p00?").keys("j").lacks("/p00?").keys("G", "k", "esc").shows("▌      250")
}

// While the URLs have the whole screen a fix goes on to those of the next cause.
func TestFixOnTheWholeScreen(t *testing.T) {
	s := openScreen(t, newDesk(t), 80, 24, "2", "tab", "D")
	if s.model.dialog != nil {
		s.keys("y")
	}
	s.shows("tab brings the list back", "origen on sede.ejemplo.gob.es")
}

// After a fix the cursor is on the best row that it has not passed: also on one that the fix made better.
func TestBestCauseIsUnderTheCursor(t *testing.T) {
	portal := func(urls ...string) (found []review.Found) {
		for _, u := range urls {
			found = append(found, review.Found{URL: u, Place: intake.Place{File: "r.yaml", Field: "portal_url"}})
		}
		return found
	}
	s := openScreen(t, newDesk(t, append(portal("https://www.uno.example", "https://www.dos.example",
		"https://www.tres.example", "https://www.ine.es", "https://www.boe.es:8443"),
		review.Found{URL: "https://sede.ejemplo.gob.es/tramites/alta-padron?plaza=1"})...), 120, 40, "2")
	for _, c := range s.model.causes.pane.Chosen() {
		if c.Flag != canon.HomePage || c.N != 5 || c.Sole != 1 {
			t.Fatalf("first is %s: %d, %d alone", c, c.N, c.Sole)
		}
	}
	s.keys("A")
	if c, _ := s.model.causes.pane.Current(); c.Flag != canon.OffAllowlist || c.Sole != 3 {
		t.Errorf("the cursor is on %s with %d alone", c, c.Sole)
	}
}

// A key that was meant for the row before settles nothing of the row that came under the cursor in its place.
func TestAKeyTooEarlyForACause(t *testing.T) {
	desk := newDesk(t)
	s := openScreen(t, desk, 120, 40, "2", "D")
	before, err := desk.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	next, _ := keyPress("K")
	s.send(next)
	s.shows("! K came too early for this row: press it again").keys("R").shows("╭─ Reject 1 URL ")
	if after, _ := desk.Version(t.Context()); after != before {
		t.Error("another cause was settled")
	}
}

// suggesting returns URLs with a suggested rule.
func suggesting() (found []review.Found) {
	for _, page := range []string{"alta-padron", "cita-previa", "pago-tasas"} {
		url := "https://sede.ejemplo.gob.es/tramites/" + page
		found = append(found, review.Found{URL: url + "?plaza=1",
			Evidence: &canon.Evidence{Status: 200, Hops: []canon.Hop{{Status: 301, URL: url}}}})
	}
	return append(found, review.Found{URL: "https://sede.ejemplo.gob.es/tramites/becas-libros?plaza=2"})
}

// TestSuggestions takes a suggested rule and takes it back, and dismisses it.
func TestSuggestions(t *testing.T) {
	desk := newDesk(t, suggesting()...)
	s := openScreen(t, desk, 200, 40, "2").shows("* suggested rule", "+3")
	s.onCause("drop plaza on sede.ejemplo.gob.es/tramites")
	s.shows("1 to 3 of 3 pairs", "+ https://sede.ejemplo.gob.es/tramites/alta-padron?plaza=1", "3 redirects lead there")
	s.keys("tab").shows("tab brings the list back", "redirect").keys("tab")
	s.keys("p").shows("there is no network to ask here")
	s.keys("t").shows("rule written: drop plaza on sede.ejemplo.gob.es/tramites: 1 URL settled").lacks("suggested rule")
	if list := overridesOf(t, desk); len(list) != 1 || list[0].Override.Match.PathPrefix != "/tramites" {
		t.Errorf("%+v", list)
	}
	s.keys("u").shows("* suggested rule")
	s.onCause("drop plaza on sede.ejemplo.gob.es/tramites")
	s.keys("x").shows("dismissed: drop plaza", "(u takes it back)").lacks("suggested rule")
}

// Among very many URLs the console looks for no suggestions itself, and says who does. It shows the last ones.
func TestManyAreNotMined(t *testing.T) {
	desk := newDesk(t, suggesting()...)
	s := openScreen(t, desk, 200, 40)
	many := func() { s.model.queue.totals.Items = suggest.MaxUnasked + 1 }
	many()
	s.keys("2").shows("no rules are looked for among 100001 URLs here: visto suggest does").lacks("suggested rule")
	_, err := suggest.List(t.Context(), desk, nil)
	last, errLast := desk.Mined(t.Context())
	if err := errors.Join(err, errLast); err != nil {
		t.Fatal(err)
	}
	const rule = "drop plaza on sede.ejemplo.gob.es/tramites"
	s.keys("1")
	many()
	s.now = last.At
	s.keys("2").shows("* suggested rule").onCause(rule).shows("mined less than a minute ago, no change since")
	s.keys("1", "d", "1")
	many()
	s.now = last.At.Add(3 * time.Hour)
	s.keys("2").onCause(rule).shows("mined 3 hours ago, 1 change since")
}

// keepingDesk counts the results of mining that are stored.
type keepingDesk struct {
	Desk
	kept int
}

func (d *keepingDesk) KeepMined(ctx context.Context, m review.Mined) error {
	d.kept++
	return d.Desk.KeepMined(ctx, m)
}

// The rules are mined once for each state of the store, and the rows come by themselves.
func TestMiningIsOnceForEachChange(t *testing.T) {
	desk := &keepingDesk{Desk: newDesk(t, suggesting()...)}
	s := openScreen(t, desk, 200, 40)
	for i, keys := range [][]string{{"2", "1", "2", "2"}, {"1", "d", "2", "1", "2"}} {
		if s.keys(keys...).shows("* suggested rule"); desk.kept != i+1 {
			t.Errorf("after %q it was mined %d times", keys, desk.kept)
		}
	}
}

// TestUndoOfADismissal brings a dismissed suggestion back, after the decision that followed it.
func TestUndoOfADismissal(t *testing.T) {
	s := openScreen(t, newDesk(t, suggesting()...), 200, 40, "2").onCause("drop plaza on sede.ejemplo.gob.es/tramites")
	s.keys("x").lacks("suggested rule").keys("A").shows("1 URL settled")
	s.keys("u").shows("took back: ").lacks("suggested rule")
	s.keys("u").shows("took back: dismissed: drop plaza", "* suggested rule")
	s.keys("u").shows("there is nothing to take back")
}

// Spec 6: one rule for all hosts drops the identifiers of advertising, and no rule keeps them there.
func TestAdvertisingIsOneRow(t *testing.T) {
	var found []review.Found
	for i, query := range []string{"gbraid=1", "msclkid=1", "gbraid=2&msclkid=2"} {
		found = append(found, review.Found{URL: fmt.Sprintf("https://h%d.ejemplo.gob.es/a/b/ficha-1?%s", i, query)})
	}
	desk := newDesk(t, found...)
	s := openAsking(t, desk, 160, 48, "2").onCause("of advertising on 3 hosts: gbraid, msclkid")
	s.shows("settles all 3 URLs", "D  drop gbraid, msclkid on all hosts", "Google Ads", "only gbraid 2  msclkid 2")
	s.keys("K").shows("a rule for all hosts can only drop these: D writes it").keys("o").shows("Override for *")
	s.keys("esc", "D").shows("drop gbraid, msclkid on all hosts").keys("y").shows("on all hosts: 3 URLs settled")
	rules := overridesOf(t, desk)
	if len(rules) != 1 || rules[0].Override.Match != (canon.Match{Host: "*"}) ||
		!slices.Equal(rules[0].Override.DropQueryParams, []string{"gbraid", "msclkid"}) {
		t.Errorf("%+v", rules)
	}
	s.keys("u").shows("of advertising on 3 hosts")
}

// What a cause is narrowed to stays in view, however long the reach of its rules.
func TestNarrowingStaysInView(t *testing.T) {
	openScreen(t, newDesk(t), 80, 24, "2", "l").shows("every later URL on sede.ejemplo.gob.es, under /",
		"only under [/tramites/cita-previa 2]")
}
