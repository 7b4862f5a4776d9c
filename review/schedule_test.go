package review_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/review/read"
)

// record returns a record with the attributes, pairs of name and value.
func attributed(id string, pairs ...string) *read.Record {
	r := &read.Record{ID: id, Path: "/" + id}
	for i := 0; i < len(pairs); i += 2 {
		r.Attributes = append(r.Attributes, read.Attribute{Name: pairs[i], Values: []string{pairs[i+1]}})
	}
	return r
}

// addIn adds a URL that the records cite.
func (d *desk) addIn(url string, records ...*read.Record) {
	d.Helper()
	_, err := d.Add(d.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for _, r := range records {
			place := read.Place{File: "/registry.yaml", Field: "portal_url", Path: r.Path + "/portal_url"}
			if err := yield(review.Found{URL: url, Place: place, Record: r}); err != nil {
				return err
			}
		}
		return nil
	})
	d.must(err)
}

// due returns the URLs to fetch of the links that are due at a time, and when the next one is.
func (d *desk) due(at time.Time, opt review.DueOptions) (urls []string, next time.Time) {
	d.Helper()
	jobs, next, err := d.DueLinks(d.Context(), review.Filter{}, at, opt)
	d.must(err)
	for _, j := range jobs {
		urls = append(urls, j.URL)
	}
	return urls, next
}

const day = 24 * time.Hour

// Spec 16: "visto probe --due asks what is due: by the record's priority (P0 a day, P1 a week, P2 a month), 1 hour
// after a first failure; access_method: auth_only is not asked."
func TestDueLinks(t *testing.T) {
	d := newDesk(t)
	daily, weekly, monthly := alta+"?id=0", alta+"?id=1", alta+"?id=2"
	login, open := alta+"?id=3", alta+"?id=4"
	d.addIn(daily, attributed("b", "priority", "P2"), attributed("a", "priority", "P0"))
	d.addIn(weekly, attributed("c", "priority", "P1"))
	d.addIn(monthly, attributed("d"))
	d.addIn(login, attributed("e", "priority", "P0", "access_method", "auth_only"))
	d.addIn(open, attributed("e", "priority", "P0", "access_method", "auth_only"), attributed("d"))
	s := &script{answers: map[string]canon.Evidence{}}
	for _, url := range []string{daily, weekly, monthly, open} {
		s.answers[url] = canon.Evidence{Status: 200, HTTPS: yes(), TTLHours: 1}
	}
	expect := func(at time.Time, next time.Duration, want ...string) {
		t.Helper()
		urls, then := d.due(at, review.DueOptions{})
		if !slices.Equal(urls, want) || next > 0 && !then.Equal(noon.Add(next)) || next == 0 && !then.IsZero() {
			t.Errorf("at %s: due %q, next %s", at, urls, then)
		}
	}
	ask := func(at time.Time) {
		t.Helper()
		jobs, _, err := d.DueLinks(t.Context(), review.Filter{}, at, review.DueOptions{})
		d.must(err)
		p := review.NewProbing(d.Desk, s, func() time.Time { return at })
		d.must(p.RunDue(t.Context(), jobs, func(review.ProbeResult) error { return nil }))
	}
	const tomorrow, week, month = 12 * time.Hour, 7*day - 13*time.Hour, 30*day - 13*time.Hour // midnight in Madrid
	expect(noon, 0, daily, weekly, monthly, open)
	ask(noon)
	expect(noon, tomorrow)
	expect(noon.Add(tomorrow-time.Second), tomorrow)
	expect(noon.Add(tomorrow), week, daily, open)
	s.answers[daily] = canon.Evidence{Status: 503}
	ask(noon.Add(tomorrow))
	expect(noon.Add(tomorrow), tomorrow+time.Hour)
	expect(noon.Add(tomorrow+time.Hour), day+11*time.Hour, daily)
	ask(noon.Add(tomorrow + time.Hour))
	expect(noon.Add(tomorrow+2*time.Hour), day+11*time.Hour)
	d.decide(review.Reject, "1", "5")
	expect(noon.Add(6*day), week)
	expect(noon.Add(29*day), month, weekly)
	d.sound()
}

// Links with one URL to fetch share a request, whenever each of them came: else the URL would be asked twice as often.
func TestDueLinksShareRequests(t *testing.T) {
	d := newDesk(t)
	d.add(alta)
	s := &script{answers: map[string]canon.Evidence{alta: {Status: 200, HTTPS: yes()},
		alta + "#top": {Status: 200, HTTPS: yes()}}}
	ask := func(at time.Time) []review.ProbeJob {
		t.Helper()
		jobs, _, err := d.DueLinks(t.Context(), review.Filter{}, at, review.DueOptions{})
		d.must(err)
		p := review.NewProbing(d.Desk, s, func() time.Time { return at })
		d.must(p.RunDue(t.Context(), jobs, func(review.ProbeResult) error { return nil }))
		return jobs
	}
	ask(noon)
	d.add(alta + "#top")
	jobs := ask(noon.Add(10 * day))
	if len(jobs) != 1 || !slices.Equal(jobs[0].IDs, []int64{1, 2}) {
		t.Errorf("jobs %+v", jobs)
	}
	if urls, next := d.due(noon.Add(30*day), review.DueOptions{}); len(urls) > 0 ||
		!next.Equal(noon.Add(40*day-13*time.Hour)) {
		t.Errorf("due %q, next %s", urls, next)
	}
}

// The URL that is asked is the one that is cited. The answer is no evidence about the original of a corrected item.
func TestDueLinksOfCorrectedItems(t *testing.T) {
	d := newDesk(t)
	const old = "https://a.ejemplo.gob.es/tramite/viejo-padron"
	d.add(old)
	d.must(d.correct(review.Correct, old, alta))
	jobs, _, err := d.DueLinks(t.Context(), review.Filter{}, noon, review.DueOptions{})
	d.must(err)
	if len(jobs) != 1 || jobs[0].URL != alta || jobs[0].Target.URL != alta {
		t.Fatalf("jobs %+v", jobs)
	}
	s := &script{answers: map[string]canon.Evidence{alta: {Status: 200, HTTPS: yes()}}}
	p := review.NewProbing(d.Desk, s, func() time.Time { return noon })
	d.must(p.RunDue(t.Context(), jobs, func(review.ProbeResult) error { return nil }))
	record, err := d.LinkRecord(t.Context(), 1)
	d.must(err)
	detail, errDetail := d.Detail(t.Context(), 1)
	d.must(errDetail)
	if record == nil || len(record.Checks) != 1 || detail.Evidence != nil {
		t.Errorf("record %+v, evidence %+v", record, detail.Evidence)
	}
	if urls, next := d.due(noon.Add(day), review.DueOptions{}); len(urls) > 0 ||
		!next.Equal(noon.Add(30*day-13*time.Hour)) {
		t.Errorf("due %q, next %s", urls, next)
	}
	d.sound()
}

// A bounded list has the links that are due longest, and tells that others are due.
func TestDueLinksAreBounded(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.ejemplo.gob.es/tramite/uno", "https://a.ejemplo.gob.es/tramite/dos",
		"https://b.ejemplo.gob.es/tramite/tres", "https://c.ejemplo.gob.es/tramite/cuatro")
	urls, next := d.due(noon, review.DueOptions{PerHost: 1, Limit: 2})
	if !slices.Equal(urls, []string{"https://a.ejemplo.gob.es/tramite/uno", "https://b.ejemplo.gob.es/tramite/tres"}) {
		t.Errorf("due %q", urls)
	}
	if !next.Equal(noon) {
		t.Errorf("the others are due at %s, not now", next)
	}
}

// A job waits while one of its links is postponed, and such links take no place of others.
func TestDueLinksPutOff(t *testing.T) {
	d := newDesk(t)
	d.add(alta, alta+"#top", padron)
	for id, opt := range []review.DueOptions{{}, {Limit: 1}} {
		d.must(d.store().Postpone(t.Context(), review.Postponed{ID: int64(id) + 1, Until: noon.Add(time.Hour)}))
		if urls, next := d.due(noon, opt); !slices.Equal(urls, []string{padron}) || !next.Equal(noon.Add(time.Hour)) {
			t.Errorf("due %q, next %s", urls, next)
		}
	}
}

// Links without a URL to fetch take no place of those that are asked.
func TestDueLinksNeverAsked(t *testing.T) {
	d := newDesk(t)
	const good = "https://a.ejemplo.gob.es/tramite/uno"
	none := []string{"http://192.168.0.1/uno", "http://192.168.0.1/dos", "http://192.168.0.1:8080/tramite"}
	d.add(append(none, good)...)
	d.decide(review.Defer, none...)
	if urls, next := d.due(noon, review.DueOptions{Limit: 1}); !slices.Equal(urls, []string{good}) || !next.IsZero() {
		t.Errorf("due %q, next %s", urls, next)
	}
	urls, _ := d.due(noon, review.DueOptions{PerHost: 1, Private: true})
	if !slices.Equal(urls, []string{none[0], good}) {
		t.Errorf("with private addresses: due %q", urls)
	}
}

// Section 16: "rate_limit_rps of the record is heeded where it is slower", for all URLs of the host.
func TestDueLinksHaveThePaceOfTheSlowestRecord(t *testing.T) {
	d := newDesk(t)
	d.addIn(alta+"?id=1", attributed("a", "rate_limit_rps", "0.2"))
	d.addIn(alta+"?id=2", attributed("b", "rate_limit_rps", "2"), attributed("c", "rate_limit_rps", "fast"))
	jobs, _, err := d.DueLinks(t.Context(), review.Filter{IDs: []int64{1, 2}}, noon, review.DueOptions{})
	d.must(err)
	for _, j := range jobs {
		if j.Target.Delay != 5*time.Second {
			t.Errorf("%s: delay %s", j.URL, j.Target.Delay)
		}
	}
}

// cutShort begins targets, and then ends without a report.
type cutShort struct{ end error }

func (c *cutShort) Run(_ context.Context, targets []probe.Target, _ func(probe.Report) error) error {
	for _, t := range targets {
		if err := t.Log.Begin(context.Background(), t); err != nil {
			return err
		}
	}
	return c.end
}

// A URL whose request was cut short is not asked again for an hour. Without a network nobody was asked.
func TestDueLinksCutShort(t *testing.T) {
	d := newDesk(t)
	d.add(alta, alta+"#top")
	for _, test := range []struct {
		end   error
		after time.Duration
	}{{probe.ErrOffline, 0}, {context.Canceled, time.Hour}} {
		jobs, _, err := d.DueLinks(t.Context(), review.Filter{}, noon, review.DueOptions{})
		d.must(err)
		p := review.NewProbing(d.Desk, &cutShort{test.end}, func() time.Time { return noon })
		if err := p.RunDue(t.Context(), jobs, nil); !errors.Is(err, test.end) {
			t.Errorf("error %v", err)
		}
		if urls, next := d.due(noon.Add(test.after-1), review.DueOptions{}); test.after > 0 &&
			(len(urls) > 0 || !next.Equal(noon.Add(test.after))) {
			t.Errorf("after %v: due %q, next %s", test.end, urls, next)
		}
		if urls, _ := d.due(noon.Add(test.after), review.DueOptions{}); len(urls) != 1 {
			t.Errorf("after %v: due %q", test.end, urls)
		}
	}
}
