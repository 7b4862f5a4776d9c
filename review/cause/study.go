package cause

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/suggest"
)

// Study is the information about a cause for a person who decides about it.
type Study struct {
	Cause   Cause           // with current counts: N is 0 if others have settled it
	Samples []review.Item   // at least three if there are so many, and one for each kind of change
	Settles int             // number of URLs with nothing else to settle: a fix settles them
	Alone   int             // number of URLs with no other flag or parameter, whatever else keeps rules from settling them
	Half    int             // others that wait for a second person after the reviewer: rules settle them too
	Left    []review.Bucket // other reasons, such as "http-only", that keep the rest open; the most frequent first
	Under   []review.Bucket // to narrow the cause to: single parameters, fields or hosts, path prefixes of some URLs
	Fixes   []Fix
	Warning string // of a suggestion; see suggest.Template.Warning

	OtherParams []string // unknown parameters of its URLs that are not its own

	Ask []int64 // up to 5 items: their evidence would tell most about the parameters; none if a fix is recommended
}

// The limits of a study. Its cost does not depend on the size of the cause.
const (
	maxStudied = 200 // URLs of the cause that are read, and similar decided URLs
	maxSamples = 3
	maxUnder   = 8
)

// examiner collects the facts for a Study.
type examiner struct {
	*Study
	desk      Desk
	stored    []review.StoredOverride
	items     []review.Item
	evidence  map[int64]*canon.Evidence
	precedent precedent
	dropping  *suggest.Suggestion // of the parameters; nil: no override can say it, or URLs have only some of them
	having    map[string]int      // number of the URLs with each of the parameters

	fields         []flagged // of a ByField, one for each field
	fieldsTogether flagged

	policy    *canon.Policy
	overrides *canon.Overrides
}

// flagged counts URLs, and those of them with the flag of the cause.
type flagged struct{ n, flagged int }

// Examine studies a cause: it looks at some of its URLs and their evidence, at decisions about similar URLs, and at the
// overrides of other places.
func Examine(ctx context.Context, desk Desk, c Cause) (*Study, error) {
	s := &examiner{Study: &Study{Cause: c}, desk: desk, evidence: map[int64]*canon.Evidence{}}
	if err := s.run(ctx); err != nil {
		return nil, fmt.Errorf("looking at %s: %w", c, err)
	}
	return s.Study, nil
}

func (s *examiner) run(ctx context.Context) (err error) {
	if s.policy, s.overrides, err = s.desk.Rules(ctx); err != nil {
		return err
	}
	if err := s.read(ctx); err != nil {
		return err
	}
	s.Samples = pickSamples(s.items)
	s.Under = append(prefixesUnder(s.Cause, s.items), s.params()...)
	if s.Cause.N == 0 {
		return nil
	}
	if err := s.countUnder(ctx); err != nil {
		return err
	}
	if err := s.findHosts(ctx); err != nil {
		return err
	}
	if s.Fixes = s.Cause.Fixes(); s.isRuled() {
		s.Fixes = s.Cause.decisions()
	}
	if err := s.findFixes(ctx); err != nil {
		return err
	}
	if err := s.weigh(ctx); err != nil {
		return err
	}
	s.addReasons()
	recommend(s.Fixes)
	s.ask()
	return nil
}

// findHosts names the hosts of a ByField that was narrowed, if its flag is a property of them.
func (s *examiner) findHosts(ctx context.Context) error {
	if s.Cause.Kind != ByField || !s.Cause.Flag.IsOfHosts() || s.Cause.On != "" {
		return nil
	}
	var hosts []string
	err := s.desk.Groups(ctx, s.Cause.Filter(), func(g review.Group) error {
		hosts = append(hosts, g.Host)
		return nil
	})
	s.Cause.On = NamesOf(slices.Compact(hosts)...)
	return err
}

// isRuled reports whether every field of the cause has the rule that accepts the flag. Its URLs then wait because other
// fields cite them too.
func (s *examiner) isRuled() bool {
	lacks := func(m canon.Match) bool {
		return !slices.ContainsFunc(s.stored, func(o review.StoredOverride) bool {
			return o.Override.Match == m && slices.Contains(o.Override.Accept, s.Cause.Flag.String())
		})
	}
	matches := s.Cause.matches()
	return s.Cause.Kind == ByField && len(matches) > 0 && !slices.ContainsFunc(matches, lacks)
}

func (s *examiner) read(ctx context.Context) (err error) {
	f := s.Cause.Filter()
	var errStored, errItems error
	s.stored, errStored = s.desk.Overrides(ctx)
	s.Cause.N, err = s.desk.Count(ctx, f)
	s.items, errItems = s.desk.Page(ctx, review.Query{Filter: f}, nil, maxStudied)
	if err = cmp.Or(errStored, err, errItems); err != nil {
		return err
	}
	if err = s.countLeft(ctx); err != nil {
		return err
	}
	one := []Cause{s.Cause}
	if err = addSites(ctx, s.desk, one); err != nil {
		return err
	}
	s.Cause = one[0]
	if err = s.readEvidence(ctx); err != nil {
		return err
	}
	s.precedent, err = precedentOf(ctx, s.desk, s.Cause)
	return err
}

// countLeft counts the URLs that a fix settles, and the reasons that keep the others open.
func (s *examiner) countLeft(ctx context.Context) (err error) {
	left := map[string]int{}
	byGroups := newRuledFields(s.stored).settles(&s.Cause)
	switch {
	case s.Cause.Params != "":
		s.Settles, err = s.countParams(ctx, left)
	case byGroups:
		s.Settles, err = s.countGroups(ctx, left)
	default:
		s.Settles, err = s.countFlags(ctx, left)
	}
	s.Cause.Sole = s.Settles
	if !byGroups {
		s.Alone = s.Settles
	}
	for what, n := range left {
		s.Left = append(s.Left, review.Bucket{Value: what, N: n})
	}
	slices.SortFunc(s.Left, compareBuckets)
	return err
}

func compareBuckets(a, b review.Bucket) int {
	return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value))
}

// countFlags counts the URLs without another flag, and those with each other flag.
func (s *examiner) countFlags(ctx context.Context, left map[string]int) (sole int, err error) {
	f := s.Cause.SoleFilter()
	if sole, err = s.desk.Count(ctx, f); err != nil || sole == s.Cause.N {
		return sole, err
	}
	for _, code := range f.Not.Flags.Codes() {
		f.Not.Flags = canon.SetOf(code)
		without, err := s.desk.Count(ctx, f)
		if err != nil {
			return sole, err
		}
		if n := s.Cause.N - without; n > 0 {
			left[code.String()] = n
		}
	}
	return sole, nil
}

// countGroups counts the URLs that rules for the fields settle, and those with each other flag, or in each other field
// that has no such rule.
func (s *examiner) countGroups(ctx context.Context, left map[string]int) (sole int, err error) {
	ruled, hosts := newRuledFields(s.stored), map[string]bool{}
	err = s.desk.Groups(ctx, s.Cause.Filter(), func(g review.Group) error {
		flags := toSettle(g.Status, g.Flags).Without(s.Cause.Flag)
		for _, code := range flags.Codes() {
			left[code.String()] += g.N
		}
		hosts[g.Host] = true
		if flags == 0 {
			s.Alone += g.N
		}
		lacking := ruled.lacking(&s.Cause, g.Places)
		for _, field := range lacking {
			left["field "+cmp.Or(field, "without a name")] += g.N
		}
		if len(lacking) == 0 && flags == 0 {
			sole += g.N
		}
		return nil
	})
	s.Cause.Hosts = len(hosts)
	return sole, err
}

// countParams counts the URLs with these parameters alone, and those with each other flag or unknown parameter.
func (s *examiner) countParams(ctx context.Context, left map[string]int) (sole int, err error) {
	mine, others := s.Cause.Params.List(), map[string]bool{}
	s.having = map[string]int{}
	err = s.desk.Undecided(ctx, s.Cause.Filter(), func(u review.Undecided) error {
		for _, code := range u.Flags.Without(canon.UnknownParam).Codes() {
			left[code.String()]++
		}
		alone := u.Flags.Len() == 1
		for _, name := range u.Params {
			s.having[name]++
			if !slices.Contains(mine, name) {
				left[canon.UnknownParam.String()+" "+name]++
				others[name], alone = true, false
			}
		}
		sole += count(alone)
		return nil
	})
	s.OtherParams = slices.Sorted(maps.Keys(others))
	return sole, err
}

func (s *examiner) readEvidence(ctx context.Context) error {
	ids := make([]int64, len(s.items))
	for i := range s.items {
		ids[i] = s.items[i].ID
	}
	return s.desk.EachAnswered(ctx, review.Filter{IDs: ids}, func(it review.Item, ev *canon.Evidence) error {
		if ev != nil {
			s.evidence[it.ID] = ev
		}
		return nil
	})
}

// precedent counts the decisions of people about URLs similar to those of a cause.
type precedent struct{ decided, approved, rejected int }

// precedentOf counts the decisions about URLs with the same flag in the same place.
func precedentOf(ctx context.Context, desk Desk, c Cause) (precedent, error) {
	var p precedent
	f := c.Filter()
	f.Open, f.Statuses = false, []review.Status{review.Approved, review.Rejected}
	items, err := desk.Page(ctx, review.Query{Filter: f}, nil, maxStudied)
	for i := range items {
		if d := items[i].Decision; d != nil && d.CanonicalOf == nil && !items[i].Open() &&
			c.Params.Within(items[i].Computed.Unknown) {
			p.decided++
			p.approved += count(d.Kind == review.Approve)
			p.rejected += count(d.Kind == review.Reject)
		}
	}
	return p, err
}

// prefixesUnder counts the items under each path prefix. It leaves out prefixes of all items or of one item only. Of
// prefixes with the same items it keeps the longest.
func prefixesUnder(c Cause, items []review.Item) []review.Bucket {
	if c.Kind != ByHost || len(items) < 2 {
		return nil
	}
	count, deepest := map[string]int{}, map[string]bool{}
	for i := range items {
		prefix := ""
		for segment := range strings.SplitSeq(strings.Trim(review.PathOf(items[i].Computed.Canonical), "/"), "/") {
			if segment != "" {
				prefix += "/" + segment
				count[prefix]++
			}
		}
	}
	for p, n := range count {
		deepest[p] = n > 1 && n < len(items)
	}
	for p, n := range count {
		if parent := p[:strings.LastIndexByte(p, '/')]; parent != "" && count[parent] == n {
			deepest[parent] = false
		}
	}
	var list []review.Bucket
	for p, yes := range deepest {
		if yes && p != c.Path {
			list = append(list, review.Bucket{Value: p, N: count[p]})
		}
	}
	slices.SortFunc(list, compareBuckets)
	return list[:min(len(list), maxUnder)]
}

// params returns each parameter of a cause with several, those of most URLs first.
func (s *examiner) params() (list []review.Bucket) {
	if names := s.Cause.Params.List(); len(names) > 1 && s.Cause.Kind != ByAdvertising {
		for _, name := range names {
			list = append(list, review.Bucket{Value: name, N: s.having[name]})
		}
		slices.SortStableFunc(list, func(a, b review.Bucket) int { return cmp.Compare(b.N, a.N) })
	}
	return list
}

// isMixed reports whether some URLs have only some of the parameters.
func (s *examiner) isMixed() bool {
	return slices.ContainsFunc(s.params(), func(b review.Bucket) bool { return b.N < s.Cause.N })
}

// countUnder lists first the fields, hosts or identifiers of advertising of a cause with several, each with the number
// of its URLs.
func (s *examiner) countUnder(ctx context.Context) error {
	names := append(s.Cause.Fields.List(), s.Cause.AtHosts()...)
	if s.Cause.Kind == ByAdvertising {
		names = s.Cause.Params.List()
	}
	if len(names) < 2 {
		return nil
	}
	if s.Cause.Kind == ByField && len(names) > 2 {
		for _, name := range names[:len(names):len(names)] {
			names = append(names, allBut+name)
		}
	}
	var list []review.Bucket
	for _, name := range names {
		n, err := s.desk.Count(ctx, s.Cause.Narrow(name).Filter())
		if err != nil {
			return err
		}
		list = append(list, review.Bucket{Value: name, N: n})
	}
	s.Under = append(list, s.Under...)
	return nil
}

// allBut stands before the name of a field to narrow a ByField to its other fields.
const allBut = "all but "

// Narrow returns the cause of one of several parameters, of one of two hosts, of the URLs under a path prefix of a
// ByHost, or in one field of a ByField or in "all but" that one, whose hosts are then not known. Others, and a ByField
// without a name, are returned unchanged.
func (c Cause) Narrow(to string) Cause {
	switch params := c.Params.List(); {
	case len(params) > 1 && slices.Contains(params, to):
		c.Params = NamesOf(to)
	case c.WWW && slices.Contains(c.AtHosts(), to):
		c.Host, c.WWW = to, false
	case c.Kind == ByHost:
		c.Path = to
	case c.Kind == ByField && to != "":
		c.Fields, c.On = c.Fields.narrow(to), ""
	}
	return c
}
