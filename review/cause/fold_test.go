package cause_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/review/read"
)

// equal compares causes, but not how they fold.
func equal(a, b cause.Cause) bool {
	a.In, a.Rows, b.In, b.Rows = nil, 0, nil, 0
	return a == b
}

// anyRecords returns URLs of a few hosts, most of them in fields of a registry and some in two.
func anyRecords(r *rand.Rand) (found []review.Found) {
	forms := []string{"https://%s.gob.es/", "https://%s.gob.es/", "https://%s.gob.es:8443/t/lista-de-cosas-%d",
		"https://%s.gob.es/t/lista-de-cosas?uno=%d", "https://%s.gob.es/t/lista-de-cosas?uno=1&dos=%d",
		"https://%s.gob.es/x/otra-lista-%d?gbraid=1", "https://%s.gob.es:8443/t/lista?uno=%d", "https://%s.example.com/p-%d"}
	fields := []string{"portal_url", "portal_url", "sede_url", "sede_url", "api_url", ""}
	for i := range 40 {
		host := string(rune('a' + r.IntN(9)))
		url := fmt.Sprintf(forms[r.IntN(len(forms))], host, i)
		for range 1 + r.IntN(6)/5 {
			file := "registry.yaml"
			field := fields[r.IntN(len(fields))]
			if field == "api_url" {
				file = "apis.yaml"
			}
			found = append(found, review.Found{URL: url,
				Place: read.Place{File: file, Field: field, Path: fmt.Sprint(len(found))}})
		}
	}
	return found
}

// The fix of the cause into which another one folds settles all URLs of that one, with the same results as its own. All
// rows together, and those that do not fold, have the open URLs.
func TestFold(t *testing.T) {
	kinds := map[cause.Kind]int{}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 0))
		d := newDesk(t)
		d.addFound(anyRecords(r)...)
		list := d.causes(review.Filter{})
		d.coversAll(list)
		rows := map[cause.Cause]int{}
		for _, c := range list {
			if c.In == nil {
				continue
			}
			rows[*c.In]++
			i := slices.IndexFunc(list, c.In.Same)
			if i < 0 || list[i].In != nil || list[i].Flag != c.Flag {
				t.Fatalf("seed %d: %s folds into %v", seed, c, c.In)
			}
			kinds[list[i].Kind]++
			d.settlesAlike(c, list[i])
		}
		for _, c := range list {
			if rows[c.Identity()] != c.Rows {
				t.Errorf("seed %d: %s: %d rows, says %d", seed, c, rows[c.Identity()], c.Rows)
			}
		}
	}
	for _, kind := range []cause.Kind{cause.ByHost, cause.ByField, cause.ByPath, cause.ByAdvertising} {
		if kinds[kind] == 0 {
			t.Errorf("nothing folds into a cause by %s", kind)
		}
	}
}

// coversAll compares the URLs of the causes, and of those that do not fold, with the open URLs.
func (d *desk) coversAll(list []cause.Cause) {
	d.Helper()
	want := len(d.items(review.Filter{Open: true}))
	all, shown := map[int64]bool{}, map[int64]bool{}
	for _, c := range list {
		for _, it := range d.items(c.Filter()) {
			all[it.ID] = true
			if c.In == nil {
				shown[it.ID] = true
			}
		}
	}
	if len(all) != want || len(shown) != want {
		d.Errorf("%d URLs in causes, %d in those that do not fold, of %d", len(all), len(shown), want)
	}
}

// settlesAlike compares each fix of both causes for the URLs of the one that folds. That of the other one settles them
// all, with the same results where the own one settles them.
func (d *desk) settlesAlike(c, into cause.Cause) {
	d.Helper()
	urls := review.Filter{}
	for _, it := range d.items(c.Filter()) {
		urls.IDs = append(urls.IDs, it.ID)
	}
	after := func(f cause.Fix) (settled map[string]string) {
		d.save(f.Rules...)
		settled = map[string]string{}
		for _, it := range d.items(urls) {
			if !it.Open() {
				settled[it.Original] = fmt.Sprint(it.Status, " ", it.Canonical())
			}
		}
		_, _, err := d.Undo(d.Context(), 0)
		d.must(err)
		return settled
	}
	of := map[cause.FixKind]cause.Fix{}
	for _, f := range into.Fixes() {
		of[f.Kind] = f
	}
	alike := 0
	for _, f := range c.Fixes() {
		other, ok := of[f.Kind]
		if !ok || len(f.Rules) == 0 {
			continue
		}
		alike++
		mine, its := after(f), after(other)
		if len(mine) < c.Sole || len(its) != c.N {
			d.Errorf("%s: %s: settles %d of %d, in %s %d", c, f.Title, len(mine), c.N, into, len(its))
		}
		for url, result := range mine {
			if its[url] != result {
				d.Errorf("%s: %s: %s %s, in %s %s", c, f.Title, url, result, into, its[url])
			}
		}
	}
	if alike == 0 {
		d.Errorf("%s has no fix like %s: %v", into, c, slices.Collect(maps.Keys(of)))
	}
}

// One fix keeps all parameters of a host, with and without "www.". It leaves identifiers of advertising, names that a
// rule would read as a prefix, and URLs with another flag. Where the causes of its parameters fold elsewhere, or one
// of them has most URLs, it is no cause.
func TestAllParametersOfAHost(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.gob.es/t/lista-de-cosas?uno=1", "https://www.a.gob.es/t/lista-de-otras?dos=1&uno=2",
		"https://a.gob.es/x/otra-lista-mas?tres=1", "https://a.gob.es:8443/x/otra-lista-mas?tres=1",
		"https://a.gob.es/t/lista-de-cosas?gbraid=1", "https://a.gob.es/t/lista-de-cosas?cosa*=1",
		"https://b.gob.es/x/otra-lista-mas?tres=1", "https://b.gob.es/y/y-otra-lista-mas?cuatro=1",
		"https://c.gob.es/y/y-otra-lista-mas?cuatro=1",
		"https://d.gob.es/x/otra-lista-mas?cinco=1", "https://d.gob.es/x/otra-lista-mas?cinco=2",
		"https://d.gob.es/x/otra-lista-mas?seis=1")
	var whole []cause.Cause
	list := d.causes(review.Filter{})
	for _, c := range list {
		if c.Kind == cause.ByHost && c.Rows > 0 {
			whole = append(whole, c)
		}
	}
	const want = "unknown-param dos, tres, uno on a.gob.es and www.a.gob.es"
	if len(whole) != 1 || whole[0].String() != want || whole[0].N != 4 || whole[0].Sole != 3 || whole[0].Hosts != 2 {
		t.Fatalf("%+v, not %s", whole, want)
	}
	s := d.examine(whole[0])
	var under []string
	for _, b := range s.Under {
		under = append(under, fmt.Sprint(b.Value, " ", b.N))
	}
	if got := strings.Join(under, ", "); !strings.Contains(got, "tres 2, uno 2, dos 1") {
		t.Errorf("can be narrowed to %s", got)
	}
	open := len(d.items(review.Filter{Open: true}))
	i := slices.IndexFunc(s.Fixes, func(f cause.Fix) bool { return f.Kind == cause.FixKeep })
	d.save(s.Fixes[i].Rules...)
	if settled := open - len(d.items(review.Filter{Open: true})); settled != 3 || s.Settles != 3 {
		t.Errorf("%s: settled %d, says %d, not 3", s.Fixes[i].Title, settled, s.Settles)
	}
}

// A cause stands by itself where the other one would leave one of its URLs.
func TestDoesNotFold(t *testing.T) {
	at := func(field string, urls ...string) (found []review.Found) {
		for _, u := range urls {
			found = append(found, review.Found{URL: u, Place: read.Place{File: "a.yaml", Field: field, Path: u + field}})
		}
		return found
	}
	homes := at("portal_url", "https://a.gob.es/", "https://b.gob.es/", "https://c.gob.es/", "https://d.gob.es/")
	slashed := at("portal_url", "https://a.gob.es/t/una-lista/", "https://b.gob.es/t/una-lista/")
	for i := range slashed {
		to := strings.TrimSuffix(slashed[i].URL, "/")
		slashed[i].Evidence = &canon.Evidence{Status: 200, Hops: []canon.Hop{{Status: 301, URL: to + "/"}}}
	}
	for _, test := range []struct {
		name, cause string
		more        []review.Found
		folds       bool
	}{
		{"all is settled", "home-page on a.gob.es", nil, true},
		{"cited outside of fields too", "home-page on a.gob.es", []review.Found{{URL: "https://a.gob.es/"}}, false},
		{"in a field of other files too", "home-page on a.gob.es", []review.Found{{URL: "https://a.gob.es/",
			Place: read.Place{File: "b.yaml", Field: "api_url", Path: "1"}}}, false},
		{"has another flag too", "home-page on e.gob.es", at("portal_url", "https://e.gob.es:8443/"), false},
		{"its other flag", "nonstandard-port on e.gob.es", at("portal_url", "https://e.gob.es:8443/"), false},
		{"its slash can be kept", "trailing-slash on a.gob.es", slashed, false},
	} {
		d := newDesk(t)
		d.addFound(append(homes, test.more...)...)
		list := d.causes(review.Filter{})
		i := slices.IndexFunc(list, func(c cause.Cause) bool { return c.String() == test.cause })
		if i < 0 {
			t.Errorf("%s: no %s in %v", test.name, test.cause, list)
		} else if folds := list[i].In != nil; folds != test.folds {
			t.Errorf("%s: folds %v", test.name, folds)
		}
	}
}

// A cause of fields promises the URLs that its rules settle, whole or narrowed to a field, and with a field that has
// its rule already.
func TestFieldCountsAreTrue(t *testing.T) {
	d := newDesk(t)
	for i := range 6 {
		url := fmt.Sprintf("https://%c.gob.es/", 'a'+i)
		fields := [][]string{{"portal_url"}, {"sede_url"}, {"portal_url", "sede_url"}, {"portal_url", "api_url"},
			{"sede_url", "portal_url"}, {"portal_url", ""}}[i]
		for _, field := range fields {
			file := map[bool]string{true: "b.yaml", false: "a.yaml"}[field == "api_url"]
			d.addFound(review.Found{URL: url, Place: read.Place{File: file, Field: field, Path: url + field}})
		}
	}
	check := func(c cause.Cause) {
		t.Helper()
		s := d.examine(c)
		if s.Settles != c.Sole && c.Sole > 0 {
			t.Errorf("%s: settles %d in the study, %d in the list", c, s.Settles, c.Sole)
		}
		open := len(d.items(review.Filter{Open: true}))
		d.save(s.Fixes[0].Rules...)
		if settled := open - len(d.items(review.Filter{Open: true})); settled != s.Settles {
			t.Errorf("%s: settled %d, says %d", c, settled, s.Settles)
		}
		_, _, err := d.Undo(t.Context(), 0)
		d.must(err)
	}
	checkAll := func() {
		t.Helper()
		n := 0
		for _, c := range d.causes(review.Filter{}) {
			if c.Kind != cause.ByField {
				continue
			}
			n++
			check(c)
			for _, name := range c.Fields.List() {
				narrowed := c.Narrow(name)
				narrowed.Sole = 0 // not known
				if len(c.Fields.List()) > 1 {
					check(narrowed)
				}
			}
		}
		if n == 0 {
			t.Error("no cause of fields")
		}
	}
	checkAll()
	d.save(canon.Override{Match: canon.Match{Field: "api_url"}, Accept: []string{"home-page"}})
	checkAll()
}

// Each kind of change among the URLs of a cause stands among its samples, wherever it is.
func TestSamplesHaveEachChange(t *testing.T) {
	d := newDesk(t)
	for i := range 30 {
		query := map[int]string{7: "&utm_source=x", 17: "&utm_source=x"}[i]
		d.add(fmt.Sprintf("https://a.gob.es/t/una-lista-%d?plaza=1%s", i, query))
	}
	d.add("https://A.gob.es/t/una-lista-31?plaza=1")
	samples := d.study("unknown-param plaza on a.gob.es").Samples
	changed := 0
	for i := range samples {
		if strings.Contains(samples[i].Original, "utm") {
			changed++
		}
	}
	if len(samples) < 4 || changed != 1 {
		t.Errorf("%d samples, %d with another query", len(samples), changed)
	}
}
