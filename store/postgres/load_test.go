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

func openLoaded(url string) (storetest.Loaded, error) {
	return postgres.Open(context.Background(), url, postgres.Options{})
}
