package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/review/lint"
	"visto/review/read"
)

// plan returns the edits for the URLs of records, in words: the URL or field, and the value.
func plan(t *testing.T, today string, settings string, found ...read.Found) (*lint.Plan, []string) {
	t.Helper()
	var set []lint.Setting
	for _, text := range strings.Fields(settings) {
		s, err := lint.ParseSetting(text)
		if err != nil {
			t.Fatal(err)
		}
		set = append(set, s)
	}
	day, err := time.Parse(time.DateTime, today+" 23:30:00")
	if err != nil {
		t.Fatal(err)
	}
	l := linter(t)
	var judged []lint.Judgement
	for _, f := range found {
		j, err := l.Judge(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		judged = append(judged, j)
	}
	p := lint.NewPlan(judged, set, day.In(time.FixedZone("", 7200)))
	var list []string
	for _, e := range p.Edits {
		what := e.Was
		if e.Record != nil {
			what = e.Record.ID + "." + e.Field
		}
		list = append(list, fmt.Sprintf("%s -> %s", what, e.Value))
	}
	return p, list
}

// record returns a record with the attributes NAME=VALUE.
func record(id string, attributes ...string) *read.Record {
	r := &read.Record{Path: "/" + id, ID: id}
	for _, text := range attributes {
		name, value, _ := strings.Cut(text, "=")
		r.Attributes = append(r.Attributes, read.Attribute{Name: name, Values: []string{value}})
	}
	return r
}

func at(r *read.Record, url string) read.Found {
	return read.Found{URL: url, Record: r, Place: read.Place{Path: r.Path + "/" + url}}
}

// Section 13: --set also sets fields of the records whose URLs a person approved. URL a was approved on 2026-11-20,
// old on 2026-11-20 and in the end on 2026-11-21; e was accepted without a person; b is rejected.
func TestPlan(t *testing.T) {
	const mended = "https://a.gob.es"
	for _, tc := range []struct{ name, set, has, url, want string }{
		{"URLs alone", "", "", "http://a.gob.es/", "http://a.gob.es/ -> https://a.gob.es"},
		{"an accepted URL", "ok=true", "ok=no", "http://e.gob.es/x/y/z/",
			"http://e.gob.es/x/y/z/ -> https://e.gob.es/x/y/z"},
		{"a rejected URL", "ok=true", "ok=no", "https://b.gob.es/", ""},
		{"a field, and one that the file may lack", "ok=true more=1", "ok=no", mended, "r.ok -> true, r.more -> 1"},
		{"a field that is right", "ok=true", "ok=true", mended, ""},
		{"no person approved", "ok=true", "ok=no", "https://e.gob.es/x/y/z", ""},
		{"a date before the approval", "day={date}", "day=2026-11-19", mended, "r.day -> 2026-11-22"},
		{"a date of the day", "day={date}", "day=2026-11-20", mended, ""},
		{"a date after the approval", "day={date}", "day=2026-11-22", mended, ""},
		{"a date before the last approval", "day={date}", "day=2026-11-20", "https://new.gob.es/x/y/z",
			"r.day -> 2026-11-22"},
		{"a date with words", "day=on:{date}.", "day=on:2026-11-20.", mended, ""},
		{"a date with other words", "day=on:{date}.", "day=at:2026-11-20.", mended, "r.day -> on:2026-11-22."},
		{"no date", "day={date}", "day=yesterday!", mended, "r.day -> 2026-11-22"},
	} {
		_, got := plan(t, "2026-11-22", tc.set, at(record("r", tc.has), tc.url))
		if strings.Join(got, ", ") != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	if _, got := plan(t, "2026-11-22", "ok=true", read.Found{URL: mended}); len(got) > 0 {
		t.Errorf("no record: %q", got)
	}
	for _, bad := range []string{"https://b.gob.es/", "https://c.gob.es/", "https://d.gob.es/"} {
		r := record("r", "ok=false")
		if _, got := plan(t, "2026-11-22", "ok=true", at(r, mended), at(r, bad)); slices.Contains(got, "r.ok -> true") {
			t.Errorf("a record with the unsettled %s: %q", bad, got)
		}
	}
}

// A record whose URL cannot be written does not have the approved one, so its fields are not set either.
func TestPlanRefused(t *testing.T) {
	r, s := record("r", "ok=false"), record("s", "ok=false")
	p, before := plan(t, "2026-11-22", "ok=true", at(r, "http://a.gob.es/"), at(s, "http://k.gob.es/"))
	if len(before) != 4 {
		t.Fatalf("%q", before)
	}
	findings := p.Refuse([]read.Refusal{{Edit: 0, Why: "it has changed"}, {Edit: 3, Why: "it is a list"}})
	var text []string
	for _, f := range findings {
		text = append(text, fmt.Sprintf("%s: %s [%s]", f.Place.Path, f.Message, f.Code))
	}
	want := []string{"/r/http://a.gob.es/: http://a.gob.es/ should be https://a.gob.es, approved by ana; " +
		"it is not written: it has changed [not-canonical]",
		"/s/http://k.gob.es/: ok is not set to true; it is not written: it is a list [not-set]"}
	if !slices.Equal(text, want) {
		t.Errorf("%q", text)
	}
	if urls, fields := p.Size(); urls != 1 || fields != 0 || p.Edits[0].Was != "http://k.gob.es/" {
		t.Errorf("left are %+v", p.Edits)
	}
}

func TestParseSetting(t *testing.T) {
	for text, want := range map[string]string{
		"a=b=c": "{a b=c} <nil>", "a=": "{a } <nil>",
		"a": `{ } "a" is not FIELD=VALUE`, "=b": `{ } "=b" is not FIELD=VALUE`,
		"a={date}{date}": `{ } "a={date}{date}" has {date} more than once`,
	} {
		s, err := lint.ParseSetting(text)
		if got := fmt.Sprint(s, " ", err); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
