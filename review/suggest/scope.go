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
	For, Against     int
	ForBy, AgainstBy Counts
	Lower            float64 // end of the Wilson interval of the share of For
	Persons          bool    // some vote against is a person's
	Directed         int     // distinct pages with a vote for that is no text
	Agreeing         int     // hosts with more votes for than against
	Dissent          int     // other hosts with votes
}

// The least support of a recommended suggestion.
const (
	minPages = 3
	minLower = 0.7
	wilsonZ  = 1.1
)

// Enough reports whether so many pages for something, and so many against it, are enough to recommend it.
func Enough(yes, no int) bool { return yes >= minPages && wilson(yes, yes+no) >= minLower }

// Lacks says why the votes are not enough to recommend a template, such as "too few to recommend"; nothing if they are.
// That two places show some of the same texts does not tell that one of them is the other: two hosts may run the same
// software, two sections list some of the same pages, and a page without a translation shows the same text in both
// languages.
func (t Tally) Lacks(of Template) string {
	switch {
	case t.For+t.Against == 0:
		return "nothing is known yet"
	case t.Persons:
		return "a person decided otherwise"
	case t.For < minPages:
		return "too few to recommend"
	case !Enough(t.For, t.Against):
		return "too much speaks against it"
	case of.Host == "*" && !t.isOfHosts():
		return "too few hosts agree"
	case of.exchanges() && t.Directed < minPages:
		return "equal texts alone do not tell that one place is the other"
	}
	return ""
}

func (t Tally) recommends(of Template) bool { return t.Lacks(of) == "" }

// isOfHosts reports whether the votes are about all hosts: enough hosts are for, and the share of those against is no
// larger than a recommended suggestion may have of pages.
func (t Tally) isOfHosts() bool {
	return t.Agreeing >= minHosts && wilson(t.Agreeing, t.Agreeing+t.Dissent) >= minLower
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
	firstWith, hosts, directed := map[textKey]string{}, map[string]int{}, map[string]bool{}
	seen := map[bool]map[string]bool{true: {}, false: {}}
	bySignal := map[Signal]map[string]bool{}
	var p pacer
	for _, v := range votes {
		p.giveWay()
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
		if v.For && v.Signal != Text {
			directed[page] = true
		}
		t.Persons = t.Persons || !v.For && v.Signal == Person
		if v.For {
			hosts[v.host]++
		} else {
			hosts[v.host]--
		}
	}
	for _, majority := range hosts {
		if majority > 0 {
			t.Agreeing++
		}
	}
	t.For, t.Against, t.Directed, t.Dissent = len(seen[true]), len(seen[false]), len(directed), len(hosts)-t.Agreeing
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
	isEnough := enough(path, t)
	next := branchesOf(path, votes)
	if t.For >= minPages && strings.Count(path, "/") < maxDepth && !(isEnough && next.speakForAll(t)) {
		list = next.highest(enough)
	}
	if isEnough && list == nil {
		return []scoped{{path, votes, t}}
	}
	return list
}

// branches are the votes about URLs below a path, by the paths of one segment more, and those about the path itself.
type branches struct {
	own   []Vote
	below map[string][]Vote
}

func branchesOf(path string, votes []Vote) branches {
	b := branches{below: map[string][]Vote{}}
	for _, v := range votes {
		if len(v.path) <= len(path) {
			b.own = append(b.own, v)
			continue
		}
		segment, _, _ := strings.Cut(v.path[len(path)+1:], "/")
		child := v.path[:len(path)+1+len(segment)]
		b.below[child] = append(b.below[child], v)
	}
	return b
}

// highest returns the highest paths of all branches at which enough accepts the votes. A person's rule is about all
// branches.
func (b branches) highest(enough func(path string, t Tally) bool) (list []scoped) {
	rules := slices.DeleteFunc(slices.Clone(b.own), func(v Vote) bool { return !v.rule })
	for _, child := range slices.Sorted(maps.Keys(b.below)) {
		list = append(list, highest(child, append(b.below[child], rules...), enough)...)
	}
	return list
}

// minBranches is the least number of paths that speak for all others beside them.
const minBranches = 3

// speakForAll reports whether the votes below a path are about all other paths below it, too: not those below two paths
// of a host or two, nor any if there are only votes against below some path.
func (b branches) speakForAll(t Tally) bool {
	isFor := func(v Vote) bool { return v.For }
	for _, votes := range b.below {
		if !slices.ContainsFunc(votes, isFor) {
			return false
		}
	}
	n := len(b.below)
	return n == 1 || n >= minBranches || slices.ContainsFunc(b.own, isFor) || t.isOfHosts()
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
