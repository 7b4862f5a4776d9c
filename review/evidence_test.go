package review_test

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"visto/canon"
	"visto/review"
)

// A report with the evidence that its URL had before is news if it contradicts the evidence of the host.
func TestProbeReportsHostAgain(t *testing.T) {
	d := newDesk(t)
	other := alta + "?id=2"
	d.add(alta, other)
	answers := map[string]canon.Evidence{alta: {Status: 200, HTTPS: yes()}, other: {Status: 200, HTTPS: no()}}
	d.probe(&script{answers: answers}, noon)
	if it := d.item("1"); !it.Computed.Flags.Has(canon.HTTPOnly) {
		t.Errorf("item %s", state(&it))
	}
	for _, l := range d.probe(&script{answers: answers}, noon.AddDate(0, 0, 1)) {
		if l.After.ID == 1 && l.After.Computed.Flags.Has(canon.HTTPOnly) {
			t.Errorf("item %s", state(&l.After))
		}
	}
	d.sound()
}

// A job fetches the URL as it came: the steps after the redirects are for the URL at their end.
func TestProbeJobsKeepLaterSteps(t *testing.T) {
	d := newDesk(t)
	urls := []string{alta + "?page=2", "https://a.ejemplo.gob.es/viejo/x"}
	d.add(urls...)
	d.save(canon.Override{Match: canon.Match{Host: "a.ejemplo.gob.es"}, RewriteRules: []canon.Rewrite{
		{FromPrefix: "https://a.ejemplo.gob.es/viejo", ToPrefix: "https://a.ejemplo.gob.es/nuevo"}}})
	for i, j := range d.jobs(review.Filter{}) {
		if it := d.item(urls[i]); j.URL != urls[i] || it.Computed.Canonical == urls[i] {
			t.Errorf("job %s of %s", j.URL, state(&it))
		}
	}
}

// Run ends with the error of done. The report before it is stored.
func TestProbeDoneFails(t *testing.T) {
	d := newDesk(t)
	d.add(alta, alta+"?id=2")
	answers := map[string]canon.Evidence{alta: {Status: 200}, alta + "?id=2": {Status: 200}}
	s, enough := &script{answers: answers}, errors.New("enough")
	err := d.probeUntil(t.Context(), s, noon, func(review.ProbeResult) error { return enough })
	if !errors.Is(err, enough) || !slices.Equal(s.fetched, []string{alta}) {
		t.Errorf("fetched %q, error %v", s.fetched, err)
	}
	d.sound()
}

// An answer is a few words. A title of the evidence stands in for that of the input.
func TestAnswers(t *testing.T) {
	moved := []canon.Hop{{Status: 301, URL: alta}}
	for want, ev := range map[string]*canon.Evidence{
		"nothing is known":          nil,
		"robots.txt forbids asking": {Robots: "blocked", Error: "robots"},
		"timeout":                   {Error: "timeout", Status: 200},
		"404 at " + alta:            {Hops: moved, FinalURL: alta, Status: 404},
		"301":                       {Hops: moved, Status: 301},
		"200":                       {FinalURL: alta, Status: 200},
	} {
		if got := review.Answer(ev); got != want {
			t.Errorf("%+v: %s, not %s", ev, got, want)
		}
	}
	d := newDesk(t)
	d.addFound(review.Found{URL: alta, Title: "a", Evidence: &canon.Evidence{Status: 200}},
		review.Found{URL: alta + "?id=2", Title: "a", Evidence: &canon.Evidence{Title: "b"}})
	if one, two := d.item("1").Title, d.item("2").Title; one != "a" || two != "b" {
		t.Errorf("titles %s, %s", one, two)
	}
}

// A report with the known result and title, or without a title, is stored and changes no revision.
func TestProbeKeepsRevision(t *testing.T) {
	for _, title := range []string{"", "a", "b"} {
		d := newDesk(t)
		d.addFound(review.Found{URL: alta, Title: "a"})
		l := d.probe(&script{answers: map[string]canon.Evidence{alta: {Status: 200, Title: title}}}, noon)[0]
		if (l.After.Rev == l.Before.Rev) != (title != "b") || l.After.Title != cmp.Or(title, "a") {
			t.Errorf("title %q: revision %d, then %d, title %s", title, l.Before.Rev, l.After.Rev, l.After.Title)
		}
		d.sound()
	}
}
