package review_test

import (
	"testing"
	"time"

	"visto/canon"
	"visto/review"
)

// Spec 7: evidence of an earlier program, without the record of how a preferred host was reached, moves nothing new and
// takes nothing back. A new record of the host changes that only once the URL itself is probed again.
func TestEvidenceBeforeTheRecord(t *testing.T) {
	d := newDesk(t)
	const first, second, added = "https://www.c.ejemplo.gob.es/x/y/uno-dos-tres",
		"https://www.c.ejemplo.gob.es/x/y/dos-tres-cuatro", "https://www.c.ejemplo.gob.es/x/y/tres-cuatro-cinco"
	const moved = "https://c.ejemplo.gob.es/x/y/uno-dos-tres"
	old := canon.Evidence{Status: 200, Hosts: canon.Hosts{"c.ejemplo.gob.es": {PreferredHost: "c.ejemplo.gob.es"}}}
	d.add(first, second)
	d.probe(&script{answers: map[string]canon.Evidence{first: old, second: old}}, noon)
	stands := func(when, url, canonical string) {
		t.Helper()
		it := d.item(url)
		if it.Canonical() != canonical || it.Computed.Flags.Has(canon.ChangedSinceApproval) {
			t.Errorf("%s: %s is %s, want %s", when, url, state(&it), canonical)
		}
	}
	stands("as before", first, moved)
	d.decide(review.Approve, first)
	d.add(added)
	stands("a new URL", added, added)

	reached := canon.Reach{By: canon.ByAnswer, URL: "http://c.ejemplo.gob.es/", Status: 200}
	now := old
	now.Answers = map[string]canon.Answer{"https://c.ejemplo.gob.es/x/y/dos-tres-cuatro": {Status: 404}}
	now.Hosts = canon.Hosts{"c.ejemplo.gob.es": {PreferredHost: "c.ejemplo.gob.es", Reached: reached}}
	later := noon.Add(1000 * time.Hour)
	d.probe(&script{answers: map[string]canon.Evidence{second: now}}, later)
	stands("the path is missing there", second, second)
	stands("another URL of the host was probed", first, moved)
	stands("a URL that was never asked", added, added)

	now.Answers = map[string]canon.Answer{moved: {Status: 200}}
	d.probe(&script{answers: map[string]canon.Evidence{first: now}}, later.Add(1000*time.Hour))
	stands("the path was asked there", first, moved)
	now.Answers = map[string]canon.Answer{moved: {Status: 404}}
	d.probe(&script{answers: map[string]canon.Evidence{first: now}}, later.Add(2000*time.Hour))
	if it := d.item(first); !it.Computed.Flags.Has(canon.ChangedSinceApproval) {
		t.Errorf("the path is missing there: %s", state(&it))
	}
	d.sound()
}

// The approval of a URL that was never asked stands too, until the URL itself is probed.
func TestApprovalBeforeTheRecord(t *testing.T) {
	d := newDesk(t)
	const asked, approved, moved = "https://www.c.ejemplo.gob.es/x/y/uno-dos-tres",
		"https://www.c.ejemplo.gob.es/x/y/dos-tres-cuatro", "https://c.ejemplo.gob.es/x/y/dos-tres-cuatro"
	host := canon.HostEvidence{PreferredHost: "c.ejemplo.gob.es", Reached: canon.Reach{By: canon.ByRedirect,
		URL: "https://c.ejemplo.gob.es/", Status: 200}}
	d.add(asked, approved)
	probe := func(url string, at time.Time, answers map[string]canon.Answer) {
		ev := canon.Evidence{Status: 200, Hosts: canon.Hosts{"c.ejemplo.gob.es": host}, Answers: answers}
		d.probe(&script{answers: map[string]canon.Evidence{url: ev}}, at)
	}
	stands := func(when string, changed bool) {
		t.Helper()
		it := d.item(approved)
		if it.Canonical() != moved || it.Computed.Flags.Has(canon.ChangedSinceApproval) != changed {
			t.Errorf("%s: %s is %s", when, approved, state(&it))
		}
	}
	probe(asked, noon, nil)
	d.decide(review.Approve, approved)
	stands("approved where the host leads", false)
	host.Reached = canon.Reach{By: canon.ByAnswer, URL: "https://c.ejemplo.gob.es/", Status: 200}
	probe(asked, noon.Add(1000*time.Hour), map[string]canon.Answer{})
	stands("the host was probed again for another URL", false)
	it := d.item(approved)
	if det, err := d.Detail(t.Context(), it.ID); err != nil || det.Result.Canonical != moved {
		t.Errorf("the trace does not end at %s: %v, %v", moved, det, err)
	}
	d.sound()
	probe(approved, noon.Add(2000*time.Hour), map[string]canon.Answer{moved: {Status: 404}})
	stands("the path is missing there", true)
	d.sound()
}
