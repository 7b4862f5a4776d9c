package suggest_test

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	"visto/canon"
	"visto/review/suggest"
)

// judge applies rules to stored URLs and knows the pages at them.
type judge struct {
	policy *canon.Policy
	bare   *canon.Canonicalizer
	page   func(url string) string // the same for all URLs of a page; for a URL without a page itself
}

func newJudge(t testing.TB, page func(string) string) *judge {
	t.Helper()
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	return &judge{policy, canon.New(policy, nil), page}
}

// recommended returns the recommended suggestions whose rules may be stored.
func (j *judge) recommended(all []suggest.Suggestion) (list []suggest.Suggestion) {
	for i := range all {
		rule := []canon.Override{all[i].Override()}
		if all[i].Recommended && canon.CheckFixedPoint(j.policy, rule, nil) == nil {
			list = append(list, all[i])
		}
	}
	return list
}

// with returns the function that rewrites a URL by the rules of suggestions.
func (j *judge) with(t testing.TB, list ...suggest.Suggestion) func(url string) string {
	t.Helper()
	var rules []canon.Override
	for i := range list {
		rules = added(rules, list[i].Override())
	}
	set, err := canon.CompileOverrides(rules)
	if err != nil {
		t.Fatal(err)
	}
	c := canon.New(j.policy, set)
	return func(url string) string { return c.Canonicalize(url, nil).Canonical }
}

// added adds an override to those of the same match, as [review.Desk.AmendAll] does.
func added(rules []canon.Override, rule canon.Override) []canon.Override {
	at := slices.IndexFunc(rules, func(o canon.Override) bool { return o.Match == rule.Match })
	if at < 0 {
		return append(rules, rule)
	}
	o := &rules[at]
	o.DropQueryParams = append(o.DropQueryParams, rule.DropQueryParams...)
	o.RewriteRules = append(o.RewriteRules, rule.RewriteRules...)
	o.CanonicalHost = cmp.Or(rule.CanonicalHost, o.CanonicalHost)
	o.Spanish = cmp.Or(rule.Spanish, o.Spanish)
	return rules
}

// verdict counts the predictions of a rule: each URL that it changes is said to show the page of the new one.
type verdict struct {
	suggest.Suggestion
	right int
	wrong []string // "FROM TO"
}

func (j *judge) judge(t testing.TB, s suggest.Suggestion, urls []string) verdict {
	t.Helper()
	v := verdict{Suggestion: s}
	rule := j.with(t, s)
	for _, url := range urls {
		if _, may := s.Apply(url); !may {
			continue
		}
		switch to := rule(url); {
		case to == url:
		case j.page(to) == j.page(url):
			v.right++
		default:
			v.wrong = append(v.wrong, url+" "+to)
		}
	}
	return v
}

// isValid reports whether a rule is right about 95 % of the URLs that it changes.
func (v verdict) isValid() bool { return len(v.wrong)*19 <= v.right }

// merging measures how rules make one URL of those of a page: the measures of the published work.
type merging struct {
	urls, pages int
	left        int // different URLs after the rules
	merged      int // URLs that became one with others
	wrong       int // of them, those that became one with URLs that are mostly of another page
}

func (j *judge) merge(rules func(string) string, urls []string) (m merging) {
	pages := map[string]bool{}
	after := map[string]map[string]int{} // URLs by page, by their new URL
	for _, url := range urls {
		page, to := j.page(url), rules(url)
		pages[page] = true
		if after[to] == nil {
			after[to] = map[string]int{}
		}
		after[to][page]++
	}
	for _, of := range after {
		sum, most := 0, 0
		for _, n := range of {
			sum, most = sum+n, max(most, n)
		}
		if sum > 1 {
			m.merged, m.wrong = m.merged+sum, m.wrong+sum-most
		}
	}
	m.urls, m.pages, m.left = len(urls), len(pages), len(after)
	return m
}

// heldOut is the outcome of mining one part of the evidence, and asking about the other.
type heldOut struct {
	hosts, urls, probed int
	rules               int // recommended
	flawed              []verdict
	right, predicted    int // predictions about the other part
	planted, found      map[suggest.Kind]int
	merging
	valid []bool // of the recommended rules, those with the most pages first
}

// The parts of the experiment.
const (
	probedShare = 0.5
	minedShare  = 0.8
	noiseShare  = 0.02
	minPairs    = 10

	heldOutSeeds = 5
	smallHosts   = 200 // of the experiment that is quick
	smallLargest = 2000
)

// holdOut mines generated sites.
func holdOut(t testing.TB, seed uint64, hosts, largest int) heldOut {
	g := generate(seed, hosts, largest)
	j := newJudge(t, g.truth)
	g.keepBase(j.bare)
	var mined []suggest.Page
	var all, asked []string
	seen := map[string]bool{}
	probed := 0
	for _, u := range g.urls {
		all = append(all, u.url)
		if g.r.Float64() >= probedShare {
			continue
		}
		if probed++; g.r.Float64() >= minedShare {
			asked = append(asked, u.url)
			continue
		}
		mined = append(mined, g.probe(u, noiseShare))
		seen[u.url] = true
	}
	list := j.recommended(suggest.Find(mined, nil))
	h := heldOut{hosts: len(g.sites), urls: len(all), probed: probed, rules: len(list)}
	slices.SortStableFunc(list, func(a, b suggest.Suggestion) int { return b.For - a.For })
	for i := range list {
		v := j.judge(t, list[i], asked)
		h.right, h.predicted = h.right+v.right, h.predicted+v.right+len(v.wrong)
		if len(v.wrong) > 0 {
			h.flawed = append(h.flawed, v)
		}
		h.valid = append(h.valid, j.judge(t, list[i], all).isValid())
	}
	rules := j.with(t, list...)
	h.merging = j.merge(rules, all)
	h.count(g, seen, rules)
	return h
}

// count counts the planted rules of enough probed pairs, and those of them that the rules found make needless.
func (h *heldOut) count(g *generated, seen map[string]bool, rules func(string) string) {
	h.planted, h.found = map[suggest.Kind]int{}, map[suggest.Kind]int{}
	pairs, covered, missed := map[*genRule]int{}, map[*genRule]int{}, map[*genRule]int{}
	groups := map[*genRule]map[string]int{} // probed URLs by the URL that the rule makes of them
	each := func(fn func(r *genRule, u genURL, to string, changed bool)) {
		for _, u := range g.urls {
			for _, r := range u.site.rules {
				to, ok := r.clean(parseLink(u.url))
				fn(r, u, to.String(), ok)
			}
		}
	}
	each(func(r *genRule, u genURL, to string, changed bool) {
		if groups[r] == nil {
			groups[r] = map[string]int{}
		}
		if seen[u.url] {
			groups[r][to]++
		}
	})
	each(func(r *genRule, u genURL, to string, changed bool) {
		if !changed || u.dead {
			return
		}
		if seen[u.url] && (r.redirects || u.site.canonicals || groups[r][to] > 1) {
			pairs[r]++
		}
		if rules(u.url) == rules(to) {
			covered[r]++
		} else {
			missed[r]++
		}
	})
	for r := range maps.Keys(pairs) {
		if pairs[r] < minPairs {
			continue
		}
		h.planted[r.kind]++
		if covered[r] >= 9*missed[r] {
			h.found[r.kind]++
		}
	}
}

func sum(counts map[suggest.Kind]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// TestHeldOut mines generated sites on four fifths of the probed URLs. The recommended rules have to be right about the
// last fifth in 98 of 100, and to have 80 % of the planted rules of which enough was probed.
func TestHeldOut(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	h := holdOut(t, 1, smallHosts, smallLargest)
	checkRow(t, heldOutRow(1, h))
	if h.right*100 < h.predicted*98 || h.predicted < 100 {
		t.Errorf("%d of %d predictions are right", h.right, h.predicted)
	}
	if sum(h.found)*100 < sum(h.planted)*80 || sum(h.planted) < 10 {
		t.Errorf("%d of %d planted rules are recommended", sum(h.found), sum(h.planted))
	}
	for _, v := range h.flawed {
		t.Logf("%s %d:%d: %d right, wrong: %q", v.Template, v.For, v.Against, v.right, v.wrong)
	}
}
