package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"visto/canon"
	"visto/review"
	"visto/store/postgrestest"
)

// The function doubt of the schema, which an index is of, is review.Doubt.
func TestDoubt(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), postgrestest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var all canon.CodeSet
	for _, class := range review.DoubtClasses() {
		all |= class.Flags
	}
	codes := all.Codes()
	for i, code := range codes {
		for _, flags := range []canon.CodeSet{0, canon.SetOf(code), canon.SetOf(codes[:i+1]...),
			canon.SetOf(codes[i:]...)} {
			var got int64
			if err := conn.QueryRow(t.Context(), "SELECT doubt($1)", int64(flags)).Scan(&got); err != nil {
				t.Fatal(err)
			}
			if want := review.Doubt(flags); got != want {
				t.Errorf("doubt of %v: %d, not %d", flags, got, want)
			}
		}
	}
}
