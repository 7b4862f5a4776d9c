package health_test

import (
	"slices"
	"testing"

	"visto/canon"
	"visto/review/health"
)

// Spec 16: "A check that matters opens an approved or accepted URL for a person again, with before and after".
func TestExplain(t *testing.T) {
	page := func(title, text string, hops ...string) *health.Page {
		return &health.Page{Title: title, Hops: hops, Sketch: health.SketchOf(title, text)}
	}
	text := "La ayuda es de 400 euros al mes para personas mayores de 52 años"
	for _, tt := range []struct {
		name   string
		checks func(l *link)
		flag   canon.Code
		want   []string
	}{
		{"degraded", func(l *link) {
			l.check(0, 200)
			l.check(day, 500)
			l.check(2*day, 500)
			l.check(3*day, 404)
			l.check(4*day, 429)
		}, canon.LinkBroken, []string{"degraded since 2026-01-08 03:00",
			"3 failures since 2026-01-06 03:00, last: 404", "it answered last at 2026-01-05 03:00"}},
		{"gone from the first check on", func(l *link) { l.check(0, 410) },
			canon.LinkBroken, []string{"inactive since 2026-01-05 03:00: an approval makes it active once it answers",
				"1 failure since 2026-01-05 03:00, last: 410", "it has not answered since the first check"}},
		{"answers again", func(l *link) {
			l.check(0, 410)
			l.check(day, 200)
		}, canon.LinkBroken, []string{
			"inactive since 2026-01-05 03:00, and it answers again: an approval makes it active"}},
		{"another title", func(l *link) {
			l.check(0, 200, page("Ayudas", text))
			l.check(day, 200, page("Trámites", text))
		}, canon.ContentChanged, []string{"accepted: “Ayudas”", "now: “Trámites”", "the words are the same"}},
		{"another amount", func(l *link) {
			l.check(0, 200, page("Ayudas", text))
			l.check(day, 200, page("Ayudas", text[:17]+"50"+text[19:]))
		}, canon.ContentChanged, []string{"the words are the same; amounts, counts or dates of terms differ"}},
		{"another redirect", func(l *link) {
			l.check(0, 200, page("Ayudas", text))
			l.check(day, 200, page("Ayudas", text, "https://a.es/x", "https://b.es/y"))
		}, canon.RedirectChanged, []string{"accepted: no redirect", "now: → https://a.es/x → https://b.es/y"}},
		{"a certificate", func(l *link) {
			l.check(0, 200)
			l.Certificate = start.Add(11 * day)
		}, canon.CertificateExpiring,
			[]string{"the certificate ends at 2026-01-16 03:00, 11 days after the last check"}},
		{"a certificate for one more day", func(l *link) {
			l.check(0, 200)
			l.Certificate = start.Add(day)
		}, canon.CertificateExpiring,
			[]string{"the certificate ends at 2026-01-06 03:00, 1 day after the last check"}},
		{"an ended certificate", func(l *link) {
			l.check(0, 200)
			l.Certificate = start.Add(-hour)
		}, canon.CertificateExpiring, []string{"the certificate ended at 2026-01-05 02:00"}},
		{"another canonical page", func(l *link) {
			l.check(0, 200, &health.Page{Canonical: "https://a.es/otra"})
		}, canon.CanonicalConflict, []string{"the page names https://a.es/otra"}},
		{"a flag of no check", func(l *link) { l.check(0, 200) }, canon.HomePage, nil},
	} {
		var l link
		tt.checks(&l)
		if got := l.Explain(tt.flag); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Answer tells a request without an answer by its error.
func TestAnswer(t *testing.T) {
	for want, c := range map[string]health.Check{
		"404": {Status: 404}, "no answer": {}, "dialling: refused": {Error: "dialling: refused"},
		"200, the body was cut": {Status: 200, Error: "the body was cut"},
	} {
		if got := c.Answer(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
