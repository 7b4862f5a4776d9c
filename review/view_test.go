package review_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

func TestViewsAreReadAsTheyWereSaved(t *testing.T) {
	now := time.Date(2026, 11, 21, 19, 30, 0, 0, time.UTC)
	f := review.Filter{Open: true, Path: "/sta", AtHost: "boe.es", Search: "a “b”", Regexp: "^a+"}.WithValues(
		review.Values{Statuses: []review.Status{review.Deferred}, Flags: canon.SetOf(canon.HomePage, canon.NoSpanish),
			Hosts: []string{"*.es"}, Where: []read.Attribute{{Name: "tier", Values: []string{"1", "2, 3"}}}},
		review.Values{Files: []string{"f"}, Fields: []string{"g"}, Languages: []string{"ca"}, Params: []string{"p"},
			Reviewers: []string{"ana"}, Where: []read.Attribute{{Name: "topic", Values: []string{""}}}})
	views := append(review.BuiltinViews("ana", now),
		review.View{Query: review.Query{Filter: f, Sort: review.ByRecord, Desc: true}})
	for _, v := range views {
		got, err := review.ReadView(v.JSON(), now)
		if err != nil || !reflect.DeepEqual(got.Query, v.Query) || got.Today != v.Today {
			t.Errorf("%s\nis read as %+v, %v\nnot         %+v", v.JSON(), got, err, v)
		}
	}
	tomorrow, err := review.ReadView(views[4].JSON(), now.Add(24*time.Hour))
	if want := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC); err != nil || tomorrow.Query.Filter.Since != want {
		t.Errorf("tomorrow: %v, %v", tomorrow.Query.Filter.Since, err)
	}
	for _, bad := range []string{``, `{}`, `[]`, `{"sort":"id","with":{"flags":["x"]}}`,
		`{"sort":"id","not":{"statuses":["x"]}}`, `{"sort":"x"}`, `{"sort":"id","regexp":"("}`} {
		if v, err := review.ReadView([]byte(bad), now); err == nil {
			t.Errorf("%s is read as %+v", bad, v)
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
