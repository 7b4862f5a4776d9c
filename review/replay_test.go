package review_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"visto/review"
	"visto/review/health"
	"visto/store/sqlite"
	"visto/store/sqlitetest"

	_ "modernc.org/sqlite"
)

// replayed runs Replay in a new database and returns the differences.
func (d *desk) replayed() string {
	d.Helper()
	problems, err := d.Replay(d.Context(), func(now func() time.Time) (review.Replayer, error) {
		s, err := sqlitetest.Open(d.Context(), filepath.Join(d.TempDir(), "fresh.db"), sqlite.Options{Now: now})
		if err == nil {
			d.Cleanup(func() { d.must(s.Close()) })
		}
		return s, err
	})
	d.must(err)
	var all strings.Builder
	for _, p := range problems {
		all.WriteString(p.What + ": " + p.Text + "\n")
	}
	return all.String()
}

// gone stores a check of each item, after a decision on it, that its page is gone for good.
func (d *desk) gone(ids ...int64) {
	d.Helper()
	var link health.Record
	link.Add(health.Observation{Check: health.Check{At: d.now, Outcome: health.Failed, Status: 410}}, 99,
		health.Settings{})
	for _, id := range ids {
		d.must(d.store().KeepChecks(d.Context(), []review.ItemEvidence{{ID: id, Link: &link}}))
	}
}

// Replay finds changes of tables without the log, and changes of both without their consequences.
func TestReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("smaller tests go the same ways in several goroutines")
	}
	build := func(t *testing.T) *desk {
		d := town(t)
		exported(t, d)
		d.save(rules["drop"])
		d.gone(1)
		return d
	}
	if found := build(t).replayed(); found != "" {
		t.Errorf("of a sound database: %s", found)
	}
	for _, test := range []struct{ statement, want string }{
		{"UPDATE item SET status = 3 WHERE id = 3", "URL 3 is rejected, and by the replay"},
		{"UPDATE item SET canonical = 'https://otra.es' WHERE id = 3", "URL 3 is stored as https://otra.es"},
		{"UPDATE item SET batch_id = NULL, status = 0 WHERE id = 1",
			"URL 1 is pending, and by the replay approved"},
		{"UPDATE item SET flags = 0, open = 0 WHERE id = 1", "URL 1 is stored as"},
		{"UPDATE item SET link = 0 WHERE id = 1", "URL 1 is approved, and by the replay approved, or has"},
		{"UPDATE link_history SET item_id = 2 WHERE item_id = 1", "URL 1 is stored as"},
		{"DELETE FROM item WHERE id = 13", "the count of URLs differs"},
		{"UPDATE override SET reviewer = 'x'", "the set of overrides differs"},
		{"UPDATE policy SET name = 'x'", "the policy differs"},
		{"UPDATE batch SET summary = 'x' WHERE id = 2", "batch 2 differs"},
		{"DROP TRIGGER note_no_update; UPDATE note SET text = 'x'", "the list of notes of URL 1 differs"},
		{"DROP TRIGGER decision_no_update; UPDATE decision SET note = 'x'", "the history of URL 1 differs"},
		{"DROP TRIGGER log_no_update; UPDATE log SET summary = 'x' WHERE seq = 3",
			"the replay's log is another one"},
		{"UPDATE batch SET undone_seq = 0, undone_by = ''", "batch 6 differs"},
		{"DROP TRIGGER log_no_update; UPDATE log SET batch_id = 77 WHERE seq = 4",
			"log entry 4, of batch 77, is entry 4 of batch 3"},
		{"DROP TRIGGER log_no_delete; PRAGMA foreign_keys = 0; DELETE FROM log WHERE seq = 3", "log entry 4"},
	} {
		d := build(t)
		db, err := sql.Open("sqlite", "file:"+d.path+"?_pragma=foreign_keys(0)")
		d.must(err)
		_, err = db.Exec(test.statement)
		d.must(err)
		d.must(db.Close())
		if found := d.replayed(); !strings.Contains(found, test.want) {
			t.Errorf("%s: found %q, test.want %q", test.statement, found, test.want)
		}
	}
}

// A URL that the log lacks is no difference of the others, whose links were checked.
func TestReplayOfUnknownLink(t *testing.T) {
	d := newDesk(t)
	d.add("https://a.ejemplo.gob.es/tramite/1?plaza=1", "https://b.ejemplo.gob.es/tramite/2?plaza=1")
	d.gone(1, 2)
	db, err := sql.Open("sqlite", "file:"+d.path+"?_pragma=foreign_keys(0)")
	d.must(err)
	_, err = db.Exec("UPDATE item SET id = 3 WHERE id = 2; UPDATE link_history SET item_id = 3 WHERE item_id = 2")
	d.must(err)
	d.must(db.Close())
	if found := d.replayed(); strings.Contains(found, "URL 1") || !strings.Contains(found, "URL 3 is URL 2") {
		t.Error(found)
	}
}

// TestReplayOfLateCover replays a log that covers its items after decisions on them, as that of a database of schema
// 11 does.
func TestReplayOfLateCover(t *testing.T) {
	other := newDesk(t)
	other.add("https://a.ejemplo.gob.es/tramite/1?plaza=1", "https://a.ejemplo.gob.es/", "https://b.ejemplo.gob.es/x")
	var list []review.NewItem
	for _, it := range other.items(review.Filter{}) {
		list = append(list, review.NewItem{Original: it.Original, Source: it.Source, Title: it.Title,
			Computed: it.Computed, Digest: review.DigestOf(it.Original, it.Source, it.Title, nil)})
	}
	d := newDesk(t)
	m, err := d.Meta(t.Context())
	d.must(err)
	_, err = d.store().Replay(t.Context(), review.Replayed{Added: list, Uncovered: true,
		EntryInfo: review.EntryInfo{Reviewer: "ana", Action: review.ActAdd}, Computing: review.Computing{Gen: m.Gen}})
	d.must(err)
	d.approve(1, 2)
	_, _, err = d.Undo(t.Context(), 0)
	d.must(err)
	d.store() // to open the file covers its items
	d.add("https://c.ejemplo.gob.es/")
	d.approve(3, 4)
	if found := d.replayed(); found != "" {
		t.Error(found)
	}
	problems, err := d.Check(t.Context())
	if err != nil || len(problems) > 0 {
		t.Errorf("check: %v, %v", problems, err)
	}
}

// Check and Replay agree on URLs that are approved canonical URLs of others: decided, undone, and added later.
func TestReplaySettled(t *testing.T) {
	d := newDesk(t)
	d.add("http://www.boe.es/", "https://www.boe.es", "https://www.sepe.es/prestaciones/solicitud-de-paro")
	d.decide(review.Approve, "http://www.boe.es/")
	d.must(d.correct(review.CorrectAsTyped, "https://www.sepe.es/prestaciones/solicitud-de-paro",
		"https://www.sepe.es/"))
	d.add("https://www.sepe.es/")
	for _, url := range []string{"https://www.boe.es", "https://www.sepe.es/"} {
		if it := d.item(url); it.Status != review.Approved || it.Open() || it.Canonical() != url {
			t.Errorf("%s is %s, to cite as %s", url, it.Status, it.Canonical())
		}
	}
	d.decide(review.Reject, "https://www.sepe.es/")
	d.undo()
	d.sound()
	d.replaysSame()
	d.undo()
	d.undo()
	if it := d.item("https://www.boe.es"); it.Status != review.Pending {
		t.Errorf("after the undo it is %s", it.Status)
	}
	d.sound()
	d.replaysSame()
}
