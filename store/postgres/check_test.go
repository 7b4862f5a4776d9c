package postgres_test

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/read"
	"visto/store/postgres"
	"visto/store/postgrestest"
)

var update = flag.Bool("update", false, "write schema.txt anew")

// The schema of a new database is the one that Check compares others with.
func TestSchemaText(t *testing.T) {
	text, err := postgres.SchemaText(t.Context(), postgrestest.Open(t, postgres.Options{}))
	must(t, err)
	if *update {
		must(t, os.WriteFile("schema.txt", []byte(text), 0o644))
		return
	}
	known, err := os.ReadFile("schema.txt")
	must(t, err)
	if string(known) != text {
		t.Errorf("schema.txt is out of date; go test ./store/postgres -run TestSchemaText -update writes\n%s", text)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// checked returns a store with decisions, a note, an override and a checked link, in which one URL is settled by the
// approval of another one.
func checked(t *testing.T) *postgres.Store {
	s := open(t)
	var list []review.NewItem
	for _, url := range []string{"https://a.es/1", "https://a.es/2", "https://a.es/3", "https://a.es/4"} {
		n := review.NewItem{Original: url, Source: review.Source{File: "in.txt", Field: "url"}}
		n.Computed = review.Computed{Canonical: url, Host: "a.es", InHost: "a.es", Verdict: canon.Flagged,
			Flags: canon.SetOf(canon.HomePage)}
		n.Occurrence = &review.NewOccurrence{Record: &read.Record{ID: "r", Path: "/r"},
			Place: read.Place{File: "in.txt", Field: "url", Line: 1}}
		list = append(list, n)
	}
	list[3].Evidence = &canon.Evidence{Status: 200}
	_, err := s.Add(t.Context(), &review.Intake{Reviewer: "ana"}, list)
	must(t, err)
	decision := func(item int64, d review.Decision) review.Change {
		return review.Decide{Reviewer: "ana", Action: review.ActApprove,
			Decisions: []review.ItemDecision{{ID: item, Decision: d}}}
	}
	for _, c := range []review.Change{
		decision(1, review.Decision{Kind: review.Approve, Canonical: "https://a.es/2"}),
		decision(3, review.Decision{Kind: review.Reopen, Record: 1}),
		review.AddNotes{Reviewer: "ana", Notes: []review.ItemNote{{ID: 3, Text: "n"}}},
		review.ChangeRules{Reviewer: "ana", Results: review.Results{LastID: 4}, Overrides: []review.OverrideChange{
			{After: &canon.Override{Match: canon.Match{Host: "a.es"}, Note: "x"}}}},
	} {
		_, err = s.Commit(t.Context(), c)
		must(t, err)
	}
	var link health.Record
	link.Add(health.Observation{Check: health.Check{At: time.Unix(1, 0), Outcome: health.Failed, Status: 410}}, 0,
		health.Settings{})
	must(t, s.KeepChecks(t.Context(), []review.ItemEvidence{{ID: 3, Link: &link}}))
	return s
}

// The server refuses to change the log, decisions and notes.
func TestAppendOnly(t *testing.T) {
	s := checked(t)
	for _, query := range []string{"UPDATE log SET summary = 'x'", "DELETE FROM log", "UPDATE decision SET note = 'x'",
		"DELETE FROM decision", "UPDATE note SET text = 'x'", "DELETE FROM note", "TRUNCATE log CASCADE"} {
		if err := postgres.Exec(t.Context(), s, query); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// Check finds changes behind the program's back.
func TestCheckFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	const off = "SET LOCAL session_replication_role = replica; " // no triggers
	s := checked(t)
	problems, err := s.Check(t.Context())
	must(t, err)
	if len(problems) > 0 {
		t.Fatalf("a sound store has problems: %v", problems)
	}
	for _, c := range []struct{ query, want string }{
		{"DROP TRIGGER log_append_only ON log", "the trigger log_append_only is missing"},
		{"ALTER TABLE log DISABLE TRIGGER log_append_only", "the trigger log_append_only is not as it was made"},
		{"DROP TABLE mined", "the table mined is missing"},
		{"CREATE TABLE mine (x int)", "the table mine is none of this program's"},
		{"DROP INDEX item_path", "the index item_path is missing"},
		{"DROP INDEX item_path; CREATE INDEX item_path ON item (id)", "the index item_path is not as it was made"},
		{"ALTER TABLE item ALTER title DROP NOT NULL", "the column item.title is not as it was made"},
		{"ALTER TABLE item DROP CONSTRAINT item_file_id_fkey", "the constraint item.item_file_id_fkey is missing"},
		{"CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
			"the function refuse_change is not as it was made"},
		{"INSERT INTO schema_version VALUES (99)", "the step 99 is none of this program's"},
		{off + "UPDATE log SET summary = 'x' WHERE seq = 2", "entry 2 was changed"},
		{off + "UPDATE log SET prev = '' WHERE seq = 3", "entry 3 does not chain"},
		{off + "DELETE FROM log WHERE seq = 2", "entry 3 comes after entry 1"},
		{off + "UPDATE log SET body = '{' WHERE seq = 1", "reading log entry 1"},
		{off + "UPDATE decision SET record_id = NULL WHERE record_id = 1",
			"the decision of batch 2 on URL 3 is another one than in log entry 3"},
		{off + "UPDATE decision SET note = 'x' WHERE item_id = 1",
			"the decision of batch 1 on URL 1 is another one than in log entry 2"},
		{off + "DELETE FROM decision WHERE item_id = 1",
			"log entry 2 decides on URL 1, and the decision is not stored"},
		{"INSERT INTO decision VALUES (3, 1, 1, 'x', 'x', '', NULL, NULL)",
			"there are 3 rows of decision, and by the log 2"},
		{off + "DELETE FROM note", "the notes of batch 3 are others than in log entry 4"},
		{"UPDATE batch SET summary = 'x' WHERE id = 2", "batch 2 is another one than in log entry 3"},
		{off + "DELETE FROM batch WHERE id = 2", "batch 2 of log entry 3 is not stored"},
		{"UPDATE batch SET undone_seq = 2, undone_by = 'x' WHERE id = 3", "whether batch 3 is undone"},
		{"INSERT INTO batch_rule (batch_id, host, after) VALUES (2, '', '{}')",
			"the overrides that batch 2 changed are others"},
		{"UPDATE override SET at = 1", "no log entry made override 1 as it is"},
		{"UPDATE override SET path = '/x'", "override 1 is stored for another place than its rule names"},
		{"INSERT INTO policy (name, digest, yaml) VALUES ('x', 'x', 'x')",
			"there are 1 rows of policy, and by the log 0"},
		{"UPDATE item SET notes = 7 WHERE id = 1", "URL 1 counts its notes wrongly"},
		{"UPDATE item SET batch_id = NULL WHERE id = 1", "URL 1 does not name the decision in force"},
		{"UPDATE item SET approved = 'x' WHERE id = 1", "URL 1 does not name the URL that was approved"},
		{"UPDATE item SET settled_by = 4 WHERE id = 2", "URL 2 is settled by an approval that is not there"},
		{"UPDATE occurrence SET gone = 1 WHERE id = 1", "URL 1 does not name the files and fields that cite it"},
		{"UPDATE place_set SET members = '7:7' WHERE id > 0", "place set 1 has other members than its text"},
		{"UPDATE item_count SET n = n + 1 WHERE open AND host_id > 0", "the counts of host "},
		{"UPDATE item_count SET n = n + 1 WHERE open AND host_id = 0", "the counts of all URLs of status 0 are wrong"},
		{"UPDATE item_count SET in_host_id = 1 WHERE open AND host_id = 0",
			"the counts of all URLs of status 0 are wrong"},
		{"UPDATE item SET original = 'x' WHERE id = 1", "the original of URL 1 changed since it was added"},
		{"UPDATE item SET position = '7' WHERE id > 2", "the source of URL 3, 4 changed since it was added"},
		{"UPDATE item SET title = 'x' WHERE id = 2", "the title of URL 2 changed since it was added"},
		{"UPDATE evidence SET body = '{}'", "the evidence of URL 4 changed since it was added"},
		{off + "DELETE FROM field", "4 rows of item refer to rows of field that are not there"},
		{off + "DELETE FROM batch WHERE id = 2", "1 rows of decision refer to rows of batch that are not there"},
		{"UPDATE record SET name = 'x'", "a text of record 1 changed since it was read"},
		{"UPDATE record SET is_record = false, seal = 0", "a text of record 1 changed since it was read"},
		{"UPDATE link_history SET body = 'x'", "state: URL 3: the history of a link has version 120"},
		{"DELETE FROM link_history", "the checks of the link of URL 3 are missing"},
		{"UPDATE item SET link = 0", "the link of URL 3 is not as its checks found it"},
	} {
		t.Run(c.query, func(t *testing.T) {
			s := checked(t)
			must(t, postgres.Exec(t.Context(), s, c.query))
			problems, err := s.Check(t.Context())
			must(t, err)
			var found []string
			for _, p := range problems {
				found = append(found, p.What+": "+p.Text)
			}
			if !strings.Contains(strings.Join(found, "\n"), c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}

// The log covers where occurrences stand, which moves when their file is read again.
func TestPlacesAreCovered(t *testing.T) {
	for _, query := range []string{"UPDATE place SET path = '+/x'", "UPDATE occurrence SET line = 7 WHERE id = 2",
		"UPDATE occurrence SET col = 7 WHERE id = 2", "UPDATE record SET path = '/x'"} {
		s := open(t)
		d, err := review.Open(t.Context(), s, "ana", nil)
		must(t, err)
		for line := 1; line <= 2; line++ {
			_, err := d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
				for _, url := range []string{"https://a.es/1", "https://a.es/2"} {
					must(t, yield(review.Found{URL: url, Record: &read.Record{ID: "r", Path: "/r"},
						Place: read.Place{File: "in.yaml", Field: "url", Path: "/r/url", Line: line}}))
				}
				return nil
			})
			must(t, err)
		}
		problems, err := d.Check(t.Context())
		must(t, err)
		if len(problems) > 0 {
			t.Fatalf("a sound store has problems: %v", problems)
		}
		must(t, postgres.Exec(t.Context(), s, query))
		if problems, err = d.Check(t.Context()); err != nil || len(problems) == 0 ||
			!strings.Contains(problems[len(problems)-1].Text, "the place of an occurrence was changed") {
			t.Errorf("%s: found %v, %v", query, problems, err)
		}
	}
}
