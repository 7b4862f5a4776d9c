package review_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/read"
)

const (
	sharedURL = "http://www.boe.es/buscar/?z=1"
	betterURL = "https://www.boe.es/buscar/act.php?id=BOE-A-2015-10565"
)

// cites adds a URL that the records with these IDs cite, each under portal_url of /r/registry.yaml.
func (d *desk) cites(url string, ids ...string) *review.Item {
	d.Helper()
	var found []review.Found
	for _, id := range ids {
		r := &read.Record{Path: "/sources/" + id, ID: id, Name: "Name of " + id}
		at := read.Place{File: "/r/registry.yaml", Field: "portal_url", Path: r.Path + "/portal_url"}
		found = append(found, review.Found{URL: url, Place: at, Record: r})
	}
	whole := review.Input{File: "/r/registry.yaml", Whole: func() bool { return true }}
	_, err := d.Add(d.Context(), whole, each(found))
	d.must(err)
	it := d.item(url)
	detail, err := d.Detail(d.Context(), it.ID)
	d.must(err)
	return &detail.Item
}

// alone decides for one record of an item.
func (d *desk) alone(it *review.Item, c review.Choice, record string) review.Receipt {
	d.Helper()
	citers := it.Citers(nil)
	i := slices.IndexFunc(citers, func(by review.Citer) bool { return by.Is(record) })
	c.Record = citers[i].Number
	r, err := d.Decide(d.Context(), c, review.Target{ID: it.ID})
	d.must(err)
	return r
}

// Spec 13: "A decision may be for one occurrence where several records cite the URL": the log, an undo, a check and a
// replay know it, and one for all replaces it.
func TestDecideAlone(t *testing.T) {
	d := newDesk(t)
	it := d.cites(sharedURL, "imv", "paro")
	d.alone(it, review.Choice{Kind: review.Correct, Canonical: betterURL}, "imv")
	if got := d.item(sharedURL); got.Status != review.Pending || got.Canonical() == betterURL {
		t.Errorf("one of two: %s, %s", got.Status, got.Canonical())
	}
	d.alone(it, review.Choice{Kind: review.Reject, Note: "gone"}, "Name of paro")
	if got := d.item(sharedURL); got.Status != review.Approved || got.Canonical() != betterURL || got.Open() {
		t.Errorf("both: %s, %s", got.Status, got.Canonical())
	}
	d.proven()
	r, err := d.Decide(d.Context(), review.Choice{Kind: review.Defer}, review.Target{ID: it.ID})
	d.must(err)
	log, err := d.Log(d.Context(), 0, 3)
	d.must(err)
	for i, want := range []string{"in the place of 2 decisions for one record", "for paro: Name of paro alone",
		"for imv: Name of imv alone"} {
		if !strings.HasSuffix(log[i].Summary, want) {
			t.Errorf("log: %q, want %q at its end", log[i].Summary, want)
		}
	}
	_, _, err = d.Undo(d.Context(), r.Batch)
	d.must(err)
	if got := d.item(sharedURL); got.Status != review.Approved {
		t.Errorf("undone: %s", got.Status)
	}
	d.proven()
	d.cites(sharedURL, "imv", "paro", "nuevo")
	if got := d.item(sharedURL); !got.Open() {
		t.Errorf("a new record: %s", got.Status)
	}
	d.cites(sharedURL, "paro")
	if got := d.item(sharedURL); got.Status != review.Rejected {
		t.Errorf("a record went: %s", got.Status)
	}
	d.proven()
	_, err = d.Decide(d.Context(), review.Choice{Kind: review.Defer, Record: it.Citers(nil)[1].Number},
		review.Target{ID: it.ID})
	if err == nil || !strings.Contains(err.Error(), "not cited by that one and by others") {
		t.Errorf("decided for the only record: %v", err)
	}
}

// proven checks the store against its log, and replays it.
func (d *desk) proven() {
	d.Helper()
	d.sound()
	d.replaysSame()
}

// The conflict of a decision says that another one was for one record.
func TestAloneConflict(t *testing.T) {
	d := newDesk(t)
	it := d.cites(sharedURL, "imv", "paro")
	d.alone(it, review.Choice{Kind: review.Reject}, "imv")
	r, err := d.Decide(d.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: it.ID, Rev: it.Rev})
	d.must(err)
	if len(r.Conflicts) != 1 || !strings.Contains(r.Conflicts[0].Error(), "reject for one record alone by ana at") {
		t.Errorf("conflicts: %v", r.Conflicts)
	}
}

// An approval for one record is outdated by rules that give another URL than the reviewer saw.
func TestAloneOutdated(t *testing.T) {
	d := newDesk(t)
	it := d.cites(sharedURL, "imv", "paro")
	d.alone(it, review.Choice{Kind: review.Approve}, "imv")
	d.alone(it, review.Choice{Kind: review.Reject}, "paro")
	d.save(canon.Override{Match: canon.Match{Host: "www.boe.es"}, DropQueryParams: []string{"z"}})
	if got := d.item(sharedURL); got.Status != review.Approved || !got.Open() {
		t.Errorf("under a new rule: %s", got.Status)
	}
	d.proven()
}

// Spec 13, "A decision may be for one occurrence", and 11: rules that change the result of a correction for one record
// open the item again, as they do for one for all, and rules that do not leave it settled. Log, undo, check and replay
// agree.
func TestAloneCorrectionOutdated(t *testing.T) {
	d := newDesk(t)
	it := d.cites(sharedURL, "imv", "paro")
	d.alone(it, review.Choice{Kind: review.Correct, Canonical: correctedElsewhere}, "imv")
	d.alone(it, review.Choice{Kind: review.Reject}, "paro")
	is := func(when string, open bool) {
		t.Helper()
		got := d.item(sharedURL)
		outdated := got.Computed.Flags.Has(canon.ChangedSinceApproval)
		if got.Status != review.Approved || got.Open() != open || outdated != open {
			t.Errorf("%s: %s, open %v, flags %v", when, got.Status, got.Open(), got.Computed.Flags.Codes())
		}
		d.proven()
	}
	is("corrected", false)
	d.save(canon.Override{Match: canon.Match{Host: "sede.seg-social.gob.es"}, DropQueryParams: []string{"other"}})
	is("under a rule for another parameter", false)
	d.save(canon.Override{Match: canon.Match{Field: "portal_url"}, Accept: []string{"home-page"}})
	is("under a rule for a field", false)
	rule := canon.Override{Match: canon.Match{Host: "sede.seg-social.gob.es", PathPrefix: "/cita"},
		DropQueryParams: []string{"id"}}
	change := review.OverrideChange{After: &rule}
	e, err := d.Effect(d.Context(), []review.OverrideChange{change}, nil)
	d.must(err)
	if e.Reopened != 1 || e.Approved != 1 || e.Affected != 1 {
		t.Errorf("the effect has %d opened again, %d approved, %d affected", e.Reopened, e.Approved, e.Affected)
	}
	d.save(rule)
	is("under a rule that changes the corrected URL", true)
	batch, _, err := d.Undo(d.Context(), 0)
	d.must(err)
	is("the rule undone", false)
	_, _, err = d.Redo(d.Context())
	d.must(err)
	is("the rule redone", true)
	if batch.Action != review.ActOverride {
		t.Errorf("undone is %s", batch.Action)
	}
	d.cites(sharedURL, "paro")
	if got := d.item(sharedURL); got.Status != review.Rejected || got.Computed.Flags.Has(canon.ChangedSinceApproval) {
		t.Errorf("the record is gone: %s, %v", got.Status, got.Computed.Flags.Codes())
	}
	d.proven()
	d.cites(sharedURL, "imv", "paro")
	is("the record is back", true)
	d.alone(it, review.Choice{Kind: review.Approve}, "imv")
	is("approved under the rule", false)
	if got := d.item(sharedURL); got.Canonical() != "https://sede.seg-social.gob.es/cita" {
		t.Errorf("approved for the record: %s", got.Canonical())
	}
}

// correctedElsewhere is a URL on another host than sharedURL.
const correctedElsewhere = "https://sede.seg-social.gob.es/cita?id=7"

// Of two corrections of one URL the rules outdate one: the queue has the URL, and the export and lint know which.
func TestAloneCorrectionsOutdated(t *testing.T) {
	d := newDesk(t)
	it := d.cites(sharedURL, "imv", "paro")
	d.alone(it, review.Choice{Kind: review.Correct, Canonical: correctedElsewhere}, "imv")
	d.alone(it, review.Choice{Kind: review.Correct, Canonical: betterURL}, "paro")
	d.save(canon.Override{Match: canon.Match{Host: "sede.seg-social.gob.es"}, DropQueryParams: []string{"id"}})
	if got := d.item(sharedURL); !got.Open() {
		t.Errorf("the URL is %s, and does not wait", got.Status)
	}
	var line struct {
		Flags       []struct{ Code, Detail string }
		Occurrences []struct {
			Record  struct{ ID string }
			Changed bool `json:"changed_since_approval"`
		}
	}
	d.must(json.Unmarshal([]byte(d.export(review.JSONL, review.Filter{})), &line))
	if first, second := line.Occurrences[0], line.Occurrences[1]; !first.Changed || second.Changed {
		t.Errorf("exported: %+v", line)
	}
	codes := []string{}
	for _, f := range line.Flags {
		codes = append(codes, f.Code)
	}
	if !slices.Contains(codes, "changed-since-approval") {
		t.Errorf("the exported flags are %v", codes)
	}
	d.proven()
}

// A check misses a decision for one record that is in the log alone.
func TestAloneAttacked(t *testing.T) {
	d := newDesk(t)
	it := d.cites(sharedURL, "imv", "paro")
	d.alone(it, review.Choice{Kind: review.Reject}, "imv")
	d.attack("DROP TRIGGER decision_no_delete")
	d.attack("DELETE FROM decision")
	problems, err := d.Check(d.Context())
	d.must(err)
	want := review.Problem{What: "state", Text: "URL 1 has not the decision for imv: Name of imv that the log has"}
	if !slices.Contains(problems, want) {
		t.Errorf("problems: %v", problems)
	}
}

// A correction for one record whose URL the rules no longer give is a finding of lint.
func TestAloneUnderRules(t *testing.T) {
	d := newDesk(t)
	it := d.cites(sharedURL, "imv", "paro")
	imv := it.Citers(nil)[0].Number
	d.alone(it, review.Choice{Kind: review.Correct, Canonical: betterURL}, "imv")
	find := func() review.Known {
		t.Helper()
		lookup, err := d.Lookup(d.Context())
		d.must(err)
		k, err := lookup.Find(d.Context(), sharedURL, "portal_url", func(*review.Item) int64 { return imv })
		d.must(err)
		return k
	}
	if k := find(); k.Item.Canonical() != betterURL || k.Result.Codes().Has(canon.ChangedSinceApproval) {
		t.Errorf("corrected: %s, %v", k.Item.Canonical(), k.Result.Flags)
	}
	d.save(canon.Override{Match: canon.Match{Host: "www.boe.es"}, DropQueryParams: []string{"id"}})
	if k := find(); !k.Result.Codes().Has(canon.ChangedSinceApproval) {
		t.Errorf("under a rule that changes the corrected URL: %v", k.Result.Flags)
	}
}

// The JSON of an item's occurrences has the decision of each.
func TestExportAlone(t *testing.T) {
	d := newDesk(t)
	it := d.cites(sharedURL, "imv", "paro")
	d.alone(it, review.Choice{Kind: review.Correct, Canonical: betterURL}, "imv")
	out := d.export(review.JSONL, review.Filter{})
	var line struct {
		Status, Canonical string
		Occurrences       []struct {
			Status, Canonical string
			Alone             bool
			Decision          *struct{ Kind, Reviewer string }
		}
	}
	d.must(json.Unmarshal([]byte(out), &line))
	first, second := line.Occurrences[0], line.Occurrences[1]
	if line.Status != "pending" || first.Status != "approved" || first.Canonical != betterURL || !first.Alone ||
		first.Decision.Kind != "correct" || second.Status != "pending" || second.Alone || second.Decision != nil {
		t.Errorf("%s", out)
	}
	d.alone(it, review.Choice{Kind: review.Reject}, "paro")
	if text := d.export(review.JSONL, review.Filter{}); !strings.Contains(text, `"canonical":"`+betterURL+`"`) ||
		!strings.Contains(text, `"link_type":"informative"`) {
		t.Errorf("the line has not the result of the approved URL: %s", text)
	}
	var cells bytes.Buffer
	_, err := d.Export(d.Context(), &cells,
		review.ExportOptions{Format: review.CSV, Fields: []string{"record_decisions"}})
	d.must(err)
	want := "record_decisions\n\"imv: Name of imv: correct " + betterURL + "\nparo: Name of paro: reject\"\n"
	if cells.String() != want {
		t.Errorf("CSV: %q, want %q", cells.String(), want)
	}
}

// Spec 16: "a says it is fine as it is now", which is no answer to the decisions for single records (spec 13): a
// rejection and a correction for one of them stay, and an approval is for the first record that waits. A record with a
// correction of its own cites another page than the one that was checked.
func TestAloneAcceptsLink(t *testing.T) {
	d := newDesk(t)
	it := d.cites(alta, "imv", "paro", "viuda", "beca")
	_, err := d.Decide(d.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: it.ID})
	d.must(err)
	d.alone(it, review.Choice{Kind: review.Reject, Note: "gone"}, "paro")
	d.alone(it, review.Choice{Kind: review.Correct, Canonical: betterURL}, "viuda")
	is := func(when, want string) {
		t.Helper()
		got, by := d.item(alta), []string{}
		for _, r := range got.ByRecord {
			own := got.For(r.Record)
			text := own.Status.String()
			if r.Decision != nil {
				text += " alone"
			}
			if own.Open() {
				text += " open"
			}
			by = append(by, text)
		}
		if text := fmt.Sprintf("%s: %s", strings.Join(by, ", "), got.LinkState()); text != want {
			t.Errorf("%s: %s\nwant %s", when, text, want)
		}
		n, err := d.Count(d.Context(), review.Filter{LinkStates: []health.State{got.LinkState()}})
		if n != 1 || err != nil {
			t.Errorf("%s: %d are %s for the store, %v", when, n, got.LinkState(), err)
		}
	}
	at := noon
	check := func(status int) {
		t.Helper()
		at = at.Add(24 * time.Hour)
		report := probe.Report{Target: probe.Target{URL: alta}, Evidence: &canon.Evidence{Status: status}}
		_, err := d.KeepCheck(d.Context(), it.ID, report, at)
		d.must(err)
	}
	approve := func(want int) {
		t.Helper()
		e, _, err := d.DecisionEffect(d.Context(), review.Choice{Kind: review.Approve}, nil, review.Filter{Open: true})
		d.must(err)
		before := d.item(alta)
		_, err = d.DecideAll(d.Context(), review.Choice{Kind: review.Approve}, review.Filter{Open: true})
		d.must(err)
		after := d.item(alta)
		if settled := before.Open() && !after.Open(); e.Settled != want || settled != (want == 1) {
			t.Errorf("the effect settles %d, it did: %v", e.Settled, settled)
		}
	}
	const rest = "rejected alone, approved alone, "
	check(200)
	is("checked", "approved, "+rest+"approved: active")
	check(410)
	is("gone", "approved open, "+rest+"approved open: inactive")
	approve(0)
	is("accepted for one", "approved alone, "+rest+"approved open: inactive")
	approve(1)
	is("accepted for both", "approved alone, "+rest+"approved alone: inactive")
	check(200)
	is("back", "approved alone open, "+rest+"approved alone: inactive")
	d.proven()
	_, _, err = d.Undo(d.Context(), 0)
	d.must(err)
	is("undone", "approved alone open, "+rest+"approved open: inactive")
	approve(0)
	approve(1)
	is("ended", "approved alone, "+rest+"approved alone: active")
	d.cites(alta, "viuda", "paro")
	check(410)
	if got := d.item(alta); got.Open() {
		t.Errorf("no record cites the page, and it waits: %v", got.Computed.Flags.Codes())
	}
	d.proven()
}

// An approval for one record alone of the URL as it stands settles the item itself for no other record.
func TestApproveOriginalAlone(t *testing.T) {
	d := newDesk(t)
	it := d.cites(odd, "imv", "paro")
	d.alone(it, review.Choice{Kind: review.Approve}, "imv")
	if got := d.item(odd); got.Decision != nil || got.Status != review.Pending {
		t.Errorf("%s, %+v", got.Status, got.Decision)
	}
	d.proven()
}

// Spec 13: the shortest tail of the path that tells files apart.
func TestCitersOfFiles(t *testing.T) {
	it := review.Item{Occurrences: []review.Occurrence{{File: "/d1/x/portal/list.txt", Citer: 1},
		{File: "/d2/x/portal/list.txt", Citer: 2}, {File: "/d2/x/portal/other.txt", Citer: 3}}}
	var names []string
	for _, by := range it.Citers(nil) {
		names = append(names, by.Name)
	}
	if got := strings.Join(names, " "); got != "d1/x/portal/list.txt d2/x/portal/list.txt other.txt" {
		t.Error(got)
	}
}
