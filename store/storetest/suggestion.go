package storetest

import (
	"fmt"
	"slices"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
)

func (f *fixture) mining() review.Mining {
	f.Helper()
	m, err := f.Mining(f.ctx)
	f.must(err)
	return m
}

// mined stores parts on the state as it is, so that no host is marked any more.
func (f *fixture) mined(parts ...review.MinedPart) {
	f.Helper()
	m := f.mining()
	f.must(f.SaveMined(f.ctx, review.MinedChange{Token: m.Token, Parts: parts, Mined: m.Stale, Body: []byte("done")}))
	f.stale("after mining")
}

// stale wants exactly these hosts to be marked.
func (f *fixture) stale(when string, want ...string) {
	f.Helper()
	var got []string
	for _, h := range f.mining().Stale {
		got = append(got, h.Host)
	}
	equal(f, "stale hosts "+when, got, want)
}

func (f *fixture) parts(kind review.MinedKind, hosts, names []string, want ...string) {
	f.Helper()
	var got []string
	f.must(f.EachMined(f.ctx, kind, hosts, names, func(p review.MinedPart) error {
		got = append(got, fmt.Sprintf("%d %s %q %q", p.Kind, p.Host, p.Name, p.Body))
		return nil
	}))
	equal(f, "parts", got, want)
}

// testMined stores parts, and takes a part of a kind, host and name for the same one.
func testMined(f *fixture) {
	part := func(kind review.MinedKind, host, name, body string) review.MinedPart {
		return review.MinedPart{Kind: kind, Host: host, Name: name, Body: []byte(body)}
	}
	if m := f.mining(); m.Token != 0 || m.Body != nil || m.Stale != nil {
		f.Errorf("a new store has %+v", m)
	}
	f.mined(part(1, "b", "x", "1"), part(1, "a", "y", "\x00\xff"), part(1, "a", "x", "3"), part(2, "a", "x", "4"))
	f.parts(1, nil, nil, `1 a "x" "3"`, `1 a "y" "\x00\xff"`, `1 b "x" "1"`)
	f.mined(part(1, "a", "x", "5"), review.MinedPart{Kind: 1, Host: "b", Name: "x"},
		review.MinedPart{Kind: 1, Host: "c", Name: "x"}, part(1, "c", "", ""))
	f.parts(1, []string{"a", "c"}, nil, `1 a "x" "5"`, `1 a "y" "\x00\xff"`, `1 c "" ""`)
	f.parts(1, nil, []string{"x", "none"}, `1 a "x" "5"`)
	f.parts(1, []string{"a"}, []string{"y"}, `1 a "y" "\x00\xff"`)
	f.parts(2, nil, nil, `2 a "x" "4"`)

	m := f.mining()
	if string(m.Body) != "done" {
		f.Errorf("body %q", m.Body)
	}
	many := []review.MinedPart{part(3, "a", "", "")}
	for i := range 9000 {
		many = append(many, part(3, "h", fmt.Sprint(i), "x"))
	}
	f.must(f.SaveMined(f.ctx, review.MinedChange{Token: m.Token, Reset: true, Parts: many}))
	n := 0
	f.must(f.EachMined(f.ctx, 3, nil, nil, func(review.MinedPart) error { n++; return nil }))
	equal(f, "parts", n, len(many))
	f.parts(1, nil, nil)
	f.wantErr(f.SaveMined(f.ctx, review.MinedChange{Token: m.Token, Body: []byte("late")}), review.ErrStale)
	if m = f.mining(); m.Body != nil {
		f.Errorf("body %q", m.Body)
	}
	own := fmt.Errorf("own")
	f.wantErr(f.EachMined(f.ctx, 3, nil, nil, func(review.MinedPart) error { return own }), own)
}

// testStaleHosts checks that each kind of change marks the hosts of its items, once something was mined.
func testStaleHosts(f *fixture) {
	ids := f.add(flagged("https://a.es/1", canon.HomePage), flagged("https://a.es/2", canon.HomePage),
		flagged("https://b.es/1", canon.HomePage))
	f.stale("before anything was mined")
	f.mined()

	f.add(flagged("https://c.es/1"))
	f.stale("after adding", "c.es")
	f.mined()
	decided := f.decide("ana", review.Approve, ids[0])
	f.stale("after a decision", "a.es")
	f.mined()
	f.undo("ana", decided)
	f.stale("after undoing it", "a.es")
	f.mined()

	ev := &canon.Evidence{Status: 200, SHA256: "1"}
	at := f.mining()
	f.commit(review.AddEvidence{Evidence: []review.ItemEvidence{{ID: ids[2], Evidence: ev}}})
	f.stale("after evidence", "b.es")
	m := f.mining()
	again := &canon.Evidence{Status: 200, SHA256: "2"}
	f.must(f.Refresh(f.ctx, []review.ItemEvidence{{ID: ids[2], Evidence: again}}))
	f.must(f.SaveMined(f.ctx, review.MinedChange{Token: at.Token, Mined: m.Stale, Body: []byte("done")}))
	f.stale("after a change while it was mined", "b.es")
	f.mined()
	f.must(f.Refresh(f.ctx, []review.ItemEvidence{{ID: ids[2], Evidence: again}}))
	f.stale("after a refresh with the same body")
	f.must(f.Refresh(f.ctx, []review.ItemEvidence{{ID: ids[2], Evidence: ev}}))
	f.stale("after a refresh with another body", "b.es")
	f.mined()

	r := &health.Record{}
	check := health.Check{At: time.Unix(1e9, 0), Status: 200, Outcome: health.OutcomeOf(200)}
	r.Add(health.Observation{Check: check, Page: &health.Page{Sketch: health.SketchOf("t", "one text of a page")}}, 0,
		health.Settings{Similarity: health.DefaultThreshold})
	f.must(f.KeepChecks(f.ctx, []review.ItemEvidence{{ID: ids[0], Link: r}}))
	f.stale("after a check", "a.es")
	f.mined()
	f.must(f.KeepChecks(f.ctx, []review.ItemEvidence{{ID: ids[0], Link: r}}))
	f.stale("after a check with the same text")
	f.testStaleMoved(ids)
}

// testStaleMoved moves an item to another host, as a rule does.
func (f *fixture) testStaleMoved(ids []int64) {
	f.Helper()
	moved := flagged("https://d.es/9", canon.HomePage).Computed
	f.commit(review.ChangeRules{Results: f.results(review.Recomputed{ID: ids[0], Computed: moved})})
	f.stale("after another result", "a.es", "d.es")
	f.mined()
}

// testDismissals keeps the last dismissal of each suggestion.
func testDismissals(f *fixture) {
	f.must(f.Dismiss(f.ctx, review.Dismissal{ID: "b", Pages: 3, Reviewer: "ana"}))
	f.must(f.Dismiss(f.ctx, review.Dismissal{ID: "a", Pages: 4, Reviewer: "ana"}))
	f.must(f.Dismiss(f.ctx, review.Dismissal{ID: "b", Pages: 6, Reviewer: "eva"}))
	list, err := f.Dismissals(f.ctx)
	f.must(err)
	if slices.ContainsFunc(list, func(d review.Dismissal) bool { return d.At.IsZero() }) {
		f.Errorf("no time: %+v", list)
	}
	for i := range list {
		list[i].At = list[0].At
	}
	equal(f, "dismissals", list, []review.Dismissal{{ID: "a", Pages: 4, Reviewer: "ana", At: list[0].At},
		{ID: "b", Pages: 6, Reviewer: "eva", At: list[0].At}})
	f.must(f.Undismiss(f.ctx, "b"))
	f.wantErr(f.Undismiss(f.ctx, "b"), review.ErrNotFound)
	list, err = f.Dismissals(f.ctx)
	f.must(err)
	equal(f, "dismissals left", len(list), 1)
}
