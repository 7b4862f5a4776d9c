package sqlite_test

import (
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

// A database of an earlier schema opens with an occurrence for each URL, at the place where it was read. The log covers
// these from then on, and the URLs of schema 11 too: once. testdata/schema has one database of schema 13, with
// decisions, and one of schema 11.
func TestCoverOld(t *testing.T) {
	oneGoroutine(t)
	for version, entries := range map[int]int{11: 4, 12: 10, 13: 10} {
		path := older(t, map[int]int{11: 11, 12: 13, 13: 13}[version])
		if version == 12 {
			script(t, path, "DROP TABLE index_to_build; PRAGMA user_version = 12")
		}
		for range 2 {
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			must(t, err)
			if got := entriesOf(t, s); len(got) != entries {
				t.Errorf("schema %d: the log has %d entries, not %d", version, len(got), entries)
			}
			d, err := review.Open(t.Context(), s, "ana", nil)
			must(t, err)
			problems, err := d.Check(t.Context())
			must(t, err)
			if len(problems) > 0 {
				t.Errorf("schema %d: check: %v", version, problems)
			}
			it, err := s.Item(t.Context(), 3)
			must(t, err)
			if o := it.Occurrences; len(o) != 1 || o[0].File != "registry.yaml" || o[0].Field != "portal_url" ||
				o[0].Path != "8" || !it.Open() {
				t.Errorf("schema %d: %+v", version, it)
			}
			must(t, s.Close())
		}
	}
}
