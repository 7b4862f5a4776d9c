package suggest

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Counts are the numbers of distinct pages that votes are about, by signal.
type Counts map[Signal]int

// Tally counts votes by distinct pages. A page with votes of several signals counts once in For and Against.
type Tally struct {
	For, Against      int
	ForBy, AgainstBy  Counts
	Lower             float64 // end of the Wilson interval of the share of For
	directed, persons bool    // some vote for is no text; some vote against is a person's
	hosts             int     // with a vote for
}

// The least support of a recommended suggestion.
const (
	minPages = 3
	minLower = 0.7
	wilsonZ  = 1.1
)

// Recommended reports whether the votes are enough to recommend the template, and no person's is against it. That two
// hosts show the same texts alone does not tell that one of them is the other: both may run the same software.
func (t Tally) recommends(k Kind) bool {
	return t.For >= minPages && t.Lower >= minLower && !t.persons && (t.directed || k != HostAlias)
}

// wilson returns the lower end of the Wilson interval of a share, for z = wilsonZ. The share of none is 0.
func wilson(yes, of int) float64 {
	if of == 0 {
		return 0
	}
	n, z := float64(of), wilsonZ
	p := float64(yes) / n
	return (p + z*z/(2*n) - z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))) / (1 + z*z/n)
}

// tally counts the votes. One text is one page, under whichever URLs it stands.
func tally(votes []Vote) Tally {
	t := Tally{ForBy: Counts{}, AgainstBy: Counts{}}
	firstWith, hosts := map[textKey]string{}, map[string]bool{}
	seen := map[bool]map[string]bool{true: {}, false: {}}
	bySignal := map[Signal]map[string]bool{}
	for _, v := range votes {
		page := v.page
		if v.For && v.text != 0 {
			if first, ok := firstWith[v.text]; ok {
				page = first
			}
			firstWith[v.text] = page
		}
		key := v.Signal
		by := t.ForBy
		if !v.For {
			key, by = v.Signal+signalCount, t.AgainstBy
		}
		if bySignal[key] == nil {
			bySignal[key] = map[string]bool{}
		}
		if !bySignal[key][page] {
			bySignal[key][page] = true
			by[v.Signal]++
		}
		seen[v.For][page] = true
		t.directed = t.directed || v.For && v.Signal != Text
		t.persons = t.persons || !v.For && v.Signal == Person
		if a, ok := parse(v.URL); ok && v.For {
			hosts[a.host] = true
		}
	}
	t.For, t.Against, t.hosts = len(seen[true]), len(seen[false]), len(hosts)
	t.Lower = wilson(t.For, t.For+t.Against)
	return t
}

// scoped is a path prefix with the votes about the URLs below it.
type scoped struct {
	path  string
	votes []Vote
	Tally
}

// maxDepth is the largest number of segments of a path that a suggestion is limited to.
const maxDepth = 4

// scopes returns the highest paths at which enough accepts the votes, else the path that all votes for share. Below
// that path alone the votes for say anything.
func scopes(votes []Vote, enough func(path string, t Tally) bool) []scoped {
	top := commonPath(votes)
	below := under(votes, top)
	if list := highest(top, below, enough); len(list) > 0 {
		return list
	}
	return []scoped{{top, below, tally(below)}}
}

func highest(path string, votes []Vote, enough func(path string, t Tally) bool) (list []scoped) {
	t := tally(votes)
	switch {
	case enough(path, t):
		return []scoped{{path, votes, t}}
	case t.For < minPages || strings.Count(path, "/") >= maxDepth:
		return nil
	}
	above, below := []Vote(nil), map[string][]Vote{}
	for _, v := range votes {
		switch {
		case len(v.path) > len(path):
			segment, _, _ := strings.Cut(v.path[len(path)+1:], "/")
			child := v.path[:len(path)+1+len(segment)]
			below[child] = append(below[child], v)
		case v.rule:
			above = append(above, v)
		}
	}
	for _, child := range slices.Sorted(maps.Keys(below)) {
		list = append(list, highest(child, append(below[child], above...), enough)...)
	}
	return list
}

// under returns the votes about URLs below a path. A person's rule is about all paths below its own.
func under(votes []Vote, path string) (list []Vote) {
	for _, v := range votes {
		if isUnder(v.path, path) || v.rule && isUnder(path, v.path) {
			list = append(list, v)
		}
	}
	return list
}

// commonPath returns the longest path prefix that the URLs of all votes for have.
func commonPath(votes []Vote) string {
	var common []string
	first := true
	for _, v := range votes {
		if !v.For {
			continue
		}
		segments := slices.Collect(splitPath(v.path))
		if first {
			common, first = segments, false
		}
		n := 0
		for n < min(len(common), len(segments)) && common[n] == segments[n] {
			n++
		}
		common = common[:n]
	}
	return joined(common[:min(len(common), maxDepth)])
}
