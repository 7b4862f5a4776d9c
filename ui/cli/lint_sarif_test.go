package cli_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // for sarifSchema
	"github.com/santhosh-tekuri/jsonschema/v6"

	"visto/canon"
	"visto/review/lint"
)

// sarifSchema returns the schema of OASIS, which comes with a test dependency as a constant of its source.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const path = "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	folder, err := exec.Command("go", "list", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		t.Fatalf("where %s is: %v", path, err)
	}
	source := filepath.Join(strings.TrimSpace(string(folder)), "schema.go")
	file, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text, err := strconv.Unquote(file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// sarifInput has every shape of a place: absolute and relative names that need escapes, characters of several bytes
// before a URL, a part that cannot be read, and no record.
var sarifInput = map[string]string{
	"año 1%/a:b.json": `{"id": "𝒳", "nombre": "ñ\n", "notas": "ñ𝒳", "url": "https://www.boe.es"}`,
	"urls.txt":        "http://www.boe.es/x/y/z/\nhttps://localhost\n",
	"broken.jsonl":    "{",
	"line.html":       `ñ𝒳 <a href="http://www.boe.es/x/y/z/">a</a> 𝒳 <a href="https://boe.es/?x=1">b</a>`,
	"fine.txt":        "https://www.boe.es/x/y/z\n",
}

func TestSARIF(t *testing.T) {
	schema := sarifSchema(t)
	p := newProgram(t)
	t.Chdir(t.TempDir())
	names := []string{"lint", "--no-db", "--format", "sarif"}
	for name, text := range sarifInput {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		absolute, _ := filepath.Abs(name)
		names = append(names, name, absolute)
	}
	log, _ := p.run(1, strings.NewReader(""), names...)
	clean, _ := p.run(0, strings.NewReader(""), "lint", "--no-db", "--format", "sarif", "fine.txt")
	for _, text := range []string{log, clean} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	checkSARIF(t, log)
	if !strings.Contains(clean, `"results":[]`) {
		t.Errorf("no finding: %s", clean)
	}
}

// Spec 13: findings are file:line:column. Of a gzip file the columns are those of its contents.
func TestLintColumnsPacked(t *testing.T) {
	p := newProgram(t)
	t.Chdir(t.TempDir())
	const text = "id,name,url\n1,\"ñ\nñandú\",http://www.boe.es/x/y/z/\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("a.csv.gz", packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{"text": "a.csv.gz:3:10: ", "github": "file=a.csv.gz,line=3,col=8,",
		"sarif": `"region":{"startLine":3,"startColumn":8}`, "json": `"line":3,"column":10`} {
		out, _ := p.run(1, strings.NewReader(""), "lint", "--no-db", "--format", format, "a.csv.gz")
		if !strings.Contains(out, want) {
			t.Errorf("%s lacks %s:\n%s", format, want, out)
		}
	}
}

// checkSARIF checks rules that readers of a log rely on and the schema lacks: results name a rule by ID and index, and
// the rules have all codes.
func checkSARIF(t *testing.T, text string) {
	t.Helper()
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	rules, results := log.Runs[0].Tool.Driver.Rules, log.Runs[0].Results
	if len(rules) != len(lint.Codes()) || len(rules) < 9+len(canon.Codes()) {
		t.Errorf("%d rules", len(rules))
	}
	if len(results) != 14 {
		t.Errorf("%d results: %s", len(results), text)
	}
	uris := map[string]bool{}
	before, _, _ := strings.Cut(sarifInput["año 1%/a:b.json"], `"https`)
	first := len(utf16.Encode([]rune(before))) + 1
	for _, r := range results {
		if rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s is rule %d, which is %s", r.RuleID, r.RuleIndex, rules[r.RuleIndex].ID)
		}
		at := r.Locations[0].PhysicalLocation
		uris[at.ArtifactLocation.URI] = true
		if strings.HasSuffix(at.ArtifactLocation.URI, "line.html") {
			line := utf16.Encode([]rune(sarifInput["line.html"]))
			url := string(utf16.Decode(line[at.Region.StartColumn-1 : at.Region.EndColumn-1]))
			if !strings.HasPrefix(url, `"http`) || !strings.HasSuffix(url, `"`) || strings.Count(url, `"`) != 2 {
				t.Errorf("the URL is %s", url)
			}
		}
		if strings.HasSuffix(at.ArtifactLocation.URI, "a:b.json") && (at.Region.StartColumn != first ||
			at.Region.EndColumn != first+len(`"https://www.boe.es"`)) {
			t.Errorf("the URL is in %+v, want column %d", at.Region, first)
		}
	}
	dir, _ := os.Getwd()
	const escaped = "a%C3%B1o%201%25/a:b.json"
	for _, uri := range []string{escaped, "file://" + dir + "/" + escaped, "urls.txt"} {
		if !uris[uri] {
			t.Errorf("no result is in %s: %v", uri, uris)
		}
	}
}
