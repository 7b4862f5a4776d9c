package sqlite_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"visto/store/sqlite"
)

// listed matches a line of the list of the schema in store/doc.go: a table, or under it an index.
var listed = regexp.MustCompile(`(?m)^//\t( {2})?([a-z_]+) {2,}\S`)

// The list of tables and indexes in store/doc.go is that of the schema, each index under its table.
func TestSchemaIsDescribed(t *testing.T) {
	text, err := os.ReadFile("../doc.go")
	must(t, err)
	var described []string
	table := ""
	for _, m := range listed.FindAllStringSubmatch(string(text), -1) {
		if m[1] == "" {
			table = m[2]
			described = append(described, table)
		} else {
			described = append(described, table+"."+m[2])
		}
	}
	made := sqlite.Schema(t, open(t, filepath.Join(t.TempDir(), "visto.db")))
	slices.Sort(described)
	slices.Sort(made)
	for _, name := range described {
		if !slices.Contains(made, name) {
			t.Errorf("store/doc.go describes %s, which is not there", name)
		}
	}
	for _, name := range made {
		if !slices.Contains(described, name) {
			t.Errorf("store/doc.go does not describe %s", name)
		}
	}
}
