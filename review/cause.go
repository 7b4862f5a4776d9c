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
	groups, err := d.store.Groups(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("finding causes: %w", err)
	}
	causes := append(hostCauses(groups), fieldCauses(groups)...)
	paths, err := d.pathCauses(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("finding causes: %w", err)
	}
	causes = append(causes, paths...)
	slices.SortFunc(causes, compareCauses)
	return causes, nil
}

func compareCauses(a, b Cause) int {
	return cmp.Or(
		cmp.Compare(b.N, a.N), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Flag, b.Flag), cmp.Compare(a.Host, b.Host),
		cmp.Compare(a.Field, b.Field), cmp.Compare(a.Param, b.Param), cmp.Compare(a.Path, b.Path),
	)
}

// hostCauses counts by host and flag, and each unknown parameter apart.
func hostCauses(groups []Group) []Cause {
	found := map[Cause]*Cause{}
	for _, g := range groups {
		for _, code := range g.Flags.Codes() {
			c := Cause{Kind: HostCause, Flag: code, Host: g.Host, Hosts: 1}
			if g.Host == "" {
				continue
			}
			if code != canon.UnknownParam {
				tally(found, c, g)
				continue
			}
			for _, c.Param = range g.Unknown {
				tally(found, c, g)
			}
		}
	}
	return list(found)
}

// fieldCauses counts by field and flag what was found on two hosts at least. Parameters are a matter of their host.
func fieldCauses(groups []Group) []Cause {
	found, hosts := map[Cause]*Cause{}, map[Cause]map[string]bool{}
	for _, g := range groups {
		if g.Field == "" {
			continue
		}
		for _, code := range g.Flags.Without(canon.UnknownParam).Codes() {
			c := Cause{Kind: FieldCause, Flag: code, Field: g.Field}
			tally(found, c, g)
			if hosts[c] == nil {
				hosts[c] = map[string]bool{}
			}
			hosts[c][g.Host] = true
		}
	}
	for c, on := range hosts {
		if found[c].Hosts = len(on); len(on) < 2 {
			delete(found, c)
		}
	}
	return list(found)
}

func tally(found map[Cause]*Cause, key Cause, g Group) {
	c := found[key]
	if c == nil {
		c = &key
		found[key] = c
	}
	c.N += g.N
	if sole(g.Flags, g.Unknown) {
		c.Sole += g.N
	}
}

func sole(flags canon.CodeSet, unknown []string) bool { return flags.Len() == 1 && len(unknown) <= 1 }

func list(found map[Cause]*Cause) []Cause {
	causes := make([]Cause, 0, len(found))
	for _, c := range found {
		causes = append(causes, *c)
	}
	return causes
}
