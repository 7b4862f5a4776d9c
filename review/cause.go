package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"visto/canon"
)

// Cause is a class of open URLs that one action would settle.
type Cause struct {
	Kind  CauseKind
	Flag  canon.Code
	Host  string // HostCause
	Param string // for unknown-param
	Field string // FieldCause
	Path  string // prefix of the path: of a PathCause across hosts, of a HostCause that was narrowed to it
	N     int    // open URLs with it
	Sole  int    // of these, how many have no other flag or parameter: settled by this alone
	Hosts int    // how many hosts they are on
}

// CauseKind says what the URLs of a cause share besides the flag.
type CauseKind uint8

// The kinds of causes.
const (
	HostCause  CauseKind = iota + 1 // a host (and for unknown-param a parameter)
	FieldCause                      // the field they were found in, on any host
	PathCause                       // a parameter and a path prefix, on any host
)

func (k CauseKind) String() string { return [...]string{"", "host", "field", "path"}[k] }

// Filter returns the filter that selects the cause's open URLs.
func (c Cause) Filter() Filter {
	f := Filter{Open: true, Flags: canon.SetOf(c.Flag), AtHost: c.Host, Path: c.Path}
	if c.Param != "" {
		f.Params = []string{c.Param}
	}
	if c.Kind == FieldCause {
		f.Fields = []string{c.Field}
	}
	return f
}

// String says what the URLs share, for people.
func (c Cause) String() string {
	what := c.Flag.String()
	if c.Param != "" {
		what += " " + c.Param
	}
	switch c.Kind {
	case FieldCause:
		return fmt.Sprintf("%s in %s (%d hosts)", what, c.Field, c.Hosts)
	case PathCause:
		return fmt.Sprintf("%s under %s (%d hosts)", what, c.Path, c.Hosts)
	}
	return what + " on " + c.Host + c.Path
}

// Same reports whether two causes are of the same URLs, however many those are by now.
func (c Cause) Same(o Cause) bool {
	c.N, c.Sole, c.Hosts = o.N, o.Sole, o.Hosts
	return c == o
}

// SoleFilter returns the filter that selects those of its open URLs that have no other flag.
func (c Cause) SoleFilter() Filter {
	f := c.Filter()
	f.Not.Flags = canon.SetOf(canon.Codes()...).Without(c.Flag)
	return f
}

// match is what a rule for the cause matches. No rule can be written for a field.
func (c Cause) match() (m canon.Match, ok bool) {
	switch c.Kind {
	case HostCause:
		return canon.Match{Host: c.Host, PathPrefix: c.Path}, true
	case PathCause:
		return canon.Match{Host: "*", PathPrefix: c.Path}, true
	}
	return m, false
}

// Causes groups what is open under f by what would settle it, largest first.
func (d *Desk) Causes(ctx context.Context, f Filter) ([]Cause, error) {
	f.Open = true
	c := newCauseCounter()
	if err := d.store.Groups(ctx, f, c.addGroup); err != nil {
		return nil, fmt.Errorf("finding causes: %w", err)
	}
	if f.Flags == 0 || f.Flags.Has(canon.UnknownParam) {
		c.paths = newPathTree()
	}
	if err := d.store.Undecided(ctx, f, c.addParams); err != nil {
		return nil, fmt.Errorf("finding causes: %w", err)
	}
	causes := c.list()
	slices.SortFunc(causes, compareCauses)
	return causes, nil
}

func compareCauses(a, b Cause) int {
	return cmp.Or(
		cmp.Compare(b.N, a.N), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Flag, b.Flag), cmp.Compare(a.Host, b.Host),
		cmp.Compare(a.Field, b.Field), cmp.Compare(a.Param, b.Param), cmp.Compare(a.Path, b.Path),
	)
}
