package cli_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport lists our packages that each part may import, by the start of its directory. Tests may import more.
var mayImport = []struct {
	dir     string
	imports []string
}{
	{"canon", nil},
	{testInternet, []string{"visto/canon", "visto/" + testInternet}},
	{"review/probe/extract/extracttest", []string{"visto/canon/suite", "visto/review/probe/extract"}},
	{"review/lazyregexp", nil},
	{"review/probe/extract", []string{"visto/review/lazyregexp"}},
	{"review/probe/browser", nil},
	{"review/fault", nil},
	{"review/probe", []string{"visto/canon", "visto/review/fault", "visto/review/lazyregexp",
		"visto/review/probe/browser", "visto/review/probe/extract"}},
	{"review/read", []string{"visto/canon", "visto/review/lazyregexp"}},
	{"review/cause", []string{"visto/canon", "visto/review"}},
	{"review/suggest", []string{"visto/canon", "visto/review", "visto/review/health", "visto/review/probe"}},
	{"review/lint", []string{"visto/canon", "visto/review"}},
	{"review/candidate", []string{"visto/canon", "visto/review"}},
	{"review/watch", []string{"visto/review"}},
	{"review/health", []string{"visto/canon"}},
	{"review", []string{"visto/canon", "visto/review/fault", "visto/review/health", "visto/review/probe",
		"visto/review/read"}},
	{"store/rows", []string{"visto/canon", "visto/review"}},
	{"store/migrations", nil},
	{"store/postgres", []string{"visto/canon", "visto/review", "visto/store/migrations", "visto/store/rows"}},
	{"store", []string{"visto/canon", "visto/review", "visto/store"}},
	{"ui/cli", []string{"visto/canon", "visto/review", "visto/store/file", "visto/store/postgres", "visto/store/rows",
		"visto/store/sqlite", "visto/ui"}},
	{"ui/pane", []string{"visto/canon", "visto/review", "visto/ui/widget", "visto/ui/theme", "visto/ui/term",
		"visto/ui/diff", "visto/ui/markdown", "visto/ui/presence"}},
	{"ui/presence", nil},
	{"ui/dialog", []string{"visto/canon", "visto/review", "visto/ui/widget", "visto/ui/theme", "visto/ui/term"}},
	{"ui/desk", []string{"visto/canon", "visto/review", "visto/ui/dialog", "visto/ui/pane", "visto/ui/term"}},
	{"ui/wording", []string{"visto/canon", "visto/review", "visto/ui/desk", "visto/ui/pane", "visto/ui/term"}},
	{"ui/plain", []string{"visto/canon", "visto/review", "visto/ui/desk", "visto/ui/wording", "visto/ui/dialog",
		"visto/ui/diff", "visto/ui/pane", "visto/ui/term"}},
	{"ui/widget", []string{"visto/canon", "visto/ui/theme", "visto/ui/term"}},
	{"ui/markdown", []string{"visto/review/lazyregexp", "visto/ui/theme", "visto/ui/term"}},
	{"ui/serve", []string{"visto/ui/console", "visto/ui/term"}},
	{"ui/term", nil},
	{"ui", []string{"visto/canon", "visto/review", "visto/ui"}},
	{".", []string{"visto/ui/cli"}},
}

// testInternet is for tests and its own command only, and no part of the program.
const testInternet = "review/probe/testnet"

func TestImportsGoOneWay(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "testdata" {
			return filepath.SkipDir // no part of the program
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, err := filepath.Rel("../..", path)
		if err != nil {
			return err
		}
		seen[checkImports(t, filepath.ToSlash(rel))] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range mayImport {
		if rule.dir != "ui" && !seen[rule.dir] {
			t.Errorf("no file is under %s", rule.dir)
		}
	}
}

// checkImports checks one file against the first rule for it, and returns the directory of the rule.
func checkImports(t *testing.T, file string) string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", file), nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.ToSlash(filepath.Dir(file))
	for _, rule := range mayImport {
		if rule.dir != "." && dir != rule.dir && !strings.HasPrefix(dir, rule.dir+"/") {
			continue
		}
		for _, spec := range parsed.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			foreign := rule.dir != testInternet && under(path)("visto/"+testInternet)
			if strings.HasPrefix(path, "visto/") && (foreign || !slices.ContainsFunc(rule.imports, under(path))) {
				t.Errorf("%s imports %s", file, path)
			}
		}
		return rule.dir
	}
	return ""
}

// under returns a function that reports whether pkg is the path or a prefix of it.
func under(path string) func(string) bool {
	return func(pkg string) bool { return path == pkg || strings.HasPrefix(path, pkg+"/") }
}
