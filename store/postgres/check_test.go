package postgres_test

import (
	"flag"
	"os"
	"testing"

	"visto/store/postgres"
	"visto/store/postgrestest"
)

var update = flag.Bool("update", false, "write schema.txt anew")

// The schema of a new database is the one that Check compares others with.
func TestSchemaText(t *testing.T) {
	text, err := postgres.SchemaText(t.Context(), postgrestest.Open(t, postgres.Options{}))
	must(t, err)
	if *update {
		must(t, os.WriteFile("schema.txt", []byte(text), 0o644))
		return
	}
	known, err := os.ReadFile("schema.txt")
	must(t, err)
	if string(known) != text {
		t.Errorf("schema.txt is out of date; go test ./store/postgres -run TestSchemaText -update writes\n%s", text)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
