package sqlite_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"visto/review"
	"visto/store/sqlite"
)

// The questions of a probe about every URL are answered by an index.
func TestProbePlans(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	for name, plan := range sqlite.ProbePlans(t, s) {
		for _, line := range plan {
			indexed := strings.Contains(line, "USING COVERING INDEX host_evidence_pending") ||
				strings.HasPrefix(line, "SCAN item USING INDEX item_via") ||
				strings.HasPrefix(line, "SCAN json_each") || strings.HasPrefix(line, "SCAN hop")
			if strings.HasPrefix(line, "SCAN") && !indexed || strings.Contains(line, "TEMP B-TREE") {
				t.Errorf("%s: %q", name, plan)
			}
		}
	}
}

// The due items are one pass over the items in their order, with their due times looked up by ID.
func TestDuePlan(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	plan := strings.Join(sqlite.EachPlan(t, s, review.Filter{Due: time.Unix(1, 0)}), "\n")
	if !strings.Contains(plan, "SEARCH due USING INTEGER PRIMARY KEY") || strings.Contains(plan, "TEMP B-TREE") ||
		strings.Count(plan, "SCAN") != 1+strings.Count(plan, "SCAN pending") {
		t.Errorf("plan:\n%s", plan)
	}
}
