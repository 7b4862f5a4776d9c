package review_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"

	_ "modernc.org/sqlite"
)

func TestChain(t *testing.T) {
	info := review.EntryInfo{Seq: 7, At: time.UnixMilli(1_700_000_000_123), Reviewer: "ana", Action: "approve",
		Batch: 3, Summary: "approve"}
	base := review.Entry{EntryInfo: info, Body: []byte("{}")}
	hashes := map[[32]byte]string{base.Chain(): "base"}
	for name, change := range map[string]func(*review.Entry){
		"seq":      func(e *review.Entry) { e.Seq++ },
		"at":       func(e *review.Entry) { e.At = e.At.Add(time.Millisecond) },
		"reviewer": func(e *review.Entry) { e.Reviewer = "anaapprove"; e.Action = "" },
		"action":   func(e *review.Entry) { e.Action = "approve3" },
		"batch":    func(e *review.Entry) { e.Batch++ },
		"run":      func(e *review.Entry) { e.Run = 1 },
		"next run": func(e *review.Entry) { e.Run = 2 },
		"summary":  func(e *review.Entry) { e.Summary = "approve{}"; e.Body = nil },
		"body":     func(e *review.Entry) { e.Body = []byte("[]") },
		"prev":     func(e *review.Entry) { e.Prev[31] = 1 },
	} {
		e := base
		change(&e)
		if other, same := hashes[e.Chain()]; same {
			t.Errorf("%s has the hash of %s", name, other)
		}
		hashes[e.Chain()] = name
	}
	same := base
	same.At, same.Hash = base.At.UTC().Add(time.Microsecond), [32]byte{1}
	if same.Chain() != base.Chain() {
		t.Error("the hash depends on the zone, on less than a millisecond, or on itself")
	}
}

func TestBody(t *testing.T) {
	rule := canon.Override{Match: canon.Match{Host: "a.es"}, DropQueryParams: []string{"p"}}
	decided := []review.ItemDecision{
		{ID: 1, Decision: review.Decision{Kind: review.Approve, Canonical: "https://a.es?x=1&y",
			From: "https://a.es?x=1&y", Note: "sí"}},
		{ID: 2, Decision: review.Decision{Kind: review.Correct, Canonical: "https://b.es"}},
		{ID: 3, Decision: review.Decision{Kind: review.Reject, From: "https://c.es"}},
	}
	clara, err := canon.Builtin("clara")
	if err != nil {
		t.Fatal(err)
	}
	body := review.EntryBody{
		Notes:     []review.ItemNote{{ID: 4, Text: "nota"}},
		Overrides: []review.OverrideChange{{After: &rule}, {Before: &rule}},
		Policy:    review.NewLoggedPolicy(clara),
		Evidence:  []review.ItemEvidence{{ID: 5, Evidence: &canon.Evidence{Title: "x"}}},
		Undo:      6, Redo: 7,
	}
	body.Log(decided)
	e := review.Entry{Body: body.Encode()}
	if !strings.Contains(string(e.Body), `"from":"https://a.es?x=1&y"`) ||
		strings.Count(string(e.Body), "a.es?x=1&y") != 1 {
		t.Errorf("body %s", e.Body)
	}
	b, err := e.Read()
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range b.Decisions {
		if l.Item != decided[i].ID || l.Decision() != decided[i].Decision {
			t.Errorf("decision %+v, want %+v", l.Decision(), decided[i].Decision)
		}
	}
	if len(b.Decisions) != 3 || b.Notes[0] != (review.ItemNote{ID: 4, Text: "nota"}) || b.Undo != 6 ||
		b.Redo != 7 || b.Evidence[0].Evidence.Title != "x" {
		t.Errorf("body %+v", b)
	}
	if !reflect.DeepEqual(b.Overrides, []review.OverrideChange{{After: &rule}, {Before: &rule}}) {
		t.Errorf("rules %+v", b.Overrides)
	}
	if p, err := canon.ParsePolicy(canon.PolicyFile{Name: b.Policy.ID, Data: []byte(b.Policy.YAML)}); err != nil ||
		p.Digest() != b.Policy.Digest {
		t.Errorf("policy %v", err)
	}
	if _, err := (&review.Entry{EntryInfo: review.EntryInfo{Seq: 9}, Body: []byte("{")}).Read(); err == nil ||
		!strings.Contains(err.Error(), "log entry 9") {
		t.Errorf("error %v", err)
	}
}

// Check finds and names every change that the log does not have.
func TestCheckFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for _, test := range []struct{ statement, problem string }{
		{"UPDATE item SET status = 3 WHERE id = 3", "URL 3 is rejected, and by its decision approved"},
		{"UPDATE item SET canonical = 'https://otra.es' WHERE id = 3", "URL 3 is stored as https://otra.es"},
		{"UPDATE item SET flags = flags | 2 WHERE id = 3", "URL 3 is stored as"},
		{"UPDATE item SET notes = 5 WHERE id = 3", "URL 3 has 5 notes, and by the log 0"},
		{"UPDATE item SET batch_id = NULL, status = 0 WHERE id = 1", "URL 1 has not the decision that the log has"},
		{"UPDATE override SET rule = replace(rule, 'plaza', 'otra')",
			"the override for a.ejemplo.gob.es is not the one that the log has"},
		{"DELETE FROM override", "the override for a.ejemplo.gob.es is in the log alone"},
		{"UPDATE batch SET undone_seq = 1, undone_by = 'x' WHERE id = 3", "state"},
	} {
		t.Run(test.statement, func(t *testing.T) {
			d := town(t)
			d.save(rules["drop"])
			d.sound()
			db, err := sql.Open("sqlite", "file:"+d.path+"?_pragma=foreign_keys(0)")
			d.must(err)
			defer db.Close()
			_, err = db.Exec(test.statement)
			d.must(err)
			problems, err := d.Check(t.Context())
			d.must(err)
			if !slices.ContainsFunc(problems,
				func(p review.Problem) bool { return strings.Contains(p.What+": "+p.Text, test.problem) }) {
				t.Errorf("problems %q, want %s", problems, test.problem)
			}
		})
	}
}

// ledger is a simple model of a review: all batches, and whether they are undone.
type ledger struct {
	policy  *canon.Policy
	urls    []string
	batches []*page
	undone  map[string][]*page // by reviewer, the next to redo first
}

type page struct {
	reviewer string
	kind     review.Kind
	urls     []int
	seen     []string // canonical URLs
	drop     bool     // the rule is made, else removed
	rule     bool
	undone   bool
	batch    int64
}

// dropping reports whether the rule is in effect, and the page that set it.
func (l *ledger) dropping() (bool, *page) {
	for _, p := range slices.Backward(l.batches) {
		if p.rule && !p.undone {
			return p.drop, p
		}
	}
	return false, nil
}

func (l *ledger) canonicals() []canon.Result {
	var o *canon.Overrides
	if drop, _ := l.dropping(); drop {
		o, _ = canon.CompileOverrides([]canon.Override{rules["drop"]})
	}
	c := canon.New(l.policy, o)
	list := make([]canon.Result, len(l.urls))
	for i, u := range l.urls {
		list[i] = c.Canonicalize(u, nil)
	}
	return list
}

// states returns the states of desk.states according to the ledger.
func (l *ledger) states() map[string]string {
	all := map[string]string{}
	for i, r := range l.canonicals() {
		it := review.Item{Computed: review.Computed{Canonical: r.Canonical, Verdict: r.Verdict, Flags: r.Codes()}}
		for _, p := range l.batches {
			if n := slices.Index(p.urls, i); n >= 0 && !p.undone {
				it.Decision = &review.Decision{Kind: p.kind, From: p.seen[n], Reviewer: p.reviewer, Batch: p.batch}
				if p.kind == review.Approve {
					it.Decision.Canonical = p.seen[n]
				}
			}
		}
		it.Status, it.Computed.Flags = review.ResolveStatus(it.Computed, it.Link, it.Decision)
		all[l.urls[i]] = state(&it)
	}
	return all
}

func (l *ledger) last(reviewer string) *page {
	for _, p := range slices.Backward(l.batches) {
		if p.reviewer == reviewer && !p.undone {
			return p
		}
	}
	return nil
}

// After random actions of two reviewers the database agrees with the ledger, and its log replays.
func TestRandomReviews(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for seed := range uint64(suite.Rounds(3, 12)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			ana := newDesk(t)
			desks := []*desk{ana, ana.desk("luis")}
			l := &ledger{policy: ana.Policy(), undone: map[string][]*page{}}
			for i := range 6 {
				l.urls = append(l.urls, fmt.Sprintf("https://a.ejemplo.gob.es/tramite/alta-de-padron?plaza=%d", i),
					fmt.Sprintf("https://b.ejemplo.gob.es/x/y/%d?plaza=1", i))
			}
			ana.add(l.urls...)
			for range 40 {
				d := desks[random.IntN(2)]
				switch n := random.IntN(10); {
				case n < 5:
					l.decide(d, random)
				case n < 6:
					l.toggle(d)
				case n < 8:
					l.undo(d)
				default:
					l.redo(d)
				}
				ana.same(l.states())
				if t.Failed() {
					return
				}
			}
			ana.sound()
			if found := ana.replayed(); found != "" {
				t.Error(found)
			}
		})
	}
}

func (l *ledger) write(p *page, batch int64) {
	p.batch = batch
	l.batches = append(l.batches, p)
	l.undone[p.reviewer] = nil
}

func (l *ledger) decide(d *desk, random *rand.Rand) {
	p := &page{reviewer: d.Reviewer(), kind: review.Kind(1 + random.IntN(5))}
	if p.kind == review.Correct {
		p.kind = review.Approve
	}
	now := l.canonicals()
	var targets []review.Target
	for i := range l.urls {
		if random.IntN(3) == 0 {
			p.urls, p.seen = append(p.urls, i), append(p.seen, now[i].Canonical)
			targets = append(targets, review.Target{ID: int64(i + 1)})
		}
	}
	receipt, err := d.Decide(d.Context(), review.Choice{Kind: p.kind}, targets...)
	d.must(err)
	if receipt.Decided != len(targets) {
		d.Errorf("decided %d of %d", receipt.Decided, len(targets))
	}
	if len(targets) > 0 {
		l.write(p, receipt.Batch)
	}
}

func (l *ledger) toggle(d *desk) {
	dropping, _ := l.dropping()
	rule := rules["drop"]
	change := review.OverrideChange{After: &rule}
	if dropping {
		change = review.OverrideChange{Before: &rule}
	}
	receipt, _, err := d.SaveOverrides(d.Context(), []review.OverrideChange{change}, "")
	d.must(err)
	l.write(&page{reviewer: d.Reviewer(), rule: true, drop: !dropping}, receipt.Batch)
}

func (l *ledger) undo(d *desk) {
	p := l.last(d.Reviewer())
	_, _, err := d.Undo(d.Context(), 0)
	if p == nil || p.rule && l.wouldChange(p.drop) {
		if err == nil {
			d.Error("undid a batch that cannot be undone")
		}
		return
	}
	d.must(err)
	p.undone = true
	l.undone[p.reviewer] = append(l.undone[p.reviewer], p)
}

func (l *ledger) redo(d *desk) {
	list := l.undone[d.Reviewer()]
	_, _, err := d.Redo(d.Context())
	if len(list) == 0 || list[len(list)-1].rule && !l.wouldChange(list[len(list)-1].drop) {
		if err == nil {
			d.Error("redid a batch that cannot be redone")
		}
		return
	}
	d.must(err)
	list[len(list)-1].undone = false
	l.undone[d.Reviewer()] = list[:len(list)-1]
}

func (l *ledger) wouldChange(drop bool) bool {
	dropping, _ := l.dropping()
	return dropping != drop
}
