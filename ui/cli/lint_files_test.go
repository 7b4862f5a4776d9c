package cli_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestFixedFiles: "registry.yaml, the shapes, and a hundred generated files of each format: add, decide everything,
// lint --fix; then the diff shows only accepted or approved URLs whose canonical form differs, parsing both versions
// gives the same document except there, a second --fix changes nothing, and lint exits 0, or 1 with exactly the
// rejected and deferred ones". The files of testdata/lint have the shapes of real ones.
func TestFixedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	t.Parallel()
	for _, format := range slices.Sorted(maps.Keys(generators)) {
		t.Run(format, func(t *testing.T) {
			t.Parallel() // most of it waits for the disk
			testFixed(t, generatedFiles(t, format))
		})
	}
	t.Run("shapes", func(t *testing.T) {
		files, err := filepath.Glob(filepath.Join(root, "testdata/lint/*"))
		if err != nil || len(files) < 3 {
			t.Fatalf("%v, %v", files, err)
		}
		dir := t.TempDir()
		for i, name := range files {
			files[i] = filepath.Join(dir, filepath.Base(name))
			write(t, files[i], read(t, name))
		}
		testFixed(t, files)
	})
}

func testFixed(t *testing.T, files []string) {
	p := newProgram(t)
	old := map[string]string{}
	for _, name := range files {
		old[name] = read(t, name)
	}
	p.ok(append([]string{"add"}, files...)...)
	meant := p.decideAll()
	diff, _ := p.run(1, nil, append([]string{"lint", "--diff"}, files...)...)
	checkLines(t, diff, meant)
	status := 0
	for _, to := range meant {
		if to == "" {
			status = 1
		}
	}
	left, _ := p.run(status, nil, append([]string{"lint", "--fix", "--json"}, files...)...)
	checkLeft(t, left, meant, old)
	changed := 0
	for _, name := range files {
		now := read(t, name)
		if now != old[name] {
			changed++
		}
		sameDocument(t, name, old[name], now, meant)
		old[name] = now
	}
	if changed < len(files)/4 {
		t.Errorf("only %d of %d files changed", changed, len(files))
	}
	again, said := p.run(status, nil, append([]string{"lint", "--fix", "--json"}, files...)...)
	if again != left || !strings.Contains(said, "; wrote 0 URLs and 0 fields in 0 files; ") {
		t.Errorf("a second run: %s", said)
	}
	for _, name := range files {
		if read(t, name) != old[name] {
			t.Errorf("a second run changes %s", name)
		}
	}
	p.ok(append([]string{"add"}, files...)...)
	if queue := p.ok("list", "--json"); queue != "" {
		t.Errorf("the fixed files, added again, leave in the queue: %s", queue)
	}
	if again, _ := p.run(status, nil, append([]string{"lint", "--json"}, files...)...); again != left {
		t.Errorf("lint after the fixed files are added: %s", again)
	}
	p.ok("check", "--replay")
}

// decideAll decides on every URL, each in one of four ways, and returns the URL to cite for each; empty: none.
func (p *program) decideAll() map[string]string {
	p.t.Helper()
	type stored struct {
		ID                          int
		Original, Canonical, Status string
	}
	each := func() (list []stored) {
		for _, line := range lines(p.ok("export", "--status", "all")) {
			var s stored
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				p.t.Fatal(err)
			}
			list = append(list, s)
		}
		return list
	}
	verbs := []string{"approve", "approve", "reject", "defer"}
	ids := map[string][]string{}
	corrected := 0
	for _, s := range each() {
		switch {
		case s.Status == "pending" && s.ID%11 == 0:
			p.ok("approve", fmt.Sprint(s.ID), "--as",
				fmt.Sprintf("https://www.boe.es/tramites/corregida-a-mano-%d", s.ID))
			corrected++
		case s.Status == "pending":
			verb := verbs[s.ID%len(verbs)]
			ids[verb] = append(ids[verb], fmt.Sprint(s.ID))
		}
	}
	for verb, list := range ids {
		p.ok(append([]string{verb}, list...)...)
	}
	meant := map[string]string{}
	for _, s := range each() {
		if meant[s.Original] = ""; s.Status == "accepted" || s.Status == "approved" {
			meant[s.Original] = s.Canonical
		}
	}
	return meant
}

// checkLines checks that each pair of lines of a diff differs in URLs to cite alone.
func checkLines(t *testing.T, diff string, meant map[string]string) {
	t.Helper()
	var removed, added []string
	pairs, put := 0, replacer(meant)
	plain := strings.NewReplacer(`"`, "", `'`, "", `\`, "") // quotes come where they must
	unescaped := strings.NewReplacer(`\/`, "/", `\u0065`, "e")
	for _, line := range append(strings.Split(diff, "\n"), "") {
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, `\`):
			continue
		case strings.HasPrefix(line, "-"):
			removed = append(removed, line[1:])
			continue
		case strings.HasPrefix(line, "+"):
			added = append(added, line[1:])
			continue
		}
		if len(removed) != len(added) {
			t.Fatalf("%q became %q", removed, added)
		}
		for i := range removed {
			pairs++
			want := put.Replace(unescaped.Replace(removed[i]))
			if plain.Replace(want) != plain.Replace(unescaped.Replace(added[i])) {
				t.Errorf("%q became %q", removed[i], added[i])
			}
		}
		removed, added = nil, nil
	}
	if pairs < 3 {
		t.Errorf("%d lines differ", pairs)
	}
}

// replacer puts the URLs to cite in the place of all others.
func replacer(meant map[string]string) *strings.Replacer {
	longestFirst := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
	var pairs []string
	for _, from := range slices.SortedFunc(maps.Keys(meant), longestFirst) {
		pairs = append(pairs, from, cmp.Or(meant[from], from))
	}
	return strings.NewReplacer(pairs...)
}

// checkLeft checks that the findings are those of exactly the rejected and deferred URLs of the files.
func checkLeft(t *testing.T, findings string, meant, files map[string]string) {
	t.Helper()
	found := map[string]bool{}
	for _, line := range lines(findings) {
		var f struct{ Code, URL string }
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if to, known := meant[f.URL]; !known || to != "" || f.Code != "rejected" && f.Code != "deferred" {
			t.Errorf("%s is %s", f.URL, f.Code)
		}
		found[f.URL] = true
	}
	for url, to := range meant {
		if to == "" && !found[url] {
			t.Errorf("%s is in no finding", url)
		}
	}
}

// sameDocument checks that two versions of a file are the same document, except for the URLs to cite.
func sameDocument(t *testing.T, name, old, now string, meant map[string]string) {
	t.Helper()
	before, after := parsed(t, name, old), parsed(t, name, now)
	if len(before) != len(after) {
		t.Fatalf("%s: %d values became %d", name, len(before), len(after))
	}
	for i, value := range before {
		url := strings.Trim(value, "\t <>") // in a text they stay around it
		if to := meant[url]; after[i] != value && (to == "" || after[i] != strings.Replace(value, url, to, 1)) {
			t.Errorf("%s: %q became %q, not %q", name, value, after[i], to)
		}
	}
}

// parsed returns all values of a file with their kinds, in order, by a parser other than that of visto where there is
// one.
func parsed(t *testing.T, name, text string) (values []string) {
	t.Helper()
	text = strings.TrimPrefix(text, "\ufeff")
	switch filepath.Ext(name) {
	case ".json", ".jsonl":
		dec := json.NewDecoder(strings.NewReader(text))
		for {
			token, err := dec.Token()
			if err != nil {
				return values
			}
			if s, ok := token.(string); ok {
				values = append(values, s)
				continue
			}
			values = append(values, fmt.Sprintf("%T %v", token, token))
		}
	case ".csv", ".tsv":
		r := csv.NewReader(strings.NewReader(text))
		if filepath.Ext(name) == ".tsv" {
			r.Comma = '\t'
		}
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return slices.Concat(rows...)
	case ".yaml":
		dec := yaml.NewDecoder(strings.NewReader(text))
		for {
			var doc yaml.Node
			if dec.Decode(&doc) != nil {
				return values
			}
			values = append(values, nodes(&doc)...)
		}
	}
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// nodes returns the values of a document with their comments and anchors.
func nodes(n *yaml.Node) (values []string) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		values = append(values, n.Value)
	} else {
		values = append(values, fmt.Sprint(n.Kind, n.Tag, n.Value))
	}
	values = append(values, n.HeadComment+"|"+n.LineComment+"|"+n.FootComment+"|"+n.Anchor)
	for _, child := range n.Content {
		values = append(values, nodes(child)...)
	}
	return values
}
