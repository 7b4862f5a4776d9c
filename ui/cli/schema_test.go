package cli_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"

	"visto/canon"
	"visto/review"
)

const schemaFile = "../../testdata/result.schema.json"

var schemas = map[string]*jsonschema.Schema{} // by definition, each compiled once

// compiled returns the schema of a definition.
func compiled(t *testing.T, definition string) *jsonschema.Schema {
	t.Helper()
	if schemas[definition] == nil {
		schema, err := jsonschema.NewCompiler().Compile(schemaFile + definition)
		if err != nil {
			t.Fatal(err)
		}
		schemas[definition] = schema
	}
	return schemas[definition]
}

// conforms checks every line of output against a schema: "" for a result, "#/$defs/exported" for a record.
func conforms(t *testing.T, definition, output string) {
	t.Helper()
	schema := compiled(t, definition)
	for _, line := range lines(output) {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			t.Fatalf("%v\n%s", err, line)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%v\n%s", err, line)
		}
	}
}

// goldenInputs are the inputs of all golden archives, with the overrides and evidence of each.
func goldenInputs(t *testing.T) []map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/canon/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var inputs []map[string]string
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			inputs = append(inputs, keys(string(f.Data)))
		}
	}
	if len(inputs) < 100 {
		t.Fatalf("%d golden inputs: where are the others?", len(inputs))
	}
	return inputs
}

// keys reads the lines "key: value" of a golden case; a quoted input is a Go string.
func keys(text string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		m[key] = strings.TrimSpace(value)
	}
	if unquoted, err := strconv.Unquote(m["in"]); err == nil {
		m["in"] = unquoted
	}
	return m
}

// The schema lists each flag, and each rule that raises one.
func TestSchemaHasEveryFlag(t *testing.T) {
	flag := compiled(t, "#/$defs/flag")
	for _, c := range canon.Codes() {
		err := flag.Validate(map[string]any{"code": c.String(), "rule": c.Step(), "detail": c.Summary()})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestGoldenInputsHoldToTheSchema(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a command for each golden case")
	}
	p := newProgram(t)
	inputs := map[goldenRules][]string{}
	for _, in := range goldenInputs(t) {
		rules := goldenRules{evidenceFor(t, in["in"], in["evidence"]), in["overrides"], in["steps"]}
		inputs[rules] = append(inputs[rules], in["in"])
	}
	for rules, urls := range inputs {
		args := append([]string{"canon", "--json", "--lenient"}, fileFlag(t, "--evidence", rules.evidence)...)
		if o := rules.overrides; o != "" {
			args = append(args, fileFlag(t, "--overrides", `{"version":1,"overrides":`+o+`}`)...)
		}
		if s := rules.steps; s != "" {
			args = append(args, "--steps", strings.Join(strings.Fields(s), ","))
		}
		results := p.ok(slices.Concat(args, []string{"--"}, urls)...)
		if len(lines(results)) != len(urls) {
			t.Errorf("%d results for %q", len(lines(results)), urls)
		}
		conforms(t, "", results)
	}
}

// goldenRules are the flags of a golden case. One command does all cases that share them.
type goldenRules struct{ evidence, overrides, steps string }

// evidenceFor returns the evidence of a golden case as a line of an evidence file, which names the URL.
func evidenceFor(t *testing.T, url, evidence string) string {
	t.Helper()
	if evidence == "" {
		return ""
	}
	line := map[string]any{}
	if err := json.Unmarshal([]byte(evidence), &line); err != nil {
		t.Fatal(err)
	}
	line["url"] = strings.TrimSpace(url)
	text, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fileFlag returns a flag that names a file with the given content; nothing for no content.
func fileFlag(t *testing.T, flag, content string) []string {
	t.Helper()
	if content == "" {
		return nil
	}
	file := filepath.Join(t.TempDir(), "file.json")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{flag, file}
}

func TestRecordsHoldToTheSchema(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	p := newProgram(t)
	p.ok("demo", "--keep", p.db)
	p.ok("approve", "mailto:informacion@060.es",
		"--as", "https://administracion.gob.es/pag_Home/atencionCiudadana.html")
	all := p.ok("list", "--status", "all", "--json")
	if len(lines(all)) < 60 {
		t.Fatalf("%d records", len(lines(all)))
	}
	conforms(t, "#/$defs/exported", all)
	conforms(t, "#/$defs/exported", p.ok("export", "--status", "all"))
	conforms(t, "#/$defs/exported", p.ok("show", "1", "--json"))
	if export := p.ok("export", "--status", "all"); export != all {
		t.Error("list --json and export print different records")
	}
	p.ok("assign", "--to", "ana")
	conforms(t, "#/$defs/exported", p.ok("list", "--json"))
}

func TestFindingsHoldToTheSchema(t *testing.T) {
	p := newProgram(t)
	findings, _ := p.run(1, strings.NewReader(""), "lint", "--no-db", "--json", "demo/registry.yaml", "demo/crawl.txt")
	if len(lines(findings)) < 20 {
		t.Fatalf("%d findings", len(lines(findings)))
	}
	conforms(t, "#/$defs/finding", findings)
}

// TestSchemaNamesEveryField: the fields that export --fields takes are those of the schema, which has a version, but
// not the assignment: an export has none.
func TestSchemaNamesEveryField(t *testing.T) {
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Version string
		Defs    struct {
			Exported struct{ Properties map[string]any }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	delete(schema.Defs.Exported.Properties, "assigned")
	known := slices.Sorted(maps.Keys(schema.Defs.Exported.Properties))
	if fields := slices.Sorted(slices.Values(review.JSONL.Fields())); !slices.Equal(fields, known) {
		t.Errorf("--fields takes %q, the schema has %q", fields, known)
	}
	if !regexp.MustCompile(`^\d+\.\d+$`).MatchString(schema.Version) {
		t.Errorf("the schema has version %q", schema.Version)
	}
}

func TestSchemaRefusesWhatIsWrong(t *testing.T) {
	schema := compiled(t, "")
	const hash = `"canonical_hash":"0000000000000000000000000000000000000000000000000000000000000000"`
	const right = `{"original":"a","canonical":"https://a.es","normalized":"https://a.es",` + hash +
		`,"verdict":"accepted","link_type":"homepage","policy":"clara@1"}`
	with := func(old, new string) string { return strings.Replace(right, old, new, 1) }
	for name, text := range map[string]string{
		"a field too many":         strings.Replace(right, `"verdict"`, `"more":1,"verdict"`, 1),
		"no hash":                  strings.Replace(right, hash+",", "", 1),
		"flagged without flags":    strings.Replace(right, `"accepted"`, `"flagged"`, 1),
		"rejected with canonical":  strings.Replace(right, `"accepted"`, `"rejected","reason":"too-long"`, 1),
		"null":                     strings.Replace(right, `"homepage"`, `null`, 1),
		"an unknown step":          with(`"policy"`, `"trace":[{"step":"x","before":"a","after":"b"}],"policy"`),
		"a byte that is no URL's":  with(`"canonical":"https://a.es"`, `"canonical":"https://a.es/ x"`),
		"a review without records": with(`"policy"`, `"trace":[{"step":"review","before":"a","after":"b"}],"policy"`),
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if schema.Validate(value) == nil {
			t.Errorf("%s: the schema takes %s", name, text)
		}
	}
	if value, _ := jsonschema.UnmarshalJSON(strings.NewReader(right)); schema.Validate(value) != nil {
		t.Errorf("the schema refuses %s: %v", right, schema.Validate(value))
	}
}
