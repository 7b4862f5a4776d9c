package canon_test

import (
	"slices"
	"testing"

	"visto/canon"
)

// Spec 2, parse: "makes several URLs of a value"; a value with one is nil.
func TestSplitURLs(t *testing.T) {
	for _, c := range []struct {
		value string
		want  []string
	}{
		{"https://a.es/1 https://a.es/2", []string{"https://a.es/1", "https://a.es/2"}},
		{" https://a.es/1,\n  http://a.es/2\n", []string{"https://a.es/1", "http://a.es/2"}},
		{"https://a.es/1,https://a.es/2", []string{"https://a.es/1", "https://a.es/2"}},
		{"https://a.es/1;HTTPS://a.es/2", []string{"https://a.es/1", "HTTPS://a.es/2"}},
		{"https://a.es/1|https://a.es/2 | https://a.es/3",
			[]string{"https://a.es/1", "https://a.es/2", "https://a.es/3"}},
		{"https://a.es/1\r\nhttps://a.es/2?u=https://a.es/3", []string{"https://a.es/1", "https://a.es/2?u=https://a.es/3"}},
		{"https://a.es/1\thttps://a.es/2", []string{"https://a.es/1", "https://a.es/2"}},
		{"https://a.es/1\u00a0https://a.es/2", []string{"https://a.es/1", "https://a.es/2"}},
		{"https://a.es/?id=1 https://a.es/?id=2", []string{"https://a.es/?id=1", "https://a.es/?id=2"}},
		{"https://a.es/?u=https://b.es https://a.es/2", []string{"https://a.es/?u=https://b.es", "https://a.es/2"}},
		{"https://a.es/1#x,https://a.es/2", []string{"https://a.es/1#x", "https://a.es/2"}},
		{"a.es/1, https://a.es/2", []string{"a.es/1", "https://a.es/2"}},
		{"<https://a.es/1> <https://a.es/2>", []string{"https://a.es/1", "https://a.es/2"}},
		{`"https://a.es/1", "https://a.es/2"`, []string{"https://a.es/1", "https://a.es/2"}},
		{"https://a.es/Decreto_(2020), https://a.es/2", []string{"https://a.es/Decreto_(2020)", "https://a.es/2"}},
		{"https://a.es/1 (consultado) https://a.es/2", []string{"https://a.es/1 (consultado)", "https://a.es/2"}},
		{"Ver https://a.es/1 y https://a.es/2", []string{"https://a.es/1 y", "https://a.es/2"}},

		{"https://a.es/1", nil},
		{"a.es/1", nil},
		{"Ver https://a.es/1", nil},
		{"https://a.es/1 (consultado)", nil},
		{"https://a.es/1?u=https://a.es/2", nil},
		{"https://a.es/1?u=1,https://a.es/2", nil},
		{"https://a.es/1?q=dos palabras&u=https://a.es/2", nil},
		{"https://web.archive.org/web/2020/https://a.es/2", nil},
		{"https://https://a.es/2", nil},
		{"https://a.es/1?u=https%3A%2F%2Fa.es%2F2", nil},
		{"", nil},
	} {
		var got []string
		for _, s := range canon.SplitURLs(c.value) {
			got = append(got, c.value[s.Begin:s.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.value, got, c.want)
		}
		r := canon.Canonicalize(c.value, clara(t), nil, nil)
		if isSeveral := r.Detail == "it holds several URLs: give each its own entry"; isSeveral != (len(c.want) > 0) {
			t.Errorf("%q: %v %s", c.value, r.Reason, r.Detail)
		}
	}
}
