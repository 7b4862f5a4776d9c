package sqlite_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"visto/review"
	"visto/review/health"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

// SQL cannot change the log, decisions and notes.
func TestAppendOnly(t *testing.T) {
	s := decided(t)
	for _, query := range []string{
		"UPDATE log SET summary = 'x'", "DELETE FROM log", "UPDATE decision SET note = 'x'", "DELETE FROM decision",
		"UPDATE note SET text = 'x'", "DELETE FROM note",
	} {
		if err := sqlite.Exec(t, s, query); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// decided returns a store with decisions and a note.
func decided(t *testing.T) *sqlite.Store {
	path := filepath.Join(t.TempDir(), "visto.db")
	must(t, sqlitetest.Blank(path))
	filled(t, path, 3)
	s := open(t, path)
	_, err := s.Commit(t.Context(), approval("berta", 2, 0))
	must(t, err)
	_, err = s.Commit(t.Context(), review.AddNotes{Reviewer: "ana", Notes: []review.ItemNote{{ID: 3, Text: "n"}}})
	must(t, err)
	alone := review.Decision{Kind: review.Reopen, Record: 1}
	_, err = s.Commit(t.Context(), review.Decide{Reviewer: "ana", Action: review.ActReopen,
		Decisions: []review.ItemDecision{{ID: 3, Decision: alone}}})
	must(t, err)
	var link health.Record
	link.Add(health.Observation{Check: health.Check{At: time.Unix(1, 0), Outcome: health.Failed, Status: 410}}, 0,
		health.Settings{})
	must(t, s.KeepChecks(t.Context(), []review.ItemEvidence{{ID: 2, Link: &link}}))
	return s
}

// Check finds changes of the file behind the program's back.
func TestCheckFinds(t *testing.T) {
	oneGoroutine(t)
	const open = "DROP TRIGGER log_no_update; DROP TRIGGER log_no_delete; DROP TRIGGER decision_no_update;" +
		"DROP TRIGGER decision_no_delete; DROP TRIGGER note_no_delete; "
	for _, c := range []struct{ query, want string }{
		{"DROP TRIGGER log_no_update", "the trigger log_no_update is missing"},
		{open + "UPDATE decision SET record_id = NULL WHERE record_id = 1",
			"the decision of batch 4 on URL 3 is another one than in log entry 5"},
		{open + "DELETE FROM decision WHERE record_id = 1",
			"log entry 5 decides on URL 3, and the decision is not stored"},
		{"DROP TABLE host_evidence", "the table host_evidence is missing"},
		{"PRAGMA application_id = 5", "application id"},
		{open + "UPDATE log SET summary = 'x' WHERE seq = 2", "entry 2 was changed"},
		{open + "UPDATE log SET at = at + 1 WHERE seq = 1", "entry 1 was changed"},
		{open + "UPDATE log SET prev = zeroblob(32) WHERE seq = 3", "entry 3 does not chain"},
		{open + "PRAGMA foreign_keys = 0; DELETE FROM log WHERE seq = 2", "entry 3 comes after entry 1"},
		{open + "UPDATE log SET body = '{' WHERE seq = 1", "reading log entry 1"},
		{open + "UPDATE decision SET kind = 3 WHERE item_id = 1", "the decision of batch 1 on URL 1 is another one"},
		{open + "UPDATE decision SET note = 'x' WHERE item_id = 1",
			"the decision of batch 1 on URL 1 is another one"},
		{open + "DELETE FROM decision WHERE item_id = 1",
			"log entry 2 decides on URL 1, and the decision is not stored"},
		{"INSERT INTO decision VALUES (3, 1, 1, 'x', 'x', '', NULL, NULL)",
			"there are 4 rows of decision, and by the log 3"},
		{open + "DELETE FROM note", "the notes of batch 3 are others than in log entry 4"},
		{"INSERT INTO note (item_id, batch_id, text) VALUES (1, 1, 'x')",
			"the notes of batch 1 are others than in log entry 2"},
		{"UPDATE item SET notes = 7 WHERE id = 1", "URL 1 counts its notes wrongly"},
		{"UPDATE item SET batch_id = NULL WHERE id = 1", "URL 1 does not name the decision in force"},
		{"UPDATE item SET approved = 'x' WHERE id = 1", "URL 1 does not name the URL that was approved"},
		{"UPDATE item SET original = 'x' WHERE id = 1", "the original of URL 1 changed since it was added"},
		{"UPDATE item SET position = '7' WHERE id > 1", "the source of URL 2, 3 changed since it was added"},
		{"UPDATE file SET name = 'x'", "the source of URL 1, 2, 3 changed since it was added"},
		{"UPDATE item SET title = 'x' WHERE id = 2", "the title of URL 2 changed since it was added"},
		{"UPDATE batch SET summary = 'x' WHERE id = 2", "batch 2 is another one than in log entry 3"},
		{"UPDATE batch SET reviewer = 'x' WHERE id = 2", "batch 2 is another one than in log entry 3"},
		{"UPDATE batch SET undone_seq = 2, undone_by = 'x' WHERE id = 3", "whether batch 3 is undone"},
		{"INSERT INTO batch_rule (batch_id, after) VALUES (2, '{}')",
			"the overrides that batch 2 changed are others"},
		{"INSERT INTO override (host, path, field, rule, reviewer, at, batch_id) VALUES ('a', '', '', '{}', 'x', 1, 2)",
			"no log entry made override 1 as it is"},
		{"INSERT INTO policy (name, digest, yaml) VALUES ('x', 'x', 'x')",
			"there are 1 rows of policy, and by the log 0"},
		{"UPDATE link_history SET body = x'01' || body", "state: URL 2: the history of a link is damaged"},
		{"DELETE FROM link_history", "the checks of the link of URL 2 are missing"},
		{"UPDATE item SET link = link & ~62 WHERE id = 2", "the link of URL 2 is not as its checks found it"},
		{"UPDATE item SET link = 0", "the link of URL 2 is not as its checks found it"},
		{"UPDATE link_history SET item_id = 1", "the link of URL 1 is not as its checks found it"},
		{"CREATE TABLE mine (x)", "the table mine is none of this program's"},
		{"DROP INDEX item_path", "the index item_path is missing"},
		{"DROP INDEX item_path; CREATE INDEX item_path ON item (id)", "the index item_path is not as it was made"},
		{"PRAGMA user_version = 11", "the version is 11, not "},
		{"UPDATE item_count SET n = n + 1 WHERE open = 1 AND host_id > 0", "the counts of host 1 are wrong"},
		{"UPDATE item_count SET n = n + 1 WHERE open = 1 AND host_id = 0",
			"the counts of all URLs of status 0 are wrong"},
		{"UPDATE item_count SET in_host_id = 1 WHERE open = 1 AND host_id = 0",
			"the counts of all URLs of status 0 are wrong"},
		{"PRAGMA foreign_keys = 0; UPDATE item SET file_id = 99 WHERE id = 1",
			"refers to a row of file that is not there"},
		{"UPDATE record SET path = 'x'", "a text of record 1 changed since it was read"},
		{"UPDATE record SET key = 'x'", "a text of record 1 changed since it was read"},
		{"UPDATE record SET name = 'x'", "a text of record 1 changed since it was read"},
		{"UPDATE record SET attributes = '[]'", "a text of record 1 changed since it was read"},
	} {
		s := decided(t)
		if err := sqlite.Exec(t, s, c.query); err != nil {
			t.Errorf("%s: %v", c.query, err)
			continue
		}
		problems, err := s.Check(t.Context())
		must(t, err)
		var found []string
		for _, p := range problems {
			found = append(found, p.What+": "+p.Text)
		}
		if !strings.Contains(strings.Join(found, "\n"), c.want) {
			t.Errorf("%s: found %q, want %q", c.query, found, c.want)
		}
	}
}
