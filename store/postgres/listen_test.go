package postgres_test

import (
	"testing"
	"time"

	"visto/review"
	"visto/store/postgres"
	"visto/store/postgrestest"
)

// A write of one program changes the version of the other, which listens from its first question on.
func TestVersionAcrossPrograms(t *testing.T) {
	db := postgrestest.Database(t)
	var stores [2]*postgres.Store
	for i := range stores {
		s, err := postgres.Open(t.Context(), db, postgres.Options{})
		must(t, err)
		defer s.Close()
		stores[i] = s
	}
	writes, listens := stores[0], stores[1]
	before, err := listens.Version(t.Context())
	must(t, err)
	_, err = writes.Add(t.Context(), &review.Intake{}, []review.NewItem{{Original: "https://h.es/a"}})
	must(t, err)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		after, err := listens.Version(t.Context())
		must(t, err)
		if after != before {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the version is the same after another program has written")
		}
	}
}
