package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"visto/store/sqlite"
	"visto/store/storetest"
)

var load = storetest.LoadFlags()

// TestLoad has several programs work on one file as fast as they can. The long run, at the pace of a held key:
//
//	go test ./store/sqlite -run 'TestLoad$' -v -timeout 0 -load 5m -pace 33ms -urls 200000 -limit 100ms
func TestLoad(t *testing.T) { load.Run(t, filepath.Join(t.TempDir(), "visto.db"), openLoaded) }

// TestLoadProgram is one of the programs of TestLoad.
func TestLoadProgram(t *testing.T) { storetest.LoadProgram(t, openLoaded) }

func openLoaded(path string) (storetest.Loaded, error) {
	return sqlite.Open(context.Background(), path, sqlite.Options{Create: true})
}

// TestDecideWhileMany has one reviewer decide a few times a second, while another one writes a rule, and then a
// decision, for all URLs of a large host. The long run reports how long the first one waited:
//
//	go test ./store/sqlite -run 'TestDecideWhileMany$' -v -timeout 0 -urls 100000
func TestDecideWhileMany(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s := open(t, path)
	load.DecideWhileMany(t, s, open(t, path), func() { sqlite.WaitApplied(s) })
}
