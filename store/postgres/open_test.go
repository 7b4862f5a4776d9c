package postgres_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"visto/store/migrations"
	"visto/store/postgres"
	"visto/store/postgrestest"
)

// Programs that open a database without tables at once all find them made.
func TestMigrateAtOnce(t *testing.T) {
	db := postgrestest.Empty(t)
	if _, err := postgres.Open(t.Context(), db, postgres.Options{}); !errors.Is(err, postgres.ErrMissing) {
		t.Fatalf("without tables: %v", err)
	}
	const programs = 4
	opened := make(chan error, programs)
	for range programs {
		go func() {
			s, err := postgres.Open(context.Background(), db, postgres.Options{Create: true})
			if err == nil {
				_, err = s.Meta(context.Background())
				s.Close()
			}
			opened <- err
		}()
	}
	for range programs {
		if err := <-opened; err != nil {
			t.Error(err)
		}
	}
}

// A database is finished wherever making it was interrupted, and has the schema of a new one, with which check compares
// it.
func TestMigrateInterrupted(t *testing.T) {
	for done := range postgres.Steps() {
		db := postgrestest.Empty(t)
		must(t, postgres.Migrate(t, db, postgres.Steps()[:done]))
		s, err := postgres.Open(t.Context(), db, postgres.Options{Create: true})
		must(t, err)
		if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
			t.Errorf("after %d steps: check: %v %v", done, problems, err)
		}
		must(t, s.Close())
	}
}

// A step that fails leaves the database at the step before: a program that knows only that one can use it.
func TestMigrateFails(t *testing.T) {
	db := postgrestest.Database(t)
	broken := migrations.Step{Number: postgres.Steps().Latest() + 1, Name: "shade.sql",
		SQL: "CREATE TABLE shade (id bigint); DROP TABLE missing;"}
	err := postgres.Migrate(t, db, append(slices.Clone(postgres.Steps()), broken))
	if err == nil || !strings.Contains(err.Error(), "bringing the schema up to date by shade.sql: ") {
		t.Errorf("a broken step: %v", err)
	}
	s, err := postgres.Open(t.Context(), db, postgres.Options{})
	must(t, err)
	defer s.Close()
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
}

// A newer schema is refused, and stays as it is. So is a database that cannot hold the texts.
func TestRefusedDatabases(t *testing.T) {
	db := postgrestest.Database(t)
	execute(t, db, "INSERT INTO schema_version VALUES (1000)")
	if _, err := postgres.Open(t.Context(), db, postgres.Options{Create: true}); !errors.Is(err, postgres.ErrNewer) {
		t.Errorf("a newer schema: %v", err)
	}
	latin := postgrestest.Empty(t, "ENCODING 'LATIN1'", "LC_COLLATE 'C'", "LC_CTYPE 'C'")
	_, err := postgres.Open(t.Context(), latin, postgres.Options{Create: true})
	if !errors.Is(err, postgres.ErrEncoding) {
		t.Errorf("in Latin-1: %v", err)
	}
}

func execute(t *testing.T, db, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), db)
	must(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(t.Context(), sql)
	must(t, err)
}
