package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
)

func TestSurroundings(t *testing.T) {
	d := newDesk(t)
	const host = "https://sede.ejemplo.gob.es"
	for n := range 30 {
		d.add(fmt.Sprintf("%s/tramites/alta-numero-%02d", host, n))
	}
	d.add(host+"/tramites/alta-numero-15?rara=1", host+"/otra/cosa-de-aqui",
		"https://otro.ejemplo.gob.es/tramites/alta-numero-15", host+"/tramites/alta-numero-15/")
	m := canon.Match{Host: "*.ejemplo.gob.es"}
	d.save(canon.Override{Match: m, DropQueryParams: []string{"x"}})
	d.save(canon.Override{Match: m, KeepQueryParams: []string{"y"}})
	d.undo()
	d.save(canon.Override{Match: canon.Match{Host: "otro.ejemplo.gob.es"}, KeepQueryParams: []string{"y"}},
		canon.Override{Match: canon.Match{Host: "*", PathPrefix: "/otra"}, KeepQueryParams: []string{"y"}})
	a, err := d.Surroundings(t.Context(), d.item(host+"/tramites/alta-numero-15").ID)
	d.must(err)
	if a.Path != "/tramites/" || len(a.Near) < 15 || len(a.Near) > 20 {
		t.Errorf("%d under %s", len(a.Near), a.Path)
	}
	for _, it := range a.Near {
		if !strings.HasPrefix(it.Computed.Canonical, host+"/tramites/") ||
			it.Computed.Canonical == host+"/tramites/alta-numero-15" {
			t.Errorf("near: %s", it.Computed.Canonical)
		}
	}
	if len(a.Rules) != 2 || a.Rules[0].Undone || !a.Rules[1].Undone || a.Rules[1].Before == nil ||
		a.Rules[0].Reviewer != "ana" {
		t.Errorf("rules %+v", a.Rules)
	}
}

// TestAlternatives has one case for each kind of alternative.
func TestAlternatives(t *testing.T) {
	no := new(bool)
	for _, test := range []struct {
		url  string
		ev   *canon.Evidence
		want []string
	}{
		{"https://sede.ejemplo.gob.es/tramites/alta", nil, nil},
		{"http://sede.ejemplo.gob.es/tramites/alta/?x=1#z", nil, []string{
			"with the slash at its end https://sede.ejemplo.gob.es/tramites/alta/?x=1",
			"over http, as it came http://sede.ejemplo.gob.es/tramites/alta?x=1",
			"as it came, and no more than cleaned http://sede.ejemplo.gob.es/tramites/alta/?x=1#z"}},
		{"https://sede.ejemplo.gob.es/tramites/alta?utm_source=a", nil,
			[]string{"as it came, and no more than cleaned https://sede.ejemplo.gob.es/tramites/alta?utm_source=a"}},
		{"http://plano.ejemplo.es/tramites/alta", &canon.Evidence{HTTPS: no},
			[]string{"over https https://plano.ejemplo.es/tramites/alta"}},
		{"https://web.gencat.cat/ca/tramits/tramit-12345", nil,
			[]string{"where the Spanish version may be: a guess https://web.gencat.cat/es/tramits/tramit-12345"}},
		{"https://seg-social.es/imv-prestacion/12345",
			&canon.Evidence{FinalURL: "https://www.seg-social.es/b/12345", RelCanonical: "https://www.seg-social.es/c",
				Hops: []canon.Hop{{Status: 301, URL: "https://www.seg-social.es/a"},
					{Status: 302, URL: "https://www.seg-social.es/b/12345"}}}, []string{
				"on the host as it came https://seg-social.es/b/12345",
				"the canonical URL that the page names https://www.seg-social.es/c",
				"after redirect 1 of 2 https://www.seg-social.es/a",
				"as it came, and no more than cleaned https://seg-social.es/imv-prestacion/12345"}},
		{"https://www.ejemplo.gob.es/a/b/c-d",
			&canon.Evidence{Hops: []canon.Hop{{Status: 301, URL: "https://www.ejemplo.gob.es/a/b/c-d/"}}},
			[]string{"without the slash at its end https://www.ejemplo.gob.es/a/b/c-d"}},
		{"mailto:a@b.es", nil, nil},
	} {
		d := newDesk(t)
		d.addFound(review.Found{URL: test.url, Evidence: test.ev})
		det, err := d.Detail(t.Context(), 1)
		d.must(err)
		var got []string
		for _, a := range det.Alternatives {
			got = append(got, a.Label+" "+a.URL)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s\n\t%q\nwant\n\t%q", test.url, got, test.want)
		}
	}
}
