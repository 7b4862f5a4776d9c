package health_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"testing"
	"time"

	"visto/canon"
	"visto/review/health"
)

// failed returns a link that failed with an error or met a certificate.
func withCheck(id int64, domain string, c health.Check) health.Link {
	var l link
	l.Add(health.Observation{Check: c}, 0, settings)
	return asLink(id, domain, &l.Record)
}

// TestDomainIssues counts trouble of a whole domain once (section 16: more than half of a domain's URLs failing is one
// cause, not many; the link-checking document, auto-flag for review).
func TestDomainIssues(t *testing.T) {
	gone := failing(0, 20)
	ok := check{19, 200, 0}
	expiring := func(id int64, at time.Time, end float64) health.Link {
		ends := start.Add(time.Duration(end * float64(day)))
		return withCheck(id, "a.es", health.Check{At: at, Status: 200, Certificate: ends})
	}
	stray := linkOf(2, "a.es", ok)
	stray.Stray = "evil.com"
	for name, c := range map[string]struct {
		links []health.Link
		want  []string
	}{
		"half of the URLs": {[]health.Link{linkOf(1, "a.es", failing(18, 20)...), linkOf(2, "a.es", ok)},
			[]string{"alert down a.es/p1"}},
		"more than half, and each for the first time": {[]health.Link{linkOf(1, "a.es", failing(20, 20)...),
			linkOf(2, "a.es", failing(20, 20)...), linkOf(3, "a.es", ok)}, []string{"notice domain-failing a.es"}},
		"more than half, one of them often": {[]health.Link{linkOf(1, "a.es", failing(18, 20)...),
			linkOf(2, "a.es", failing(20, 20)...), linkOf(3, "a.es", ok)}, []string{"alert domain-failing a.es"}},
		"one URL alone": {[]health.Link{linkOf(1, "a.es", failing(18, 20)...)}, []string{"alert down a.es/p1"}},
		"dark":          {[]health.Link{linkOf(1, "a.es", gone[5:]...)}, []string{"alert domain-dark a.es"}},
		"not dark yet":  {[]health.Link{linkOf(1, "a.es", gone[7:]...)}, []string{"alert down a.es/p1"}},
		"dark but for 1": {[]health.Link{linkOf(1, "a.es", gone...), linkOf(2, "a.es", ok)},
			[]string{"alert down a.es/p1"}},
		"a certificate that ends": {[]health.Link{expiring(1, at(20), 33), expiring(2, at(20), 33)},
			[]string{"warning certificate-expiring a.es"}},
		"that of one URL": {[]health.Link{expiring(1, at(20), 33), linkOf(2, "a.es", ok)},
			[]string{"warning certificate-expiring a.es/p1"}},
		"one that ends later": {[]health.Link{expiring(1, at(20), 34)}, nil},
		"one that ended": {[]health.Link{expiring(1, at(20), 14)},
			[]string{"warning certificate-expiring a.es/p1"}},
		"7 days ago": {[]health.Link{expiring(1, at(20), 13)},
			[]string{"alert domain-certificate-expired a.es"}},
		"ended, not seen": {[]health.Link{expiring(1, at(12), 13)},
			[]string{"warning certificate-expiring a.es/p1"}},
		"a redirect away": {[]health.Link{linkOf(1, "a.es", ok), stray},
			[]string{"alert off-allowlist-redirect a.es/p2"}},
	} {
		same(t, name, sumUp(20, c.links...).Issues, c.want...)
	}
}

// TestSinceOfDomainIssues has the time since which more than half of a domain's URLs fail, and that since which all of
// them do, whatever the order of the links.
func TestSinceOfDomainIssues(t *testing.T) {
	ok := linkOf(4, "a.es", check{19, 200, 0})
	for name, c := range map[string]struct {
		links []health.Link
		want  float64
	}{
		"more than half": {[]health.Link{linkOf(1, "a.es", failing(19, 20)...), linkOf(2, "a.es", failing(17, 20)...),
			linkOf(3, "a.es", failing(18, 20)...), ok}, 19},
		"dark": {[]health.Link{linkOf(1, "a.es", failing(5, 20)...), linkOf(2, "a.es", failing(3, 20)...)}, 5},
	} {
		issues := sumUp(20, c.links...).Issues
		if len(issues) != 1 || !issues[0].Since.Equal(at(c.want)) {
			t.Errorf("%s: %+v, want one since %v", name, issues, at(c.want))
		}
	}
}

// TestFlagsAreIssues has the flags that no decision accepts as issues: a redirect is an alert, a content for review.
func TestFlagsAreIssues(t *testing.T) {
	l := linkOf(1, "a.es", check{20, 200, 0})
	l.Flags = canon.SetOf(canon.ContentChanged, canon.RedirectChanged, canon.CanonicalConflict)
	s := sumUp(20, l)
	same(t, "issues", s.Issues, "alert redirect-changed a.es/p1", "review content-changed a.es/p1",
		"review canonical-conflict a.es/p1")
	if s.Flags[canon.ContentChanged] != 1 || len(s.Flags) != 3 {
		t.Errorf("flags %v", s.Flags)
	}
}

// TestOldTLS names a server that offers no TLS of version 1.2, by the error of the handshake (the link-checking
// document: protocol minimum).
func TestOldTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"a.es"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	here, there := net.Pipe()
	defer here.Close()
	go func() {
		defer there.Close()
		tls.Server(there, &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11,
			Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}).Handshake()
	}()
	failure := tls.Client(here, &tls.Config{ServerName: "a.es"}).Handshake()
	if failure == nil {
		t.Fatal("the handshake succeeds")
	}
	for text, want := range map[string]string{
		"HTTPS of a.es: " + failure.Error():                                    "notice old-tls a.es/p1",
		"HTTPS of a.es: tls: server selected unsupported protocol version 301": "notice old-tls a.es/p1",
		"[SSL: UNSUPPORTED_PROTOCOL] unsupported protocol (_ssl.c:1006)":       "notice old-tls a.es/p1",
		"HTTPS of a.es: remote error: tls: handshake failure":                  "notice down a.es/p1",
		"a.es does not speak TLS":                                              "notice down a.es/p1",
	} {
		l := withCheck(1, "a.es", health.Check{At: at(20), Outcome: health.Failed, Error: text})
		same(t, text, sumUp(20, l).Issues, want)
	}
}

// TestIssueTexts has the sentences of the link-checking document's report.
func TestIssueTexts(t *testing.T) {
	since := time.Date(2026, 2, 14, 23, 30, 0, 0, time.UTC) // the 15th in Madrid
	now := since.AddDate(0, 0, -2).In(settings.Zone)
	for want, i := range map[string]health.Issue{
		"404 since 2026-02-15. 3 consecutive failures. ALERT.": {Kind: health.Down, Severity: health.Alert, ID: 1,
			Status: 404, Failures: 3, State: health.Degraded},
		"No answer since 2026-02-15: no such host: a.es. 9 consecutive failures. Inactive. ALERT.": {Kind: health.Down,
			Severity: health.Alert, ID: 1, Error: "no such host: a.es", Failures: 9, State: health.Inactive},
		"SSL certificate expires 2026-02-15. Warning.": {Kind: health.CertificateEnds, Severity: health.Warning, ID: 1},
		"Content changed 2026-02-15. Review pending.":  {Kind: health.ContentNew, Severity: health.Review, ID: 1},
		"Redirect changed 2026-02-15. ALERT.":          {Kind: health.RedirectNew, Severity: health.Alert, ID: 1},
		"Slow (>1s) since 2026-02-15.":                 {Kind: health.Slow, ID: 1},
		"More than half of the URLs fail since 2026-02-15, 12 URLs. ALERT.": {Kind: health.DomainFailing,
			Severity: health.Alert, URLs: 12},
		"No URL has answered since 2026-02-15, 1 URL. ALERT.": {Kind: health.DomainDark,
			Severity: health.Alert, URLs: 1},
		"SSL certificate expired 2026-02-15 and not renewed, 2 URLs. ALERT.": {Kind: health.DomainExpired,
			Severity: health.Alert, URLs: 2},
	} {
		i.Since, i.Certificate = since, since
		if got := i.Text(now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestDaysAreThoseOfTheZone counts checks around midnight in Madrid, and on the day when its clocks change.
func TestDaysAreThoseOfTheZone(t *testing.T) {
	madrid := settings.Zone
	now := time.Date(2026, 3, 30, 12, 0, 0, 0, madrid)
	l := link{}
	for _, at := range []time.Time{
		time.Date(2026, 2, 28, 23, 59, 0, 0, madrid), // 30 days ago: not counted
		time.Date(2026, 3, 1, 0, 0, 0, 0, madrid),
		time.Date(2026, 3, 28, 23, 59, 0, 0, madrid),
		time.Date(2026, 3, 29, 0, 1, 0, 0, madrid), // this day has 23 hours
		time.Date(2026, 3, 29, 23, 59, 0, 0, madrid),
		time.Date(2026, 3, 30, 0, 0, 0, 0, madrid),
	} {
		l.Add(health.Observation{Check: health.Check{At: at, Status: 200}}, 0, settings)
	}
	z := health.Summarize(now, now.Add(-7*day), settings)
	z.Add(asLink(1, "a.es", &l.Record))
	var want [health.Days]health.Day
	for day, n := range map[int]int{0: 1, 27: 1, 28: 2, 29: 1} {
		want[day] = health.Day{Checks: n, Answered: n}
	}
	if got := z.Done().Domains[0].Days; got != want {
		t.Errorf("%+v", got)
	}
}

// TestRowsAreBounded keeps all URLs up to MaxRows, and beyond that those with an issue.
func TestRowsAreBounded(t *testing.T) {
	z := health.Summarize(at(20), at(13), settings)
	ok, down := linkOf(1, "a.es", check{20, 200, 0}), linkOf(2, "b.es", failing(20, 20)...)
	for range health.MaxRows - 1 {
		z.Add(ok)
	}
	z.Add(down)
	if n := len(z.Done().Rows); n != health.MaxRows {
		t.Errorf("%d rows of %d", n, health.MaxRows)
	}
	z.Add(ok)
	z.Add(down)
	if n := len(z.Done().Rows); n != 2 {
		t.Errorf("%d rows with an issue", n)
	}
}
