package cause

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

// advertisingCounter counts the open URLs with identifiers of advertising. One rule drops them all on every host, so
// they are one cause, whichever of them a URL has.
type advertisingCounter struct {
	params  map[string]int // the number of URLs with each of them
	n, sole int
	hosts   int
	last    string // the current host
}

// isAdvertising reports whether a rule for all hosts may drop a parameter. It would read a name with a "*" at its end
// as a prefix.
func isAdvertising(param string) bool {
	_, isListed := canon.AdvertiserOf(param)
	return isListed && !strings.HasSuffix(param, "*")
}

// add counts a URL, if it has an identifier of advertising. The URLs of a host come one after the other.
func (c *advertisingCounter) add(u review.Undecided) {
	listed := 0
	for _, name := range u.Params {
		if isAdvertising(name) {
			c.params[name]++
			listed++
		}
	}
	if listed == 0 {
		return
	}
	c.n++
	c.sole += count(listed == len(u.Params) && u.Flags.Len() == 1)
	if c.hosts == 0 || u.Host != c.last {
		c.last = u.Host
		c.hosts++
	}
}

// causes returns the cause, if it is on two hosts or more. The parameter with the most URLs comes first.
func (c *advertisingCounter) causes() []Cause {
	if c.hosts < 2 {
		return nil
	}
	names := slices.SortedFunc(maps.Keys(c.params), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.params[b], c.params[a]), strings.Compare(a, b))
	})
	return []Cause{{Kind: ByAdvertising, Flag: canon.UnknownParam, Params: NamesOf(names...), N: c.n, Sole: c.sole,
		Hosts: c.hosts}}
}

// maxAdvertisers is the number of identifiers whose services are told as reasons.
const maxAdvertisers = 3

// addAdvertisingReason supports dropping the parameters by the shipped list, unless pages speak against it.
func (s *examiner) addAdvertisingReason() {
	if s.dropping != nil && s.dropping.Against > 0 {
		s.addDoubt(FixDrop, "advertising, but %s against it",
			countText(s.dropping.Against, "page speaks", "pages speak"))
		return
	}
	names := s.Cause.Params.List()
	for _, name := range names[:min(len(names), maxAdvertisers)] {
		a, _ := canon.AdvertiserOf(name)
		s.addReason(FixDrop, "%s marks visitors for %s (%s)", name, a.Whose, a.Source)
	}
}
