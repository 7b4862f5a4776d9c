package cause

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

// fieldCounter counts flags by the fields of the input. Fields have one meaning for a flag if it occurs in mostly
// the same files under each of them: they become one cause. So portal_url and sede_url of a registry are one, and a
// field of other files is another.
type fieldCounter struct {
	counts map[flagPlaces]*placeCount
	here   map[canon.Code][]*placeCount // of the current host
	hosts  map[flagFields]*fieldHosts   // the hosts by the fields on them
	last   string                       // the current host
	ruled  ruledFields
}

// flagPlaces identifies a flag and a list of places, by its address: groups share it.
type flagPlaces struct {
	flag   canon.Code
	places *review.FileField
}

// fieldHosts are hosts with a flag. It names those whose flag is a property of the host.
type fieldHosts struct {
	n     int
	names []string
}

// flagFields identifies a flag and fields.
type flagFields struct {
	flag   canon.Code
	fields Names
}

// placeCount counts the URLs with a flag in one list of places.
type placeCount struct {
	places  []review.FileField
	fields  Names // of the places, sorted, each once
	n, sole int
}

// ruledFields are the fields in which a rule accepts a flag wherever a URL leads.
type ruledFields map[canon.Code][]string

func newRuledFields(rules []review.StoredOverride) ruledFields {
	ruled := ruledFields{}
	for _, o := range rules {
		if o.Override.Match != (canon.Match{Field: o.Override.Match.Field}) || o.Override.Match.Field == "" {
			continue
		}
		for _, name := range o.Override.Accept {
			if code, ok := canon.ParseCode(name); ok {
				ruled[code] = append(ruled[code], o.Override.Match.Field)
			}
		}
	}
	return ruled
}

// settles reports whether a fix of a cause is rules for its fields that are still to be written.
func (r ruledFields) settles(c *Cause) bool { return c.rulesFields() && !c.Fields.Within(r[c.Flag]) }

// lacking returns the fields that keep a URL in these places open once there are rules for the fields of a cause: those
// that have none.
func (r ruledFields) lacking(c *Cause, places []review.FileField) (fields []string) {
	if len(places) == 0 {
		return []string{""}
	}
	for _, p := range places {
		ruled := p.Field != "" && (slices.Contains(c.Fields.List(), p.Field) || slices.Contains(r[c.Flag], p.Field))
		if !ruled && !slices.Contains(fields, p.Field) {
			fields = append(fields, p.Field)
		}
	}
	return fields
}

func newFieldCounter(ruled ruledFields) fieldCounter {
	return fieldCounter{ruled: ruled, counts: map[flagPlaces]*placeCount{}, here: map[canon.Code][]*placeCount{},
		hosts: map[flagFields]*fieldHosts{}}
}

func (c *fieldCounter) add(g review.Group, code canon.Code, sole int) {
	if len(g.Places) == 0 {
		return
	}
	if g.Host != c.last {
		c.endHost()
		c.last = g.Host
	}
	key := flagPlaces{code, &g.Places[0]}
	p := c.counts[key]
	if p == nil {
		p = &placeCount{places: g.Places, fields: fieldsOf(g.Places)}
		c.counts[key] = p
	}
	p.n += g.N
	p.sole += sole
	c.here[code] = append(c.here[code], p)
}

// fieldsOf returns the fields of places, sorted. Those without a name, as of plain text, are left out.
func fieldsOf(places []review.FileField) Names {
	var names []string
	for _, p := range places {
		if p.Field != "" {
			names = append(names, p.Field)
		}
	}
	slices.Sort(names)
	return NamesOf(slices.Compact(names)...)
}

// endHost counts the current host under the fields that each flag has on it.
func (c *fieldCounter) endHost() {
	for code, list := range c.here {
		fields := list[0].fields
		for _, p := range list[1:] {
			if p.fields != fields {
				fields = union(fields, p.fields)
			}
		}
		at := c.hosts[flagFields{code, fields}]
		if at == nil {
			at = &fieldHosts{}
			c.hosts[flagFields{code, fields}] = at
		}
		if at.n++; code.IsOfHosts() {
			at.names = append(at.names, c.last)
		}
	}
	clear(c.here)
}

// causes returns the causes of fields on two hosts or more, unordered.
func (c *fieldCounter) causes() (list []Cause) {
	c.endHost()
	byFlag := map[canon.Code][]*placeCount{}
	for key, p := range c.counts {
		byFlag[key.flag] = append(byFlag[key.flag], p)
	}
	for code, counts := range byFlag {
		for _, names := range meanings(counts) {
			if one := c.cause(code, names, counts); one.Hosts > 1 {
				list = append(list, one)
			}
		}
	}
	return list
}

// meanings returns the fields of the places, those together that stand in the same files, or in the same as others of
// them.
func meanings(counts []*placeCount) [][]string {
	files := map[string]map[string]bool{} // by field
	for _, p := range counts {
		for _, at := range p.places {
			if at.Field == "" {
				continue
			}
			if files[at.Field] == nil {
				files[at.Field] = map[string]bool{}
			}
			files[at.Field][at.File] = true
		}
	}
	var groups [][]string
	for _, field := range slices.Sorted(maps.Keys(files)) {
		alike := func(group []string) bool {
			return slices.ContainsFunc(group, func(other string) bool { return sameFiles(files[field], files[other]) })
		}
		joined := []string{field}
		for _, group := range groups {
			if alike(group) {
				joined = append(joined, group...)
			}
		}
		groups = append(slices.DeleteFunc(groups, alike), joined)
	}
	return groups
}

// sameFiles reports whether two sets of files share at least half of the larger one.
func sameFiles(a, b map[string]bool) bool {
	shared := 0
	for file := range a {
		if b[file] {
			shared++
		}
	}
	return 2*shared >= max(len(a), len(b))
}

// cause counts the URLs and the hosts of fields, each once. The field with the most URLs comes first.
func (c *fieldCounter) cause(code canon.Code, names []string, counts []*placeCount) Cause {
	one := Cause{Kind: ByField, Flag: code, Fields: NamesOf(names...)}
	byRules := c.ruled.settles(&one)
	inField := map[string]int{}
	for _, p := range counts {
		if !p.fields.any(names) {
			continue
		}
		one.N += p.n
		if !byRules || len(c.ruled.lacking(&one, p.places)) == 0 {
			one.Sole += p.sole
		}
		for _, name := range p.fields.List() {
			inField[name] += p.n
		}
	}
	var hosts []string
	for key, at := range c.hosts {
		if key.flag == code && key.fields.any(names) {
			one.Hosts += at.n
			hosts = append(hosts, at.names...)
		}
	}
	one.On = NamesOf(slices.Sorted(slices.Values(hosts))...)
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(inField[b], inField[a]), strings.Compare(a, b))
	})
	one.Fields = NamesOf(names...)
	return one
}
