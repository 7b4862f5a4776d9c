package review_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

func TestViewsAreReadAsTheyWereSaved(t *testing.T) {
	now := time.Date(2026, 11, 21, 19, 30, 0, 0, time.UTC)
	f := review.Filter{Open: true, Path: "/sta", AtHosts: []string{"boe.es"}, Search: "a “b”", Regexp: "^a+"}
	f = f.WithValues(
		review.Values{Statuses: []review.Status{review.Deferred}, Flags: canon.SetOf(canon.HomePage, canon.NoSpanish),
			Hosts: []string{"*.es"}, Where: []read.Attribute{{Name: "tier", Values: []string{"1", "2, 3"}}}},
		review.Values{Files: []string{"f"}, Fields: []string{"g"}, Languages: []string{"ca"}, Params: []string{"p"},
			Reviewers: []string{"ana"}, Assigned: []string{review.Nobody, "ben"},
			Where: []read.Attribute{{Name: "topic", Values: []string{""}}}})
	views := append(review.BuiltinViews("ana", now),
		review.View{Query: review.Query{Filter: f, Sort: review.ByRecord, Desc: true}},
		review.View{Query: review.Query{Filter: review.Filter{AtHosts: []string{"a.es", "www.a.es"}}}},
		review.View{Columns: []review.Column{{Name: "url"}, {Name: "record", Width: 30}, {Name: "attr:a b"}}})
	for _, v := range views {
		v.Query.Filter.Me = "ana"
		got, err := review.ReadView(v.JSON(), "ana", now)
		if err != nil || !reflect.DeepEqual(got.Query, v.Query) || got.Today != v.Today ||
			!reflect.DeepEqual(got.Columns, v.Columns) {
			t.Errorf("%s\nis read as %+v, %v\nnot         %+v", v.JSON(), got, err, v)
		}
	}
	tomorrow, err := review.ReadView(views[5].JSON(), "ben", now.Add(24*time.Hour))
	if want := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC); err != nil || tomorrow.Query.Filter.Since != want {
		t.Errorf("tomorrow: %v, %v", tomorrow.Query.Filter.Since, err)
	}
	bens, err := review.ReadView(views[1].JSON(), "ben", now)
	if got, _ := bens.Query.Filter.Assignees(false); err != nil || !slices.Equal(got, []string{"ben"}) {
		t.Errorf("ben opens ana's view mine: %q, %v", got, err)
	}
	for _, bad := range []string{``, `{}`, `[]`, `{"sort":"id","with":{"flags":["x"]}}`,
		`{"sort":"id","not":{"statuses":["x"]}}`, `{"sort":"x"}`, `{"sort":"id","regexp":"("}`,
		`{"sort":"id","columns":["x"]}`, `{"sort":"id","at_host":{}}`} {
		if v, err := review.ReadView([]byte(bad), "ana", now); err == nil {
			t.Errorf("%s is read as %+v", bad, v)
		}
	}
}

func TestColumns(t *testing.T) {
	got, err := review.ParseColumns(" flag 18,url,attr:topic of it 12, attr:x")
	want := []review.Column{{Name: "flag", Width: 18}, {Name: "url"}, {Name: "attr:topic of it", Width: 12},
		{Name: "attr:x"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		"": "there is no column", "flag,": "there is no column", "colour": `there is no column "colour": flag, url`,
		"flag 3": "flag: a column has 4 to 200 cells, not 3", "flag 201": "not 201", "url 40": "takes no width",
		"attr:": "which attribute?", "flag, url, flag 20": "the column flag is there twice", "flag -4": "not -4",
	} {
		if got, err := review.ParseColumns(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
}

// Names are stored without needless space, and have at most 100 bytes.
func TestViewNames(t *testing.T) {
	d := newDesk(t)
	long := strings.Repeat("ñ", 50)
	d.must(d.SaveView(t.Context(), review.View{Name: " de \n hoy "}))
	d.must(d.RenameView(t.Context(), "de hoy", long))
	for _, bad := range []string{" ", long + "x"} {
		if d.SaveView(t.Context(), review.View{Name: bad}) == nil || d.RenameView(t.Context(), long, bad) == nil {
			t.Errorf("a view is named %q", bad)
		}
	}
	views, err := d.Views(t.Context(), noon)
	d.must(err)
	if len(views) != 1 || views[0].Name != long || views[0].Reviewer != "ana" || views[0].At.IsZero() {
		t.Errorf("views %+v", views)
	}
	d.must(d.DeleteView(t.Context(), long))
	if views, err := d.Views(t.Context(), noon); err != nil || len(views) != 0 {
		t.Errorf("views %+v, %v", views, err)
	}
}
