package postgres_test

import (
	"context"
	"testing"

	"visto/store/postgres"
	"visto/store/postgrestest"
	"visto/store/storetest"
)

var load = storetest.LoadFlags()

// TestLoad has several programs work on one database as fast as they can. The long run, at the pace of a held key:
//
//	go test ./store/postgres -run 'TestLoad$' -v -timeout 0 -load 5m -pace 33ms -urls 200000 -limit 100ms
func TestLoad(t *testing.T) { load.Run(t, postgrestest.Database(t), openLoaded) }

// TestLoadProgram is one of the programs of TestLoad.
func TestLoadProgram(t *testing.T) { storetest.LoadProgram(t, openLoaded) }

// TestDecideWhileMany has one reviewer decide a few times a second, while another one writes a rule, and then a
// decision, for all URLs of a large host. The long run reports how long the first one waited:
//
//	go test ./store/postgres -run 'TestDecideWhileMany$' -v -timeout 0 -urls 100000
func TestDecideWhileMany(t *testing.T) {
	s, other := both(t)
	load.DecideWhileMany(t, s, other, func() {})
}

// both opens a new database twice, as two programs do.
func both(t *testing.T) (s, other *postgres.Store) {
	t.Helper()
	url := postgrestest.Database(t)
	for _, s := range []**postgres.Store{&s, &other} {
		var err error
		*s, err = postgres.Open(t.Context(), url, postgres.Options{})
		must(t, err)
		t.Cleanup(func() { (*s).Close() })
	}
	return s, other
}

func openLoaded(url string) (storetest.Loaded, error) {
	return postgres.Open(context.Background(), url, postgres.Options{})
}
