package cause_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/store/storetest"
)

// List finds the same causes as counting URL by URL, under every filter.
func TestCausesSlowly(t *testing.T) {
	d := newDesk(t)
	_, err := d.Add(d.Context(), review.Input{}, storetest.Corpus(7, 4000))
	d.must(err)
	var urls []string // some hosts with www. too
	for i := range 40 {
		param := []string{"plaza", "area"}[i%2]
		urls = append(urls, fmt.Sprintf("https://www.ayto%d.gob.es:8443/t/lista-%d?%s=1", i%7, i, param))
	}
	d.add(urls...)
	_, err = d.DecideAll(t.Context(), review.Choice{Kind: review.Approve},
		review.Filter{Open: true, Hosts: []string{"ayto3.gob.es"}})
	d.must(err)
	d.save(canon.Override{Match: canon.Match{Host: "ayto5.gob.es"}, CanonicalHost: "ayto1.gob.es"})
	for _, f := range []review.Filter{
		{}, {Flags: canon.SetOf(canon.UnknownParam)}, {Flags: canon.SetOf(canon.NoSpanish)},
		{Flags: canon.SetOf(canon.UnknownParam, canon.HTTPOnly)},
		{Hosts: []string{"ayto5.gob.es", "ayto1.gob.es"}}, {AtHosts: []string{storetest.BigHost}},
		{AtHosts: []string{"ayto2.gob.es", "www.ayto2.gob.es"}}, {Fields: []string{"url"}},
		{Params: []string{"plaza"}}, {Search: "padron"},
		{Files: []string{"crawl-2.jsonl"}, Not: review.Values{Flags: canon.SetOf(canon.NonstandardPort)}},
		{Languages: []string{"ca"}},
	} {
		got, want := d.causes(f), slowCauses(d, f)
		addWholeHosts(d, f, got, want)
		if len(want) == 0 || len(got) != len(want) {
			t.Errorf("%+v: %d causes, want %d", f, len(got), len(want))
		}
		for _, c := range got {
			one := want[c.Identity()]
			if one.Fields = c.Fields; !equal(c, one) {
				t.Errorf("%+v: %+v, want %+v", f, c, one)
			}
		}
		if !slices.IsSortedFunc(got, func(a, b cause.Cause) int { return cmp.Or(b.N+b.Sole-a.N-a.Sole, b.N-a.N) }) {
			t.Errorf("%+v: not the best first", f)
		}
	}
}

// slowCauses counts every cause of every URL.
func slowCauses(d *desk, f review.Filter) map[cause.Cause]cause.Cause {
	f.Open = true
	items := d.items(f)
	joined := joinedFields(items)
	under := map[cause.Cause]counted{}
	for _, it := range items {
		for _, c := range classes(it, joined) {
			under[c] = under[c].with(it)
		}
		for _, c := range prefixes(it, f) {
			under[c] = under[c].with(it)
		}
	}
	found := map[cause.Cause]cause.Cause{}
	for _, it := range items {
		for _, c := range classes(it, joined) {
			if c.Kind == cause.ByHost || len(under[c].hosts) > 1 {
				found[c] = under[c].of(c)
			}
		}
		for _, param := range it.Computed.Unknown {
			mine := slices.DeleteFunc(prefixes(it, f), func(c cause.Cause) bool {
				return c.Params != cause.NamesOf(param) || len(under[c].hosts) < 2
			})
			if len(mine) > 0 { // the longest is the last
				c := mine[len(mine)-1]
				found[c] = under[c].of(c)
			}
		}
	}
	return bothHosts(together(found, under), under)
}

// addWholeHosts adds the causes of all parameters of a host. They depend on how the others fold.
func addWholeHosts(d *desk, f review.Filter, got []cause.Cause, want map[cause.Cause]cause.Cause) {
	f.Open = true
	items, hosts := d.items(f), map[string]bool{}
	for _, it := range items {
		hosts[it.Computed.Host] = true
	}
	place := func(host string) string {
		if bare := strings.TrimPrefix(host, "www."); hosts[bare] {
			return bare
		}
		return host
	}
	kept := func(name string) bool {
		_, isAdvertising := canon.AdvertiserOf(name)
		return !isAdvertising && !strings.HasSuffix(name, "*")
	}
	dropped := func(name string) bool { return !kept(name) }
	alone, most, names := map[string]int{}, map[string]int{}, map[string][]string{}
	for _, c := range got {
		_, known := want[c.Identity()]
		if !known || c.Kind != cause.ByHost || c.Params == "" || slices.ContainsFunc(c.Params.List(), dropped) {
			continue
		}
		names[place(c.Host)] = append(names[place(c.Host)], c.Params.List()...)
		helps := func(it review.Item) bool {
			return it.Computed.Flags.Len() == 1 && !slices.ContainsFunc(it.Computed.Unknown, dropped) &&
				slices.Contains(c.AtHosts(), it.Computed.Host) && slices.Contains(it.Computed.Unknown, c.Params.List()[0])
		}
		if (c.In == nil || c.In.Kind == cause.ByHost) && slices.ContainsFunc(items, helps) {
			alone[place(c.Host)]++
			most[place(c.Host)] = max(most[place(c.Host)], c.Sole)
		}
	}
	for at, n := range alone {
		if n < 2 {
			continue
		}
		one, of := cause.Cause{Kind: cause.ByHost, Flag: canon.UnknownParam}, map[string]bool{}
		slices.Sort(names[at])
		one.Params = cause.NamesOf(slices.Compact(names[at])...)
		for _, it := range items {
			if place(it.Computed.Host) == at && slices.ContainsFunc(it.Computed.Unknown, kept) {
				of[it.Computed.Host] = true
				one.N++
				if it.Computed.Flags.Len() == 1 && !slices.ContainsFunc(it.Computed.Unknown, dropped) {
					one.Sole++
				}
			}
		}
		one.Hosts, one.WWW = len(of), len(of) > 1
		one.Host = slices.MinFunc(slices.Collect(maps.Keys(of)), func(a, b string) int { return len(a) - len(b) })
		if 2*most[at] <= one.Sole {
			want[one.Identity()] = one
		}
	}
}

// bothHosts makes one of the causes with the same flag and parameters on a host with and without www., and drops those
// of a path with the same URLs.
func bothHosts(found map[cause.Cause]cause.Cause, under map[cause.Cause]counted) map[cause.Cause]cause.Cause {
	urls := func(c cause.Cause) []int64 {
		if list := c.Params.List(); len(list) > 1 {
			c.Params = cause.NamesOf(list[0])
		}
		return under[c].urls
	}
	for key, one := range maps.Clone(found) {
		bare := key
		bare.Host = strings.TrimPrefix(key.Host, "www.")
		if other, ok := found[bare]; ok && bare != key && key.Flag != canon.SuspiciousHost {
			other.N, other.Sole, other.Hosts, other.WWW = other.N+one.N, other.Sole+one.Sole, 2, true
			delete(found, key)
			delete(found, bare)
			found[other.Identity()] = other
			both := slices.Sorted(slices.Values(slices.Concat(urls(key), urls(bare))))
			maps.DeleteFunc(found, func(c, _ cause.Cause) bool {
				return c.Kind == cause.ByPath && slices.Equal(slices.Sorted(slices.Values(urls(c))), both)
			})
		}
	}
	return found
}

// together makes one of the causes of parameters that occur on the same URLs of a place.
func together(found map[cause.Cause]cause.Cause, under map[cause.Cause]counted) map[cause.Cause]cause.Cause {
	type place struct {
		kind             cause.Kind
		host, path, urls string
	}
	at := map[place][]cause.Cause{}
	for c := range found {
		if c.Params != "" {
			p := place{c.Kind, c.Host, c.Path, fmt.Sprint(under[c].urls)}
			at[p] = append(at[p], c)
		}
	}
	for _, list := range at {
		one := found[list[0]]
		var names []string
		for _, c := range list {
			names = append(names, c.Params.List()...)
			delete(found, c)
		}
		slices.Sort(names)
		one.Params, one.Sole = cause.NamesOf(names...), under[list[0]].by[len(names)]
		found[one.Identity()] = one
	}
	return found
}

// flagField is a flag and a field in which it occurs.
type flagField struct {
	flag  canon.Code
	field string
}

// joinedFields returns for each flag and field the fields in which the flag occurs in mostly the same files.
func joinedFields(items []review.Item) map[flagField]cause.Names {
	files := map[flagField]map[string]bool{}
	for _, it := range items {
		for _, code := range it.Computed.Flags.Codes() {
			key := flagField{code, it.Source.Field}
			if files[key] == nil {
				files[key] = map[string]bool{}
			}
			files[key][it.Source.File] = true
		}
	}
	joined := map[flagField]cause.Names{}
	for one := range files {
		reached := map[string]bool{one.field: true}
		for n := 0; n < len(reached); {
			n = len(reached)
			for a := range files {
				for b := range files {
					if reached[a.field] && a.flag == one.flag && b.flag == one.flag && a.field != "" && b.field != "" &&
						2*len(shared(files[a], files[b])) >= max(len(files[a]), len(files[b])) {
						reached[b.field] = true
					}
				}
			}
		}
		joined[one] = cause.NamesOf(slices.Sorted(maps.Keys(reached))...)
	}
	return joined
}

func shared(a, b map[string]bool) (list []string) {
	for file := range a {
		if b[file] {
			list = append(list, file)
		}
	}
	return list
}

// classes returns the causes of a URL by host and by field.
func classes(it review.Item, joined map[flagField]cause.Names) (list []cause.Cause) {
	for _, code := range it.Computed.Flags.Codes() {
		if code == canon.UnknownParam {
			for _, name := range it.Computed.Unknown {
				list = append(list, cause.Cause{Kind: cause.ByHost, Flag: code, Host: it.Computed.Host,
					Params: cause.NamesOf(name)})
			}
			continue
		}
		list = append(list, cause.Cause{Kind: cause.ByHost, Flag: code, Host: it.Computed.Host})
		if it.Source.Field != "" {
			list = append(list, cause.Cause{Kind: cause.ByField, Flag: code,
				Fields: joined[flagField{code, it.Source.Field}]})
		}
	}
	return list
}

// prefixes returns a cause for each unknown parameter of a URL and each prefix of its path, if the filter admits
// parameters.
func prefixes(it review.Item, f review.Filter) (list []cause.Cause) {
	if f.Flags != 0 && !f.Flags.Has(canon.UnknownParam) {
		return nil
	}
	_, path := review.SplitCanonical(it.Computed.Canonical)
	path, _, _ = strings.Cut(path, "?")
	path, _, _ = strings.Cut(path, "#")
	segments := strings.Split(strings.TrimRight(path, "/"), "/")
	for _, param := range it.Computed.Unknown {
		for n := 2; n <= len(segments); n++ {
			list = append(list,
				cause.Cause{Kind: cause.ByPath, Flag: canon.UnknownParam, Params: cause.NamesOf(param),
					Path: strings.Join(segments[:n], "/")})
		}
	}
	return list
}

// counted counts the URLs of a cause.
type counted struct {
	n, sole int
	hosts   map[string]bool
	urls    []int64     // by ID, in order
	by      map[int]int // those without another flag, by the number of their parameters
}

func (c counted) with(it review.Item) counted {
	if c.hosts == nil {
		c.hosts, c.by = map[string]bool{}, map[int]int{}
	}
	c.urls = append(c.urls, it.ID)
	c.n++
	c.hosts[it.Computed.Host] = true
	if it.Computed.Flags.Len() == 1 {
		c.by[len(it.Computed.Unknown)]++
		c.sole++
	}
	return c
}

func (c counted) of(cause cause.Cause) cause.Cause {
	cause.N, cause.Sole, cause.Hosts = c.n, c.sole, len(c.hosts)
	return cause
}
