package review_test

import (
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
)

// A filter is described by each of its conditions; several values have a short form.
func TestFilterInWords(t *testing.T) {
	values := review.Values{
		Statuses: []review.Status{review.Deferred}, Flags: canon.SetOf(canon.HomePage, canon.SectionPage),
		Hosts: []string{"boe.es"}, Files: []string{"f.csv"}, Fields: []string{"url"}, Languages: []string{"ca"},
		Params: []string{"p"}, Reviewers: []string{"ana"},
	}
	every := review.Filter{
		Path: "/sta", AtHosts: []string{"a.es"}, Since: noon, IDs: []int64{4, 5}, NotIDs: []int64{7, 8, 9},
		Search: "ab", Regexp: "^c",
	}.WithValues(values, values)
	for _, c := range []struct {
		filter      review.Filter
		text, short string
	}{
		{review.Filter{}, "all", "all"},
		{review.Filter{Open: true}, "waiting", "waiting"},
		{review.Filter{IDs: []int64{}}, "0 marked", "0 marked"},
		{review.Filter{AtHosts: []string{"a.es", "www.a.es"}}, "all, a.es or www.a.es", "all, 2 hosts"},
		{review.Filter{Since: noon.In(time.FixedZone("", 13*3600))}, "all, decided since 2026-11-21",
			"all, decided since 2026-11-21"},
		{review.Filter{Open: true, Statuses: []review.Status{review.Deferred, review.Rejected}},
			"deferred or rejected", "2 statuses"},
		{every,
			"deferred, home-page or section-page, parameter p, language ca, url, f.csv, boe.es, by ana, /sta, a.es, " +
				"not deferred, not home-page or section-page, not parameter p, not language ca, not url, not f.csv, " +
				"not boe.es, not by ana, decided since 2026-11-21, 2 marked, all but 3, with “ab”, re:^c",
			"deferred, 2 flags, parameter p, language ca, url, f.csv, boe.es, by ana, /sta, a.es, not deferred, " +
				"not 2 flags, not parameter p, not language ca, not url, not f.csv, not boe.es, not by ana, " +
				"decided since 2026-11-21, 2 marked, all but 3, “ab”, re:^c"},
	} {
		var short []string
		for _, p := range c.filter.Parts() {
			short = append(short, p.Short)
		}
		if got := c.filter.String(); got != c.text {
			t.Errorf("text  %s\nwant  %s", got, c.text)
		}
		if got := strings.Join(short, ", "); got != c.short {
			t.Errorf("short %s\nwant  %s", got, c.short)
		}
	}
}

func TestParseHost(t *testing.T) {
	for text, want := range map[string]string{
		"www.BOE.es": "www.boe.es", "*.Gencat.cat": "*.gencat.cat", "*": "*", "localhost": "localhost",
		"sede.ñ.es": "sede.xn--ida.es", "[2001:db8::1]": "[2001:db8::1]",
		"http://www.boe.es/": "did you mean www.boe.es?", "//www.boe.es": "no host in it", "www.boe.es/a": "mean www.boe.es?",
		"www.boe.es:80": "did you mean www.boe.es?", "*.boe.es/": "did you mean *.boe.es?", "http://": "no host in it",
		"boe.*": "is no host", "bob@boe.es": "is no host", "a b": "is no host",
	} {
		got, err := review.ParseHost(text)
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("ParseHost(%q) = %q, want %q", text, got, want)
		}
	}
}
