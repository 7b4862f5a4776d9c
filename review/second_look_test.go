package review_test

import (
	"fmt"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
)

const (
	strange = "https://www.ejemplo.com/tramite/alta"
	other   = "https://www.ejemplo.com/tramite/baja"
)

// twice returns a policy that asks for two persons.
func (o *office) twice() *canon.Policy {
	o.Helper()
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "two.yaml",
		Data: []byte("second_look: [suspicious-host, off-allowlist, unreachable, home-page]\n")})
	o.must(err)
	return p
}

// pair returns the desks of ana and ben on a store with that policy.
func pair(t *testing.T) (ana, ben *desk) {
	o := newOffice(t)
	d, err := review.Open(t.Context(), o.store(), "ana", o.twice())
	o.must(err)
	ana, ben = &desk{d, o}, o.desk("ben")
	ana.add(strange, other, odd)
	return ana, ben
}

// look describes an item of which two persons may have to approve.
func look(it review.Item) string {
	text := it.Status.String()
	if first := it.FirstLook(); first != nil {
		text += ", 1 of 2 (" + first.Reviewer + ")"
	}
	return text + " " + it.Canonical()
}

func (d *desk) looks(url, want string) {
	d.Helper()
	if got := look(d.item(url)); got != want {
		d.Errorf("%s: %s; want %s", url, got, want)
	}
}

// consistent fails the test unless Check and Replay find the state in the log.
func (d *desk) consistent() {
	d.Helper()
	d.sound()
	if found := d.replayed(); found != "" {
		d.Error(found)
	}
}

func TestSecondLook(t *testing.T) {
	ana, ben := pair(t)
	if r := ana.decide(review.Approve, strange, odd); r.Decided != 2 || r.Waiting != 1 {
		t.Errorf("%+v", r)
	}
	ana.looks(strange, "pending, 1 of 2 (ana) "+strange)
	ana.looks(odd, "approved "+odd)

	r := ana.decide(review.Approve, strange)
	if r.Batch != 0 || len(r.Conflicts) != 1 {
		t.Fatalf("%+v", r)
	}
	const refused = "URL 1 was approved by ana at 2026-11-21 09:00 UTC already: the second approval has to be " +
		"another person's"
	if got := r.Conflicts[0].Error(); got != refused {
		t.Error(got)
	}
	if r := ben.decide(review.Approve, strange); r.Decided != 1 || r.Waiting != 0 {
		t.Errorf("%+v", r)
	}
	ana.looks(strange, "approved "+strange)
	ana.consistent()
	ana.undo() // also of another URL
	ana.looks(strange, "pending, 1 of 2 (ben) "+strange)
	ana.looks(odd, "pending "+odd)
	ana.consistent()
	ana.decide(review.Approve, strange)
	ana.looks(strange, "approved "+strange)
	ana.decide(review.Reject, strange)
	ana.looks(strange, "rejected "+strange)
	ana.consistent()
}

// A URL that two persons approved stays approved when it is approved again, and when that is undone. The new approval
// confirms the approval in force. If both are by one person, it confirms the same batch as that approval.
func TestSecondLookRepeated(t *testing.T) {
	ana, ben := pair(t)
	approve := func(d *desk, confirms int64) int64 {
		t.Helper()
		r := d.decide(review.Approve, strange)
		ana.looks(strange, "approved "+strange)
		if got := ana.item(strange).Decision; r.Waiting > 0 || got.Batch != r.Batch || got.Confirms != confirms {
			t.Errorf("%+v after %+v; want one that confirms batch %d", got, r, confirms)
		}
		ana.consistent()
		return r.Batch
	}
	first := ana.decide(review.Approve, strange).Batch
	second := approve(ben, first)
	approve(ben, first)
	ben.undo()
	ana.looks(strange, "approved "+strange)
	third := approve(ana.desk("cleo"), second)
	fourth := approve(ana, third)
	approve(ana, third)
	shouting := ana.desk("ANA")
	approve(shouting, third)
	for _, d := range []*desk{shouting, ana, ana} {
		d.undo()
	}
	if got := ana.item(strange).Decision; got.Batch != third || got.Confirms != second {
		t.Errorf("%+v after the undo of batch %d", got, fourth)
	}
	_, _, err := ana.Undo(t.Context(), second)
	ana.must(err)
	ana.looks(strange, "pending, 1 of 2 (cleo) "+strange)
	ana.consistent()
}

// An approval for one record alone confirms that for all, and is repeated like it; Check finds one that is not.
func TestSecondLookRepeatedAlone(t *testing.T) {
	ana, ben := pair(t)
	it := ana.cites("https://www.ejemplo.com/tramite/cita", "imv", "paro")
	approve := review.Choice{Kind: review.Approve}
	first := ana.decide(review.Approve, it.Original).Batch
	second := ben.decide(review.Approve, it.Original).Batch
	alone := ben.alone(it, approve, "imv")
	ana.looks(it.Original, "approved "+it.Original)
	again := ana.alone(it, approve, "imv")
	ana.looks(it.Original, "approved "+it.Original)
	for i, want := range []int64{0, first, first, alone.Batch} {
		past, err := ana.store().History(t.Context(), it.ID)
		ana.must(err)
		if got := past[i].Confirms; got != want || alone.Waiting+again.Waiting > 0 {
			t.Errorf("decision %d confirms batch %d, want %d", i, got, want)
		}
	}
	ana.consistent()
	_, _, err := ana.Undo(t.Context(), first)
	ana.must(err)
	ana.looks(it.Original, "pending, 1 of 2 (ben) "+it.Original) // of the other record
	_, _, err = ana.Undo(t.Context(), second)
	ana.must(err)
	ana.consistent()
	own := review.Decision{Kind: review.Approve, Canonical: it.Original, From: it.Original, SecondLook: true,
		Confirms: again.Batch, Record: it.Citers(nil)[1].Number}
	_, err = ana.store().Commit(t.Context(), review.Decide{Reviewer: "ana", Action: review.ActApprove,
		Decisions: []review.ItemDecision{{ID: it.ID, Decision: own}}})
	ana.must(err)
	problems, err := ana.Check(t.Context())
	ana.must(err)
	if len(problems) != 1 || !strings.HasSuffix(problems[0].Text, "was not approved by two persons") {
		t.Errorf("%v", problems)
	}
}

// Approvals of many URLs are repeated alike.
func TestSecondLookRepeatedAtMany(t *testing.T) {
	ana, ben := pair(t)
	ana.decide(review.Approve, strange, other)
	ben.decide(review.Approve, strange)
	all := review.Filter{Hosts: []string{"www.ejemplo.com"}}
	approve := review.Choice{Kind: review.Approve}
	e, targets, err := ana.DecisionEffect(t.Context(), approve, nil, all)
	ana.must(err)
	r, err := ana.DecideAll(t.Context(), approve, all)
	ana.must(err)
	if len(targets) != 1 || e.Waiting+r.Waiting != 0 || e.Again != 1 || e.Approved != 0 || len(r.Conflicts) != 1 {
		t.Errorf("%+v, computed before: %+v", r, e)
	}
	ana.looks(strange, "approved "+strange)
	ana.looks(other, "pending, 1 of 2 (ana) "+other)
	ana.consistent()
}

// A rule that makes the URL another one ends the first look: the approval was not of that URL.
func TestSecondLookAtChangedURL(t *testing.T) {
	ana, ben := pair(t)
	const long = strange + "?plaza=1"
	ana.add(long)
	ana.decide(review.Approve, long)
	ana.looks(long, "pending, 1 of 2 (ana) "+long)
	drop := canon.Override{Match: canon.Match{Host: "www.ejemplo.com"}, DropQueryParams: []string{"plaza"}}
	_, _, err := ana.SaveOverrides(t.Context(), []review.OverrideChange{{After: &drop}}, "")
	ana.must(err)
	ana.looks(long, "pending "+strange)
	ben.decide(review.Approve, long)
	ana.looks(long, "pending, 1 of 2 (ben) "+strange)
	ana.consistent()
}

// A rule that accepts such a flag takes two persons, and so does one that accepts more. A change of the rest of it, and
// its removal, take one.
func TestSecondLookAtRules(t *testing.T) {
	ana, ben := pair(t)
	save := func(d *desk, before, after *canon.Override, want int) {
		t.Helper()
		r, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{{Before: before, After: after}}, "")
		d.must(err)
		if r.Waiting != want {
			t.Errorf("%d rules wait, want %d", r.Waiting, want)
		}
	}
	rule := canon.Override{Match: canon.Match{Host: "www.ejemplo.com"}, Accept: []string{"off-allowlist"}}
	proposed := rule
	proposed.Note = "as Ben wants it" // notes may differ
	save(ana, nil, &proposed, 1)
	save(ben, nil, &rule, 0)
	dropping := rule
	dropping.DropQueryParams = []string{"plaza"}
	save(ana, &rule, &dropping, 0)
	more := dropping
	more.Accept = []string{"home-page", "off-allowlist"}
	save(ana, &dropping, &more, 1)
	moved := dropping
	moved.Match.Host = "*.ejemplo.com"
	save(ana, &dropping, &moved, 2)
	save(ana, &dropping, nil, 0)
	ana.consistent()
}

// A rule takes two persons as soon as the policy of the store says so, whoever changed it.
func TestSecondLookAtRulesUnderNewPolicy(t *testing.T) {
	ana := newDesk(t)
	ana.add(strange)
	ben := ana.desk("ben")
	_, _, err := ana.Recanon(t.Context(), ana.twice())
	ana.must(err)
	rule := canon.Override{Match: canon.Match{Host: "www.ejemplo.com"}, Accept: []string{"off-allowlist"}}
	r, _, err := ben.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, "")
	ana.must(err)
	if r.Waiting != 1 {
		t.Errorf("%+v", r)
	}
}

// An approval from before the policy that asks for two persons is no first one of the two.
func TestSecondLookAtApprovedUnderNewPolicy(t *testing.T) {
	ana := newDesk(t)
	ana.add(strange)
	ana.decide(review.Approve, strange)
	_, _, err := ana.Recanon(t.Context(), ana.twice())
	ana.must(err)
	ana.looks(strange, "approved "+strange)
	if r := ana.desk("ben").decide(review.Approve, strange); r.Waiting != 1 {
		t.Errorf("%+v", r)
	}
	ana.looks(strange, "pending, 1 of 2 (ben) "+strange)
	ana.consistent()
}

// Under a policy that asks for two persons no more, whoever saves a proposed rule ends the proposal.
func TestProposalUnderNewPolicy(t *testing.T) {
	ana, ben := pair(t)
	rule := canon.Override{Match: canon.Match{Host: "www.ejemplo.com"}, Accept: []string{"off-allowlist"}}
	save := func(d *desk, proposals int) {
		t.Helper()
		_, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, "")
		d.must(err)
		list, err := ana.Proposals(t.Context())
		ana.must(err)
		if len(list) != proposals {
			t.Errorf("%d proposals wait, want %d", len(list), proposals)
		}
		ana.consistent()
	}
	save(ana, 1)
	one, err := canon.ParsePolicy(canon.PolicyFile{Name: "one.yaml", Data: []byte("second_look: []\n")})
	ana.must(err)
	_, _, err = ben.Recanon(t.Context(), one)
	ana.must(err)
	for _, d := range []*desk{ben, ana} {
		save(d, 0)
		d.undo()
	}
	list, err := ana.Proposals(t.Context())
	ana.must(err)
	if len(list) != 1 {
		t.Errorf("%d proposals wait after the undo", len(list))
	}
}

// A rule that comes back is that of its author, also where another person has proposed the same one since.
func TestAuthorOfARuleThatComesBack(t *testing.T) {
	ana, ben := pair(t)
	rule := canon.Override{Match: canon.Match{Host: "www.ejemplo.com"}, Accept: []string{"off-allowlist"}}
	save := func(d *desk, before, after *canon.Override) review.Receipt {
		t.Helper()
		r, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{{Before: before, After: after}}, "")
		d.must(err)
		return r
	}
	save(ana, nil, &rule)
	save(ben, nil, &rule)
	removal := save(ana, &rule, nil)
	if r := save(ana, nil, &rule); r.Waiting != 1 {
		t.Fatalf("%+v", r)
	}
	_, _, err := ana.Undo(t.Context(), removal.Batch)
	ana.must(err)
	list, err := ana.Overrides(t.Context())
	ana.must(err)
	if len(list) != 1 || list[0].Reviewer != "ben" {
		t.Errorf("%+v", list)
	}
	ana.consistent()
}

// A correction is an approval of its URL, and lifts no flag of the original: the URL of two is that of both.
func TestSecondLookAtCorrection(t *testing.T) {
	ana, ben := pair(t)
	correct := func(d *desk, url string) review.Receipt {
		t.Helper()
		r, err := d.Decide(t.Context(), review.Choice{Kind: review.Correct, Canonical: url},
			review.Target{ID: d.item(strange).ID})
		d.must(err)
		return r
	}
	correct(ana, fine)
	ana.looks(strange, "pending, 1 of 2 (ana) "+fine)
	if r := ana.decide(review.Approve, strange); len(r.Conflicts) != 1 {
		t.Errorf("%+v", r)
	}
	if r := correct(ana, fine); len(r.Conflicts) != 1 {
		t.Errorf("%+v", r)
	}
	correct(ana, odd)
	ana.looks(strange, "pending, 1 of 2 (ana) "+odd)
	correct(ben, fine)
	ana.looks(strange, "pending, 1 of 2 (ben) "+fine)
	ana.decide(review.Approve, strange)
	ana.looks(strange, "approved "+fine)
	ana.consistent()
	correct(ana, odd)
	ana.looks(strange, "pending, 1 of 2 (ana) "+odd)
	ana.consistent()
}

// Approvals of many URLs are such of each: the reviewer's own are left out.
func TestSecondLookAtMany(t *testing.T) {
	ana, ben := pair(t)
	ana.decide(review.Approve, strange)
	all := review.Filter{Open: true, Hosts: []string{"www.ejemplo.com"}}
	approve := review.Choice{Kind: review.Approve}
	for _, test := range []struct {
		*desk
		want string
	}{
		{ana, "1 decided, 1 waiting, 1 again, settles 0"},
		{ana, "0 decided, 0 waiting, 2 again, settles 0"},
		{ben, "2 decided, 0 waiting, 0 again, settles 2"},
	} {
		e, targets, err := test.DecisionEffect(t.Context(), approve, nil, all)
		test.must(err)
		r, err := test.DecideAll(t.Context(), approve, all)
		test.must(err)
		got := fmt.Sprintf("%d decided, %d waiting, %d again, settles %d", r.Decided, r.Waiting, len(r.Conflicts),
			e.Settled)
		if got != test.want || e.Decided != r.Decided || e.Waiting != r.Waiting || e.Again != len(r.Conflicts) ||
			len(targets) != r.Decided {
			t.Errorf("%s: %s; want %s; computed before: %+v", test.Reviewer(), got, test.want, e)
		}
	}
	ana.looks(strange, "approved "+strange)
	ana.looks(other, "approved "+other)
	ana.consistent()
}

// The approval of a URL as the canonical one of another does not get around a second look.
func TestSecondLookAtCanonical(t *testing.T) {
	ana, ben := pair(t)
	ana.add(strange + "/?utm_source=x")
	ana.decide(review.Approve, strange+"/?utm_source=x")
	ana.looks(strange, "pending "+strange)
	ben.decide(review.Approve, strange+"/?utm_source=x")
	ana.looks(strange, "approved "+strange)
	ana.consistent()
}

// A URL that two persons approved as the canonical one of another stays approved: there is nothing to approve again.
func TestSecondLookAtSettled(t *testing.T) {
	ana, ben := pair(t)
	const of = strange + "/?utm_source=x"
	ana.add(of)
	ana.decide(review.Approve, of)
	ben.decide(review.Approve, of)
	for _, d := range []*desk{ana, ben, ana.desk("cleo")} {
		r := d.decide(review.Approve, strange)
		const refused = "URL 1 was approved by ben at 2026-11-21 09:00 UTC already, as the canonical URL of URL 4"
		if r.Batch != 0 || len(r.Conflicts) != 1 || r.Conflicts[0].Error() != refused {
			t.Errorf("%+v", r)
		}
		ana.looks(strange, "approved "+strange)
	}
	ben.decide(review.Reject, strange)
	ana.looks(strange, "rejected "+strange)
	ana.consistent()
}

// A waiting approval is exported as a waiting one, and check finds a second one by the same person.
func TestSecondLookExported(t *testing.T) {
	ana, ben := pair(t)
	ana.decide(review.Approve, strange)
	line := func() string {
		var out strings.Builder
		_, err := ana.Export(t.Context(), &out, review.ExportOptions{Query: review.Query{
			Filter: review.Filter{IDs: []int64{1}}}, Fields: []string{"status", "decision"}})
		ana.must(err)
		return out.String()
	}
	if got := line(); !strings.HasPrefix(got, `{"status":"pending","decision":{"kind":"approve","reviewer":"ana",`) ||
		!strings.Contains(got, `"second_look":true}`) {
		t.Error(got)
	}
	ben.decide(review.Approve, strange)
	if got := line(); !strings.Contains(got, `"reviewer":"ben"`) || !strings.Contains(got, `"confirms":2}`) {
		t.Error(got)
	}
	_, err := ana.store().Commit(t.Context(), review.Decide{Reviewer: "ana", Action: review.ActApprove,
		Decisions: []review.ItemDecision{{ID: 1, Decision: review.Decision{Kind: review.Approve, Canonical: strange,
			From: strange, SecondLook: true, Confirms: 2}}}})
	ana.must(err)
	problems, err := ana.Check(t.Context())
	ana.must(err)
	if len(problems) != 1 || problems[0].Text != "URL 1 was not approved by two persons" {
		t.Errorf("%v", problems)
	}
}

// The example of two persons who judge 20 of 50 alike in one way and 15 in the other has kappa 0.4.
func TestAgreement(t *testing.T) {
	ana := newDesk(t)
	ben := ana.desk("ben")
	both := func(kind, second review.Kind, from, n int) {
		var urls []string
		for i := range n {
			urls = append(urls, fmt.Sprintf("https://sede.ejemplo.gob.es/a/b/c?z=%d", from+i))
		}
		ana.add(urls...)
		ana.decide(kind, urls...)
		ben.decide(second, urls...)
	}
	both(review.Approve, review.Approve, 0, 20)
	both(review.Approve, review.Reject, 20, 5)
	both(review.Reject, review.Approve, 25, 10)
	both(review.Reject, review.Reject, 35, 15)
	s, err := ana.Stats(t.Context())
	ana.must(err)
	if len(s.Agreements) != 1 || s.Agreements[0].Reviewers != [2]string{"ana", "ben"} {
		t.Fatalf("%+v", s.Agreements)
	}
	for _, a := range append(s.Agreements, s.Agreement) {
		kappa, ok := a.Kappa()
		if got := fmt.Sprintf("%d %.2f %.2f %t", a.N, a.Share(), kappa, ok); got != "50 0.70 0.40 true" {
			t.Error(got)
		}
	}
	const last = "https://sede.ejemplo.gob.es/a/b/c?z=49"
	for _, d := range []*desk{ben, ana} { // one after the other, in the other order too
		_, err := d.Decide(t.Context(), review.Choice{Kind: review.Correct, Canonical: fine + "/" + d.Reviewer()},
			review.Target{ID: d.item(last).ID})
		d.must(err)
	}
	s, err = ana.Stats(t.Context())
	ana.must(err)
	if a := s.Agreements[0]; a.N != 51 || a.Alike != 35 {
		t.Errorf("after two corrections to different URLs: %d of %d alike", a.Alike, a.N)
	}
	ana.desk("Ana").decide(review.Reject, last) // the same person
	s, err = ana.Stats(t.Context())
	ana.must(err)
	if len(s.Agreements) != 1 || s.Agreement.N != 51 {
		t.Errorf("of one person: %+v", s.Agreements)
	}
}

// A flag counts that only the evidence of the original or the URL of the correction raises, and that of the original of
// a correction which one person made before the policy asked for two.
func TestSecondLookAtCorrectedFlags(t *testing.T) {
	ana, _ := pair(t)
	const url = "https://sede.ejemplo.gob.es/a/b/c"
	ana.addFound(review.Found{URL: url, Evidence: &canon.Evidence{Error: "timeout", FetchedAt: "2026-11-01"}})
	correct := func(d *desk, url, to string) review.Receipt {
		t.Helper()
		r, err := d.Decide(t.Context(), review.Choice{Kind: review.Correct, Canonical: to},
			review.Target{ID: d.item(url).ID})
		d.must(err)
		return r
	}
	if r := correct(ana, url, fine); r.Waiting != 1 {
		t.Fatalf("%+v of %v", r, ana.item(url).Computed.Flags.Codes())
	}
	if r := correct(ana, url, fine+"/x"); r.Waiting != 1 {
		t.Errorf("a flag of the evidence: %+v", r)
	}
	if r := correct(ana, odd, home); r.Waiting != 1 {
		t.Errorf("a flag of the URL of the correction: %+v", r)
	}

	one := newDesk(t)
	one.add(strange)
	correct(one, strange, fine)
	one.looks(strange, "approved "+fine)
	_, _, err := one.Recanon(t.Context(), one.twice())
	one.must(err)
	one.looks(strange, "approved "+fine)
	if r := correct(one, strange, fine+"/x"); r.Waiting != 1 {
		t.Errorf("a correction before the policy: %+v", r)
	}
	one.consistent()
}
