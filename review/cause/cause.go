package cause

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/suggest"
)

// Cause is a group of open URLs that one action could settle.
type Cause struct {
	Kind   Kind
	Flag   canon.Code
	Host   string // ByHost
	WWW    bool   // and the host with "www." before Host, which has the flag too
	Params Names  // for unknown-param: those on the same URLs of the place, or any of all on a host, or ByAdvertising
	Fields Names  // ByField
	Path   string // path prefix: of a ByPath, or of a ByHost that was narrowed to it
	N      int    // number of open URLs
	Sole   int    // number of these that a fix settles: with no other flag or parameters, and in no other field
	Hosts  int    // number of their hosts
	On     Names  // these hosts, of a ByField with a flag of hosts (canon.Code.IsOfHosts): each has a rule of its own
	Rule   string // BySuggestion: the ID of the Suggestion
	Site   Site   // of the host's domain, if the flag is link-broken and more than half of the domain fails

	Suggestion *suggest.Suggestion // nil unless BySuggestion

	In   *Cause // its fix settles all URLs of this one with the same result: this one folds into it; nil: none
	Rows int    // number of causes that fold into this one
}

// Kind is the property that the URLs of a cause share besides the flag.
type Kind uint8

// The kinds of causes.
const (
	ByHost        Kind = iota + 1 // a host, and for unknown-param parameters
	ByField                       // fields in which the flag occurs in mostly the same files, on any host
	ByPath                        // parameters and a path prefix, on any host
	ByAdvertising                 // parameters that are identifiers of advertising (canon.Advertisers), on any host
	BySuggestion                  // a suggested rule; N is its reach, of settled URLs too
)

func (k Kind) String() string {
	return [...]string{"", "host", "field", "path", "advertising", "suggestion"}[k]
}

// Filter returns the filter that selects the cause's open URLs.
func (c Cause) Filter() review.Filter {
	if c.Suggestion != nil {
		return c.suggestionFilter()
	}
	f := review.Filter{Open: true, Statuses: waitFor(c.Flag), Flags: canon.SetOf(c.Flag), Path: c.Path}
	f.AtHosts, f.Params, f.Fields = c.AtHosts(), c.Params.List(), c.Fields.List()
	return f
}

// String describes the cause, for people.
func (c Cause) String() string {
	if c.Suggestion != nil {
		return c.Suggestion.Template.String()
	}
	flag := c.Flag.String()
	if c.Params != "" {
		flag += " " + c.Params.String()
	}
	switch c.Kind {
	case ByField:
		return fmt.Sprintf("%s in %s (%d hosts)", flag, c.Fields, c.Hosts)
	case ByPath:
		return fmt.Sprintf("%s under %s (%d hosts)", flag, c.Path, c.Hosts)
	case ByAdvertising:
		return fmt.Sprintf("%s of advertising: %s (%d hosts)", c.Flag, c.Params, c.Hosts)
	}
	return flag + " on " + c.Place() + c.SiteText()
}

// InFields returns "in field portal_url", or "in portal_url, sede_url".
func (c Cause) InFields() string {
	if names := c.Fields.List(); len(names) == 1 {
		return "in field " + names[0]
	}
	return "in " + c.Fields.String()
}

// Same reports whether two causes differ at most in their counts.
func (c Cause) Same(o Cause) bool { return c.Identity() == o.Identity() }

// Identity returns the cause without its counts and what it is counted on, the same for all orders of its names.
func (c Cause) Identity() Cause {
	c.N, c.Sole, c.Hosts, c.On, c.Site, c.Suggestion, c.In, c.Rows = 0, 0, 0, "", Site{}, nil, nil, 0
	c.Fields, c.Params = c.Fields.sorted(), c.Params.sorted()
	return c
}

// Within reports whether a cause is another one, or one to which that can be narrowed.
func (c Cause) Within(o Cause) bool {
	if c.Kind != o.Kind || c.Flag != o.Flag || !c.Fields.Within(o.Fields.List()) || !c.Params.Within(o.Params.List()) {
		return false
	}
	c.Fields, c.Params = o.Fields, o.Params
	if c.onHostsOf(o) {
		c.Host, c.WWW = o.Host, o.WWW
	}
	return c.Same(o) || c.Narrow("").Same(o)
}

// SoleFilter returns the filter that selects the open URLs of the cause that have no flag to settle but its own and
// those of other causes of the same place.
func (c Cause) SoleFilter(with ...Cause) review.Filter {
	f := c.Filter()
	f.Not.Flags = canon.SetOf(canon.Codes()...)
	if c.ofLink() {
		f.Not.Flags = health.Flags.With(canon.ChangedSinceApproval)
	}
	f.Not.Flags = f.Not.Flags.Without(c.Flag)
	for _, o := range with {
		if c.Kind == o.Kind && c.onHostsOf(o) && c.Path == o.Path && c.Fields.sorted() == o.Fields.sorted() {
			f.Not.Flags = f.Not.Flags.Without(o.Flag)
		}
	}
	return f
}

// ofLink reports whether the flag of the cause comes from the checks of links.
func (c Cause) ofLink() bool { return health.Flags.Has(c.Flag) }

// waitFor returns the statuses of the open URLs that wait for a person because of a flag. Approved and accepted ones
// wait for those only that a review raises: the others were settled before.
func waitFor(flag canon.Code) []review.Status {
	switch {
	case health.Flags.Has(flag):
		return []review.Status{review.Accepted, review.Approved}
	case flag == canon.ChangedSinceApproval:
		return []review.Status{review.Approved}
	}
	return []review.Status{review.Pending}
}

// toSettle returns the flags that a person has to settle for an open URL of that status. Those of the link of a pending
// one are no cause (waitFor), but they open it once a rule accepts it: nobody has looked at the page.
func toSettle(s review.Status, flags canon.CodeSet) canon.CodeSet {
	if s == review.Pending || flags.Has(canon.ChangedSinceApproval) {
		return flags
	}
	return flags & health.Flags
}

// matches returns the matches of the overrides for the cause: one for each field or host, or one. No rule for a field
// accepts a flag of hosts, so those of a ByField with such a flag are for its hosts, none while these are not known.
func (c Cause) matches() (list []canon.Match) {
	switch {
	case c.Kind == ByField && c.Flag.IsOfHosts():
		for _, host := range c.On.List() {
			list = append(list, canon.Match{Host: host})
		}
		return list
	case c.Kind == ByHost:
		for _, host := range c.AtHosts() {
			list = append(list, canon.Match{Host: host, PathPrefix: c.Path})
		}
		return list
	case c.Kind == ByPath, c.Kind == ByAdvertising:
		return []canon.Match{{Host: "*", PathPrefix: c.Path}}
	}
	for _, name := range c.Fields.List() {
		list = append(list, canon.Match{Field: name})
	}
	return list
}

// rulesFields reports whether the rules for the cause are for fields: they settle a URL only if it is cited in no other
// field.
func (c Cause) rulesFields() bool {
	matches := c.matches()
	return !c.decided() && len(matches) > 0 && matches[0].Field != ""
}

// Desk is the part of a [review.Desk] that causes are read from.
type Desk interface {
	Groups(ctx context.Context, f review.Filter, fn func(review.Group) error) error
	Undecided(ctx context.Context, f review.Filter, fn func(review.Undecided) error) error
	Count(ctx context.Context, f review.Filter) (int, error)
	Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error)
	suggest.PageDesk
}

// List groups the open URLs of the filter into causes, the best first: that which concerns most URLs, those that it
// settles by itself counted twice.
func List(ctx context.Context, desk Desk, f review.Filter) ([]Cause, error) {
	f.Open = true
	rules, err := desk.Overrides(ctx)
	if err != nil {
		return nil, fmt.Errorf("finding causes: %w", err)
	}
	c := newCounter(newRuledFields(rules))
	if err := desk.Groups(ctx, f, c.addGroup); err != nil {
		return nil, fmt.Errorf("finding causes: %w", err)
	}
	if f.Flags == 0 || f.Flags.Has(canon.UnknownParam) {
		c.paths = newPathTree()
	}
	if waiting := waitFor(canon.UnknownParam); f.Statuses == nil || slices.Contains(f.Statuses, waiting[0]) {
		f.Statuses = waiting
		if err := desk.Undecided(ctx, f, c.addParams); err != nil {
			return nil, fmt.Errorf("finding causes: %w", err)
		}
	}
	causes := c.list()
	if err := addSites(ctx, desk, causes); err != nil {
		return nil, fmt.Errorf("finding causes: %w", err)
	}
	slices.SortFunc(causes, compare)
	return causes, nil
}

func compare(a, b Cause) int {
	return cmp.Or(
		cmp.Compare(b.N+b.Sole, a.N+a.Sole), cmp.Compare(b.N, a.N), cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Flag, b.Flag), cmp.Compare(a.Host, b.Host),
		cmp.Compare(a.Fields, b.Fields), cmp.Compare(a.Params, b.Params), cmp.Compare(a.Path, b.Path),
	)
}
