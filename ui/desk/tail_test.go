package desk

import (
	"testing"

	"visto/ui/dialog"
)

// Spec 13: the facet of a file has the shortest tail of the path that tells files apart.
func TestTails(t *testing.T) {
	labels := map[string]string{
		"/home/ana/clara/2026/registry.yaml": "2026/registry.yaml",
		"/home/ana/clara/2025/registry.yaml": "2025/registry.yaml",
		"/home/ana/clara/offices.json":       "offices.json", "a/b.csv": "a/b.csv",
		"x/a/b.csv": "x/a/b.csv",
		"urls.txt":  "urls.txt",
		"c.csv":     "c.csv", "/c.csv": "/c.csv", "d/": "d/", "": "",
	}
	var files []dialog.Facet
	for file := range labels {
		files = append(files, dialog.Facet{Group: "file", Value: file})
	}
	for _, f := range withTails(files) {
		if f.Label != labels[f.Value] {
			t.Errorf("%q is shown as %q, not %q", f.Value, f.Label, labels[f.Value])
		}
	}
}
