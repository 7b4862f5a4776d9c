package postgres_test

import (
	"slices"
	"testing"

	"visto/review"
	"visto/store/postgres"
)

// A reading does not wait for the end of its snapshot, but the next one waits for the connection: the server opens no
// other one, and plans what finds rows by their keys once.
func TestReadingsInTurnShareAConnection(t *testing.T) {
	s := open(t)
	m, err := s.Meta(t.Context())
	must(t, err)
	added, err := s.Add(t.Context(), &review.Intake{Reviewer: "ana", Computing: review.Computing{Gen: m.Gen}},
		[]review.NewItem{{Original: "https://h.es/"}})
	must(t, err)
	for range 50 {
		_, err := s.Item(t.Context(), added[0].ID)
		must(t, err)
	}
	if n := postgres.Connections(s); n != 1 {
		t.Errorf("50 readings in turn take %d connections", n)
	}
	plans := postgres.Column(t, s, `SELECT (custom_plans || ' ' || generic_plans)::bytea FROM pg_prepared_statements
		WHERE statement LIKE 'SELECT i.id, i.original, i.canonical,%' OR statement LIKE 'SELECT o.item_id, o.id,%'`)
	if want := []string{"0 50", "0 50"}; !slices.Equal(plans, want) {
		t.Errorf("custom and generic plans: %q, want %q", plans, want)
	}
}
