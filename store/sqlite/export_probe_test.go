package sqlite

import (
	"testing"

	"visto/review"
)

// ProbePlans returns SQLite's plans for the queries of a probe, by name.
func ProbePlans(t *testing.T, s *Store) map[string][]string {
	late, args := lateItems(&review.Results{LastID: 7, Gen: 3}, []string{"boe.es", "www.boe.es"})
	plans := map[string][]string{"late items": plan(t, s.read, late, args)}
	for name, query := range map[string]string{
		"newly known hosts": "SELECT h.name FROM host_evidence e JOIN host h ON h.id = e.host_id WHERE e.gen > 0 " +
			"AND e.gen > 3",
		"hosts to propagated": "SELECT h.name FROM host_evidence e JOIN host h ON h.id = e.host_id " +
			"WHERE e.propagated = 0",
		"propagated": "UPDATE host_evidence SET propagated = 1 WHERE propagated = 0 AND gen <= 3 " +
			"AND host_id = (SELECT id FROM host WHERE name = 'x')",
		"robots.txt": "SELECT at, status, body FROM robots WHERE origin = 'x'",
		"host":       "SELECT at, https, preferred FROM probed_host WHERE host = 'x'",
		"evidence":   "SELECT body FROM evidence WHERE item_id = 7",
		"postponed":  "SELECT until, why FROM postponed WHERE item_id = 7",
	} {
		plans[name] = plan(t, s.read, query, nil)
	}
	return plans
}
