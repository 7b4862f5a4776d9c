package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

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
