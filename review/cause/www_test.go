package cause_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
)

// Spec 10, "one row for one thought": a host with and without www. is one row where both have the flag, and for
// parameters the same ones. A path adds a row only if it has other URLs. Its fix is a rule for each host, in one
// change.
func TestBothHostsAreOneCause(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.gob.es/", "https://www.a.gob.es/", "https://www.a.gob.es/inicio", "https://www2.a.gob.es/",
		"https://a.gob.es/x/lista-de-cosas?uno=1", "https://www.a.gob.es/x/otra-lista-mas?uno=1",
		"https://www.a.gob.es/y/lista-de-cosas?uno=1&dos=2",
		"https://b.gob.es/", "https://www.www.b.gob.es/",
		"https://c.gob.es/z/lista-de-cosas?tres=1", "https://www.c.gob.es/z/otra-lista-mas?tres=1",
		"https://xn--bo-cja.es/y/lista-de-cosas", "https://www.xn--bo-cja.es/y/lista-de-cosas")
	var got []string
	for _, c := range d.causes(review.Filter{}) {
		if c.Kind != cause.ByField {
			got = append(got, fmt.Sprintf("%d %d %d %s", c.N, c.Sole, c.Hosts, c))
		}
	}
	want := []string{
		"3 3 2 home-page on a.gob.es and www.a.gob.es",
		"3 2 2 unknown-param uno on a.gob.es and www.a.gob.es",
		"2 2 2 unknown-param tres on c.gob.es and www.c.gob.es", "2 2 2 unknown-param uno under /x (2 hosts)",
		"2 0 2 off-allowlist on xn--bo-cja.es and www.xn--bo-cja.es",
		"1 1 1 home-page on b.gob.es", "1 1 1 home-page on www.www.b.gob.es", "1 1 1 home-page on www2.a.gob.es",
		"1 0 1 unknown-param dos on www.a.gob.es",
		"1 0 1 suspicious-host on www.xn--bo-cja.es", "1 0 1 suspicious-host on xn--bo-cja.es",
	}
	if !slices.Equal(got, want) {
		t.Errorf("causes\n\t%q\nwant\n\t%q", got, want)
	}
	s := d.study("home-page on a.gob.es and www.a.gob.es")
	if s.Cause.N != 3 || s.Settles != 3 || fmt.Sprint(s.Under) != "[{a.gob.es 1} {www.a.gob.es 2}]" {
		t.Errorf("%+v, to narrow it to %v", s.Cause, s.Under)
	}
	one := s.Cause.Narrow("www.a.gob.es")
	if one.String() != "home-page on www.a.gob.es" || !one.Within(s.Cause) || s.Cause.Within(one) {
		t.Errorf("%s is within %s", one, s.Cause)
	}
	narrow := s.Cause.Narrow("/inicio")
	if narrow.Place() != "a.gob.es/inicio and www.a.gob.es/inicio" || !narrow.Within(s.Cause) {
		t.Errorf("%s is within %s", narrow, s.Cause)
	}
	fix := s.Fixes[0]
	if fix.Title != "accept home-page on a.gob.es and www.a.gob.es" || len(fix.Rules) != 2 {
		t.Errorf("%s: %+v", fix.Title, fix.Rules)
	}
	if slices.ContainsFunc(s.Fixes, func(f cause.Fix) bool { return f.Kind == cause.FixHost }) {
		t.Error("one of two hosts with the flag is cited in the place of the other")
	}
}

// A cause of one host is settled with another one of both hosts.
func TestApproveTogetherOnBothHosts(t *testing.T) {
	both := cause.Cause{Kind: cause.ByHost, Flag: canon.RedirectChanged, Host: "a.es", WWW: true}
	one := cause.Cause{Kind: cause.ByHost, Flag: canon.LinkBroken, Host: "www.a.es"}
	if one.SoleFilter(both).Not.Flags.Has(canon.RedirectChanged) {
		t.Error("the cause of both hosts leaves out those of one")
	}
	if !both.SoleFilter(one).Not.Flags.Has(canon.LinkBroken) {
		t.Error("the cause of one host settles both")
	}
}

// Evidence of one of two hosts recommends nothing for both: they may be two servers.
func TestReasonsForBothHosts(t *testing.T) {
	answers := &canon.Evidence{Status: 200}
	for ev, want := range map[*canon.Evidence]bool{nil: false, answers: true} {
		d := newDesk(t)
		d.addFound(review.Found{URL: "https://a.gob.es:8443/x/lista-de-cosas", Evidence: answers},
			review.Found{URL: "https://www.a.gob.es:8443/x/lista-de-cosas", Evidence: ev})
		fix := d.study("nonstandard-port on a.gob.es and www.a.gob.es").Fixes[0]
		if fix.Kind != cause.FixAccept || fix.Recommended != want {
			t.Errorf("%s: %v, recommended %v", fix.Title, fix.Reasons, fix.Recommended)
		}
	}
}

// Whatever the URLs of some hosts with and without www. are, each flag of each URL counts once under its host, a fix
// settles the URLs of both hosts, and one undo brings them back.
func TestBothHostsOfAnyURLs(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 0))
		d := newDesk(t)
		d.add(anyURLs(r)...)
		before := d.causes(review.Filter{})
		d.countsOnce(before)
		for _, c := range before {
			if !c.WWW {
				continue
			}
			open := len(d.items(review.Filter{Open: true}))
			d.save(c.Fixes()[0].Rules...)
			left := len(d.items(c.Filter()))
			if settled := open - len(d.items(review.Filter{Open: true})); left > 0 || settled < c.Sole {
				t.Errorf("seed %d: %s: %d are left, settled %d of %d", seed, c, left, settled, c.Sole)
			}
			_, _, err := d.Undo(t.Context(), 0)
			d.must(err)
			if now := d.causes(review.Filter{}); !slices.EqualFunc(now, before, equal) {
				t.Fatalf("seed %d: %s: after undo %v, before %v", seed, c, now, before)
			}
		}
	}
}

// anyURLs returns URLs of a few hosts with and without www.
func anyURLs(r *rand.Rand) (urls []string) {
	forms := []string{"https://%s/", "https://%s/inicio?n=%[2]d", "https://%s/t/lista-de-cosas-%d?uno=1",
		"https://%s/t/lista-de-cosas-%d?dos=1&uno=2", "https://%s:8443/t/lista-de-cosas-%d", "https://%s:81/?uno=%d"}
	for i := range 30 {
		host := string(rune('a'+r.IntN(4))) + ".gob.es"
		urls = append(urls, fmt.Sprintf(forms[r.IntN(len(forms))], strings.Repeat("www.", r.IntN(2))+host, i))
	}
	return urls
}

// isOfAllParams reports whether a cause is of all parameters of a host, which are in other causes of the host too.
func isOfAllParams(c cause.Cause, list []cause.Cause) bool {
	return slices.ContainsFunc(list, func(o cause.Cause) bool { return o.Params != c.Params && o.Within(c) })
}

// countsOnce compares the causes of hosts with the flags and the parameters of the open URLs.
func (d *desk) countsOnce(causes []cause.Cause) {
	d.Helper()
	type onHost struct{ host, flag string }
	want, got := map[onHost]int{}, map[onHost]int{}
	bare := func(host string) string { return strings.TrimPrefix(host, "www.") }
	for _, it := range d.items(review.Filter{Open: true}) {
		for _, code := range it.Computed.Flags.Codes() {
			n := 1
			if code == canon.UnknownParam {
				n = len(it.Computed.Unknown)
			}
			want[onHost{bare(it.Computed.Host), code.String()}] += n
		}
	}
	for _, c := range causes {
		if c.Kind == cause.ByHost && !isOfAllParams(c, causes) {
			got[onHost{bare(c.Host), c.Flag.String()}] += c.N * max(1, len(c.Params.List()))
		}
	}
	for key, n := range want {
		if got[key] != n {
			d.Errorf("%v: %d, want %d", key, got[key], n)
		}
	}
}
