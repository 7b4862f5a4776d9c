package suggest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

// Suggestion is a template with the votes about it.
type Suggestion struct {
	Template
	Tally
	Recommended bool
	Source      string   // of a shared rule: the name of its file
	Hosts       int      // with a vote for it: 1, or of a "*" more
	Reach       int      // number of stored URLs that it would change
	Drops       []string // of a KeepParams: the parameters that URLs with a vote for it lose, sorted; shared: all URLs
	Votes       []Vote   // for first
	Depths      []int    // numbers of segments of the URLs with a vote for it, sorted; shared: of all URLs

	// Ask are up to 5 items on different pages that nothing is known about, and that the suggestion would change. Their
	// evidence might recommend it. A recommended one has none, nor has one with a decision of a person against it.
	Ask   []int64
	asked []string // the URLs that the suggestion makes of them

	Dismissed *review.Dismissal `json:"-"` // nil: it is not

	// waiting is nil but for offers. It holds the items that may be asked about, by the URL that the suggestion makes
	// of them; 0 where a pair has them.
	waiting map[string]int64

	samples []string        // URLs of some votes
	reached map[string]bool // of one for several hosts: the hosts with URLs that it would change
}

// Override returns the override that the suggestion is.
func (s *Suggestion) Override() canon.Override { return s.Template.override(s.Drops, s.Depths) }

// IsEmpty reports whether the suggestion cannot be an override, because a shared rule changes no stored URL that would
// tell which parameters or segments to name.
func (s *Suggestion) IsEmpty() bool {
	return s.Kind == KeepParams && len(s.Drops) == 0 || s.hasDepth() && len(s.Depths) == 0
}

// IsGeneral reports whether the suggestion is for several hosts.
func (s *Suggestion) IsGeneral() bool { return s.Host == "*" }

// minHosts is the least number of hosts for which one suggestion is made, with "*" as its host.
const minHosts = 3

// Find returns the suggestions for pages. rules are the overrides in force.
func Find(pages []Page, rules []canon.Override) []Suggestion {
	w := newWeb(pages)
	places := map[string][]textKey{}
	for host, s := range w.hosts {
		places[host] = s.places()
	}
	shared := aliases(places)
	var list []Suggestion
	anywhere := map[Template][]Vote{} // with "*" as their host
	for _, s := range w.sorted() {
		proposed := s.proposed(shared[s.host])
		for _, o := range s.opposing(proposed) {
			anywhere[o.on("*")] = append(anywhere[o.on("*")], o.votes...)
		}
		for _, t := range proposed {
			votes := append(s.vote(t), keptBy(rules, t)...)
			list = append(list, onHost(t, votes)...)
			if t.isGeneral() {
				anywhere[t.on("*")] = append(anywhere[t.on("*")], votes...)
			}
		}
	}
	for t, votes := range anywhere {
		list = append(list, acrossHosts(t, votes)...)
	}
	list = withoutNeedless(withoutInverses(withoutCovered(list)))
	slices.SortFunc(list, compare)
	return list
}

// withoutNeedless drops each KeepParams if the list recommends to drop each of its parameters by itself.
func withoutNeedless(list []Suggestion) []Suggestion {
	dropped := map[place][]string{} // the paths
	for _, s := range list {
		if at := (place{s.Host, s.Params}); s.Kind == DropParam && s.Recommended {
			dropped[at] = append(dropped[at], s.Path)
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(s Suggestion) bool {
		covers := func(path string) bool { return isUnder(s.Path, path) }
		stays := func(name string) bool {
			return !slices.ContainsFunc(dropped[place{s.Host, name}], covers) &&
				!slices.ContainsFunc(dropped[place{"*", name}], covers)
		}
		return s.Kind == KeepParams && !slices.ContainsFunc(s.Drops, stays)
	})
}

// onHost returns the suggestions of a template for one host.
func onHost(t Template, votes []Vote) (list []Suggestion) {
	found := []scoped{{"", votes, tally(votes)}}
	if t.isScoped() {
		found = scopes(votes, func(_ string, c Tally) bool { return c.recommends(t) })
	}
	for _, at := range found {
		if at.For >= minProposed {
			list = append(list, newSuggestion(t.at(at.path), at))
		}
	}
	return list
}

// withoutCovered drops each suggestion for a host that one for several hosts makes needless.
func withoutCovered(list []Suggestion) []Suggestion {
	general := map[Template][]string{} // their paths
	for _, s := range list {
		if s.Host == "*" {
			general[s.at("")] = append(general[s.at("")], s.Path)
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(s Suggestion) bool {
		return s.Host != "*" && slices.ContainsFunc(general[s.on("*").at("")], func(path string) bool {
			return isUnder(s.Path, path)
		})
	})
}

func newSuggestion(t Template, at scoped) Suggestion {
	s := Suggestion{Template: t, Tally: at.Tally, Recommended: at.recommends(t), Hosts: max(1, at.Agreeing),
		Votes: at.votes}
	sortVotes(s.Votes)
	if t.Kind == KeepParams {
		s.Drops = t.drops(s.Votes)
	}
	s.Depths = depths(s.Votes)
	for _, v := range s.Votes[:min(len(s.Votes), maxSamples)] {
		s.samples = append(s.samples, v.URL)
	}
	return s
}

// maxSamples is the largest number of URLs that a rule is tried on for a fixed point.
const maxSamples = 10

// sortVotes sorts votes for before votes against, then by signal and URL.
func sortVotes(votes []Vote) {
	slices.SortStableFunc(votes, func(a, b Vote) int {
		return cmp.Or(boolCompare(b.For, a.For), cmp.Compare(a.Signal, b.Signal), strings.Compare(a.URL, b.URL),
			strings.Compare(a.Other, b.Other))
	})
}

// depths returns the numbers of segments of the URLs of votes for a template.
func depths(votes []Vote) (list []int) {
	for _, v := range votes {
		if v.For {
			list = append(list, strings.Count(v.path, "/"))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// drops returns the names of the parameters that the template drops of the URLs of votes for it.
func (t Template) drops(votes []Vote) (names []string) {
	for _, v := range votes {
		if a, ok := parse(v.URL); ok && v.For {
			to, _ := t.apply(a)
			names = append(names, without(a, to)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// withoutInverses drops each suggestion whose inverse has better votes, or as good ones from a more common form of URL.
func withoutInverses(list []Suggestion) []Suggestion {
	of := make(map[Template]*Suggestion, len(list))
	for i := range list {
		of[list[i].Template] = &list[i]
	}
	return slices.DeleteFunc(slices.Clone(list), func(s Suggestion) bool {
		other := of[s.Template.inverse()]
		for _, k := range []Kind{DropSegment, AddSegment} {
			if other == nil && !s.ofParams() {
				t := s.Template.inverse()
				t.Kind = k
				other = of[t]
			}
		}
		return other != nil && better(other, &s)
	})
}

func better(a, b *Suggestion) bool {
	return cmp.Or(boolCompare(a.Recommended, b.Recommended), boolCompare(a.Directed > 0, b.Directed > 0),
		cmp.Compare(a.Lower, b.Lower), cmp.Compare(len(b.To), len(a.To)), strings.Compare(b.To, a.To),
		strings.Compare(b.Host, a.Host)) > 0
}

// compare orders suggestions: recommended ones first, then those with the larger reach.
func compare(a, b Suggestion) int {
	return cmp.Or(boolCompare(b.Recommended, a.Recommended), cmp.Compare(b.Reach, a.Reach), cmp.Compare(b.For, a.For),
		compareTemplates(a.Template, b.Template))
}

// keptBy returns a vote against a template for each rule that keeps a parameter which the template drops.
func keptBy(rules []canon.Override, t Template) (votes []Vote) {
	for _, o := range rules {
		if !t.ofParams() || !o.Match.MatchesHost(t.Host) {
			continue
		}
		dropped := func(name string) bool { return !t.lists(strings.ToLower(name)) }
		if t.Kind == DropParam {
			dropped = func(pattern string) bool {
				return slices.ContainsFunc(t.params(), func(name string) bool { return named(pattern, name) })
			}
		}
		if slices.ContainsFunc(o.KeepQueryParams, dropped) {
			path := o.Match.PathPrefix
			votes = append(votes, Vote{Signal: Person, URL: https + t.Host + path, page: o.Match.String(), host: t.Host,
				path: path, rule: true})
		}
	}
	return votes
}

// named reports whether a name of an override, which may end with "*", is that of a parameter.
func named(pattern, name string) bool {
	pattern = strings.ToLower(pattern)
	prefix, wild := strings.CutSuffix(pattern, "*")
	return pattern == name || wild && strings.HasPrefix(name, prefix)
}

// ID returns a short name of the suggestion. It stays the same while votes come and go.
func (s *Suggestion) ID() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", s.Template))
	return hex.EncodeToString(sum[:3])
}

// words are the words for the votes of a signal.
type words struct{ one, many string }

// reasons are the words for the votes of each signal, for and against.
var reasons = [...]struct{ yes, no words }{
	Redirect: {words{"redirect leads there", "redirects lead there"},
		words{"redirect leads elsewhere", "redirects lead elsewhere"}},
	Canonical: {words{"canonical link says so", "canonical links say so"},
		words{"canonical link says otherwise", "canonical links say otherwise"}},
	Text: {words{"page shows the same text", "pages show the same text"},
		words{"page shows another text", "pages show another text"}},
	Status: {no: words{"page is missing there", "pages are missing there"}},
	Person: {words{"decision of a person says so", "decisions of people say so"},
		words{"decision of a person says otherwise", "decisions of people say otherwise"}},
}

func (w words) appendTo(list []string, n int) []string {
	switch n {
	case 0:
		return list
	case 1:
		return append(list, "1 "+w.one)
	}
	return append(list, fmt.Sprintf("%d %s", n, w.many))
}

// Reasons describes the votes for and against, such as "3 redirects lead there".
func (t Tally) Reasons() (yes, no []string) {
	for s := Redirect; s < signalCount; s++ {
		yes = reasons[s].yes.appendTo(yes, t.ForBy[s])
		no = reasons[s].no.appendTo(no, t.AgainstBy[s])
	}
	return yes, no
}
