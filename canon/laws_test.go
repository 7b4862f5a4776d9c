package canon_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"visto/canon"
	"visto/canon/suite"
)

// laws checks the laws for every URL under a setup. It is for one goroutine.
type laws struct {
	setup
	fast, tracing *canon.Canonicalizer
	thorough      *canon.Canonicalizer // runs every step on every URL
	plain         *canon.Canonicalizer // under rfc3986, with the host of a browser
	some          []*canon.Canonicalizer
	last          canon.Result
	lastText      string
	n             int
}

func newLaws(t testing.TB, s setup) *laws {
	t.Helper()
	l := &laws{setup: s, fast: canon.New(s.policy, s.overrides), tracing: canon.New(s.policy, s.overrides),
		thorough: canon.Thorough(s.policy, s.overrides),
		plain:    canon.New(policyOf(t, "{extends: rfc3986, max_length: 1000000}"), nil)}
	r := rand.New(rand.NewPCG(9, 9))
	for range 16 {
		var ids []string
		for _, step := range canon.Steps() {
			if r.IntN(2) == 0 {
				ids = append(ids, step.ID)
			}
		}
		only, err := l.fast.Only(ids...)
		if err != nil {
			t.Fatal(err)
		}
		l.some = append(l.some, only)
	}
	return l
}

// check checks one URL. Every eighth call also checks the slow laws.
func (l *laws) check(t testing.TB, url string) {
	t.Helper()
	r := l.both(t, url, nil)
	l.checkHost(t, r, l.plain.Canonicalize(url, nil))
	if r.Verdict != canon.Rejected {
		checkFixedPoint(t, l.fast, r)
		checkForm(t, r.Canonical, l.fragments)
		l.checkFlags(t, r)
		if limit := 3*len(url) + 300; len(r.Canonical) > limit {
			t.Errorf("%q grows to %d bytes", url, len(r.Canonical))
		}
	}
	if l.n++; l.n%8 == 0 {
		l.checkMore(t, url, r)
	}
}

// both canonicalizes with and without the trace, and with every step. It checks that the results agree and are
// complete, that the trace replays, and that the previous result did not change.
func (l *laws) both(t testing.TB, url string, ev *canon.Evidence) canon.Result {
	t.Helper()
	r := l.tracing.Explain(url, ev)
	checkTrace(t, r)
	if (r.Verdict == canon.Rejected) != (r.Canonical == "") ||
		(r.Verdict == canon.Rejected) != (r.Reason != canon.NotRejected) ||
		(r.Verdict == canon.Flagged) != (len(r.Flags) > 0) {
		t.Errorf("%q: verdict %v, reason %v, canonical %q, flags %v", url, r.Verdict, r.Reason, r.Canonical, r.Flags)
	}
	plain := l.fast.Canonicalize(url, ev)
	if !reflect.DeepEqual(plain, withoutWords(r)) {
		t.Errorf("%q without the trace:\n%+v\nwith it:\n%+v", url, plain, withoutWords(r))
	}
	if thorough := l.thorough.Canonicalize(url, ev); !reflect.DeepEqual(plain, thorough) {
		t.Errorf("%q with the steps that are due:\n%+v\nwith every step:\n%+v", url, plain, thorough)
	}
	if l.last.Canonical != l.lastText {
		t.Errorf("%q: the result before became %q", url, l.last.Canonical)
	}
	l.last, l.lastText = plain, strings.Clone(plain.Canonical)
	return r
}

// withoutWords returns the result in the form of Canonicalize.
func withoutWords(r canon.Result) canon.Result {
	r.Trace, r.WithoutPasted = nil, ""
	r.Flags = slices.Clone(r.Flags)
	for i := range r.Flags {
		r.Flags[i].Detail = ""
	}
	return r
}

// noSite matches values that only a policy with an allowlist rejects.
var noSite = regexp.MustCompile(`host of one label|e-mail address`)

// checkHost checks that the host is that of a browser, or one to which policy and overrides lead from there. Every
// policy rejects the same URLs, except for the length. For a policy of one site, text without a scheme is a path.
func (l *laws) checkHost(t testing.TB, r, plain canon.Result) {
	t.Helper()
	if l.site != "" && !hasScheme(r.Original) {
		if r.Verdict != canon.Rejected && (r.InHost != l.site || r.Host != l.site) {
			t.Errorf("%q: host %q, in host %q, of the site %q", r.Original, r.Host, r.InHost, l.site)
		}
		return
	}
	if r.Verdict == canon.Rejected || plain.Verdict == canon.Rejected {
		if r.Reason != plain.Reason && r.Reason != canon.TooLong && !noSite.MatchString(r.Detail) {
			t.Errorf("%q: %v, and under rfc3986 %v", r.Original, r.Reason, plain.Reason)
		}
		return
	}
	if r.InHost != plain.Host || !slices.Contains(l.reachable(plain.Host), r.Host) || isPrivate(r.Host) {
		t.Errorf("%q: host %q, in host %q; a browser goes to %q", r.Original, r.Host, r.InHost, plain.Host)
	}
}

// reachable returns the host and all hosts to which it may be moved.
func (l *laws) reachable(host string) []string {
	all := []string{host}
	for i := 0; i < len(all) && i < 8; i++ {
		for _, moves := range l.moves {
			all = append(all, moves(all[i])...)
		}
	}
	return all
}

// checkMore checks the slow laws. Nothing depends on earlier URLs; the trace of any choice of steps replays; the JSON
// form is the same URL; and Clean leaves its own result unchanged.
func (l *laws) checkMore(t testing.TB, url string, r canon.Result) {
	t.Helper()
	if fresh := canon.Canonicalize(url, l.policy, l.overrides, nil); !reflect.DeepEqual(fresh, r) {
		t.Errorf("%q from a fresh Canonicalizer:\n%+v\nfrom a used one:\n%+v", url, fresh, r)
	}
	only := l.some[l.n/8%len(l.some)]
	some := only.Explain(url, nil)
	checkTrace(t, some)
	if quick := only.Canonicalize(url, nil); !reflect.DeepEqual(quick, withoutWords(some)) {
		t.Errorf("%q with some steps, without the trace:\n%+v\nwith it:\n%+v", url, quick, withoutWords(some))
	}
	l.checkJSON(t, r)
	clean := l.fast.Clean(url)
	if clean.Verdict != canon.Rejected {
		checkForm(t, clean.Canonical, true)
	}
	if again := l.fast.Clean(clean.Canonical); clean.Verdict != canon.Rejected && again.Canonical != clean.Canonical {
		t.Errorf("%q is cleaned to %q and that to %q", url, clean.Canonical, again.Canonical)
	}
}

func (l *laws) checkJSON(t testing.TB, r canon.Result) {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back struct{ Original, Canonical string }
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if r.Verdict == canon.Rejected || len(back.Original) > 2000 || splitsCharacter(r.Original) {
		return
	}
	if again := l.fast.Canonicalize(back.Original, nil); again.Canonical != r.Canonical ||
		back.Canonical != r.Canonical {
		t.Errorf("%q is written as %q, which becomes %q, not %q", r.Original, back.Original, again.Canonical,
			r.Canonical)
	}
}

// splitsCharacter reports whether a line break or tab stands between the bytes of a character. JSON escapes these bytes
// one by one.
func splitsCharacter(url string) bool {
	return escapeInvalid(stripped(url)) != stripped(escapeInvalid(url))
}

// TestGeneratedURLs checks the laws under every policy: on all URLs without overrides, on a quarter of them with each
// set.
func TestGeneratedURLs(t *testing.T) {
	for i, s := range setups(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			n := urlCount(t, suite.Rounds(200, 800))
			if s.overrides != nil {
				n /= 4
			}
			l := newLaws(t, s)
			r := rand.New(rand.NewPCG(4, uint64(i)))
			for ; n > 0 && !t.Failed(); n-- {
				l.check(t, randomURL(r))
			}
		})
	}
}

// TestGeneratedFixedPoints only checks the fixed point, under every policy on each URL. A million URLs take a minute.
func TestGeneratedFixedPoints(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	all := map[string]*canon.Canonicalizer{}
	for _, file := range policyFiles {
		all[file.name] = canon.New(policyOf(t, file.file), nil)
	}
	r := rand.New(rand.NewPCG(12, 1))
	for n := urlCount(t, 2_000); n > 0; n-- {
		url := randomURL(r)
		for name, c := range all {
			first := c.Canonicalize(url, nil)
			if first.Verdict == canon.Rejected {
				continue
			}
			if again := c.Canonicalize(first.Canonical, nil); again.Canonical != first.Canonical {
				t.Fatalf("%s: %q becomes %q and that %q (%s)", name, url, first.Canonical, again.Canonical,
					again.Detail)
			}
		}
	}
}

// checkFlags checks that the flags are about the canonical URL, not about an earlier form.
func (l *laws) checkFlags(t testing.TB, r canon.Result) {
	t.Helper()
	again := l.fast.Canonicalize(r.Canonical, nil)
	for _, c := range []canon.Code{canon.UnknownParam, canon.NonstandardPort, canon.SuspiciousHost} {
		if again.Canonical == r.Canonical && r.Codes().Has(c) != again.Codes().Has(c) {
			t.Errorf("%q becomes %q: %v is %v, and canonicalized again %v", r.Original, r.Canonical, c,
				r.Codes().Has(c), again.Codes().Has(c))
		}
	}
	if r.Codes().Has(canon.HTTPOnly) && !strings.HasPrefix(r.Canonical, "http://") {
		t.Errorf("%q becomes %q, flagged http-only", r.Original, r.Canonical)
	}
}

// checkEvidence checks the laws that hold for any evidence. The trace replays. The result is a canonical URL on a host
// that some input names. Evidence never leads off the allowlist, nor to an address that is not public, not even on
// the way.
func (l *laws) checkEvidence(t testing.TB, url string, ev *canon.Evidence) {
	t.Helper()
	r := l.both(t, url, ev)
	without := l.fast.Canonicalize(url, nil)
	if r.Verdict == canon.Rejected || without.Verdict == canon.Rejected {
		return
	}
	checkForm(t, r.Canonical, l.fragments)
	l.checkFlags(t, r)
	named := []string{url, ev.FinalURL, ev.Alternative, "https://" + ev.PreferredHost}
	follows := bytes.Contains(l.policy.YAML(), []byte("redirects: follow\n"))
	for _, hop := range ev.Hops {
		named = append(named, hop.URL)
		if follows && l.plain.Canonicalize(hop.URL, nil).Reason == canon.PrivateAddress {
			t.Errorf("%q: %s with the private hop %q", url, r.Canonical, hop.URL)
		}
	}
	for _, variant := range ev.LangVariants {
		named = append(named, variant)
	}
	for _, host := range ev.Hosts {
		named = append(named, "https://"+host.PreferredHost)
	}
	var hosts []string
	for _, name := range named {
		hosts = append(hosts, l.reachable(l.plain.Canonicalize(name, nil).Host)...)
	}
	if !slices.Contains(hosts, r.Host) || isPrivate(r.Host) {
		t.Errorf("%.300q: host %q; named are %.1000q", url, r.Host, hosts)
	}
	isShort := without.Codes().Has(canon.UnresolvedShortener)
	if !without.Codes().Has(canon.OffAllowlist) && !isShort && r.Codes().Has(canon.OffAllowlist) {
		t.Errorf("%q: the evidence leads off the allowlist, to %q", url, r.Canonical)
	}
}

func TestGeneratedEvidence(t *testing.T) {
	for i, s := range setups(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			l := newLaws(t, s)
			r := rand.New(rand.NewPCG(7, uint64(i)))
			for n := urlCount(t, 480) / 4; n > 0 && !t.Failed(); n-- {
				url, ev := randomURL(r), randomEvidence(r)
				l.checkEvidence(t, url, ev)
				if t.Failed() {
					data, _ := json.Marshal(ev)
					t.Logf("evidence: %s", data)
				}
			}
		})
	}
}

// TestConcurrentUse shares policies and overrides between goroutines with a Canonicalizer each, for the race detector.
func TestConcurrentUse(t *testing.T) {
	all := setups(t)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			r := rand.New(rand.NewPCG(8, uint64(i)))
			for range 300 {
				s := all[r.IntN(len(all))]
				canon.Canonicalize(randomURL(r), s.policy, s.overrides, randomEvidence(r))
			}
		})
	}
	group.Wait()
}

// TestGeneratedOverrides checks the promise of CheckFixedPoint: accepted overrides have a fixed point on every URL.
func TestGeneratedOverrides(t *testing.T) {
	p := clara(t)
	r := rand.New(rand.NewPCG(11, 1))
	for n := urlCount(t, 1_500); n > 0 && !t.Failed(); n -= 10 {
		list := randomOverrides(r)
		if canon.CheckFixedPoint(p, list, nil) != nil {
			continue
		}
		set, err := canon.CompileOverrides(list)
		if err != nil {
			t.Fatal(err)
		}
		c := canon.New(p, set)
		for range 10 {
			url := "https://" + pick(r, []string{"boe.es", "www.boe.es", "sede.example.gob.es", "m.example.gob.es",
				"web.gencat.cat"})
			for range r.IntN(5) {
				url += "/" + pick(r, []string{"a", "b", "ca", "es", "eu", "sta", "%7Ea", "..", "A", "", "a;v=1"})
			}
			url += pick(r, []string{"", "?id=1&tipo=2", "?p=3&x=1", "?utm_id=1&sid=2&lang=ca", "?x=1"})
			first := c.Explain(url, nil)
			checkTrace(t, first)
			checkFixedPoint(t, c, first)
		}
		if t.Failed() {
			data, _ := canon.MarshalOverrides(list)
			t.Logf("under %s", data)
		}
	}
}
