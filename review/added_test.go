package review_test

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// sealed returns the seal that the store gives to texts: an attacker can compute it.
func sealed(texts ...string) int64 {
	var sum uint32
	table := crc32.MakeTable(crc32.Castagnoli)
	for _, text := range texts {
		length := binary.BigEndian.AppendUint64(nil, uint64(len(text)))
		sum = crc32.Update(crc32.Update(sum, table, length), table, []byte(text))
	}
	return int64(sum)
}

// attack changes the file with plain SQL.
func (d *desk) attack(statement string, args ...any) {
	d.Helper()
	db, err := sql.Open("sqlite", "file:"+d.path+"?_pragma=foreign_keys(0)")
	d.must(err)
	_, err = db.Exec(statement, args...)
	d.must(err)
	d.must(db.Close())
}

// A URL that no person decided on is accepted on the word of the input alone. A change of this input is found even if
// every checksum is changed with it (spec 11: `check` verifies the chain and that replaying the log gives the state).
func TestInputIsCovered(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	const url, other = "https://a.ejemplo.gob.es/a/b/uno-dos-tres", "https://a.ejemplo.gob.es/a/b/uno-dos-mal"
	place := read.Place{File: "a.csv", Field: "url", Path: "2"}
	status := &canon.Evidence{Status: 200, Title: "Ayuda"}
	build := func() *desk {
		d := newDesk(t)
		d.addFound(review.Found{URL: url, Place: place},
			review.Found{URL: url + "-4", Title: "Padrón"}, review.Found{URL: url + "-5", Evidence: status})
		d.add(url + "-6")
		for i, ev := range []canon.Evidence{{Status: 200, Title: "Padrón municipal"}, {Status: 410}} {
			d.probe(&script{answers: map[string]canon.Evidence{url + "-4": ev, url + "-6": ev}},
				noon.Add(time.Duration(i)*48*time.Hour)) // evidence replaces the title that was read
		}
		return d
	}
	sound := build()
	sound.sound()
	if found := sound.replayed(); found != "" {
		t.Errorf("of a sound database: %s", found)
	}
	forged := newDesk(t)
	forged.addFound(review.Found{URL: other, Place: place})
	for name, attack := range map[string]func(*desk){
		"an original with its result, key and seal": func(d *desk) {
			d.attack("ATTACH ? AS forged; UPDATE item SET (original, canonical, original_key, page_key, seal) = "+
				"(SELECT original, canonical, original_key, page_key, seal FROM forged.item) WHERE id = 1", forged.path)
			problems, err := d.store().Check(t.Context())
			d.must(err)
			if len(problems) > 0 {
				t.Errorf("the forgery is not whole: %v", problems)
			}
		},
		"a place": func(d *desk) {
			d.attack("UPDATE item SET position = '3', seal = ? WHERE id = 1", sealed(url, "a.csv", "url", "3"))
		},
		"a title": func(d *desk) { d.attack("UPDATE item SET title = 'x', title_seal = ? WHERE id = 3", sealed("x")) },
		"a title of a probe": func(d *desk) {
			d.attack("UPDATE item SET title = 'x', title_seal = ? WHERE id = 2", sealed("x"))
		},
		"evidence": func(d *desk) {
			d.attack("UPDATE evidence SET body = ?1, seal = ?2 WHERE item_id = 3", `{"url":"","status":404}`,
				sealed(`{"url":"","status":404}`))
		},
		"the last URL": func(d *desk) {
			d.attack("UPDATE item SET original = original || '7', original_key = x'00', seal = 0 WHERE id = 4")
		},
		"one more URL": func(d *desk) {
			d.attack("INSERT INTO item (id, rev, original_key, original, file_id, field_id, position, title, " +
				"canonical, verdict, reason, flags, unknown, in_host_id, host_id, link_type, language, via, status, " +
				"was_open, open, seal, title_seal, place_set_id) " +
				"SELECT 5, 1, x'00', 'https://x.es', file_id, field_id, position, " +
				"title, canonical, verdict, reason, flags, unknown, in_host_id, host_id, link_type, language, via, " +
				"status, was_open, open, seal, title_seal, place_set_id FROM item WHERE id = 1")
		},
	} {
		d := build()
		attack(d)
		problems, err := d.Check(t.Context())
		d.must(err)
		if found := fmt.Sprint(problems); !strings.Contains(found, "given") {
			t.Errorf("%s: check found %s", name, found)
		}
		if d.replayed() == "" {
			t.Errorf("%s: replay found nothing", name)
		}
	}
}

// Records and occurrences are input too: check and replay find one that was changed, whatever its checksum says.
func TestRecordsAreCovered(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	build := func() *desk {
		d := newDesk(t)
		boe := &read.Record{Path: "/0", ID: "boe", Name: "BOE", Attributes: []read.Attribute{{Name: "tier",
			Values: []string{"1"}}}}
		place := read.Place{File: "/r.yaml", Field: "url", Path: "/0/url", Line: 2, Column: 3}
		d.addFound(review.Found{URL: "https://a.ejemplo.gob.es/a/b/uno-dos-tres", Place: place, Record: boe},
			review.Found{URL: "https://a.ejemplo.gob.es/a/b/uno-dos-seis",
				Place: read.Place{File: "/u.txt", Path: "1:1"}})
		changed := *boe
		changed.Name, changed.Path = "Boletín", "/1"
		place.Path, place.Line = "/1/url", 4
		d.addFound(review.Found{URL: "https://a.ejemplo.gob.es/a/b/uno-dos-tres", Place: place, Record: &changed})
		return d
	}
	sound := build()
	sound.sound()
	if found := sound.replayed(); found != "" {
		t.Errorf("of a sound database: %s", found)
	}
	for name, attack := range map[string]func(*desk){
		"a name": func(d *desk) {
			d.attack("UPDATE record SET name = 'x', seal = ? WHERE id = 1", sealed("/1", "boe", "x",
				"\x1etier\x1f1\x1e"))
		},
		"an item":    func(d *desk) { d.attack("UPDATE occurrence SET item_id = 2 WHERE id = 1") },
		"a record":   func(d *desk) { d.attack("UPDATE occurrence SET record_id = 2 WHERE id = 1") },
		"a presence": func(d *desk) { d.attack("UPDATE occurrence SET gone = 2 WHERE id = 1") },
		"a path":     func(d *desk) { d.attack("UPDATE place SET path = '+/x' WHERE path = '+/url'") },
		"a line":     func(d *desk) { d.attack("UPDATE occurrence SET line = 2 WHERE id = 1") }, // where it was
		"a column":   func(d *desk) { d.attack("UPDATE occurrence SET col = col + 1 WHERE id = 2") },
		"two lines": func(d *desk) {
			d.attack("UPDATE occurrence SET line = (SELECT sum(line) FROM occurrence) - line")
		},
		"a path of a record": func(d *desk) {
			d.attack("UPDATE record SET path = '/7', seal = ? WHERE id = 1", sealed("/7", "boe", "Boletín",
				"\x1etier\x1f1\x1e"))
		},
		"one less": func(d *desk) { d.attack("DELETE FROM occurrence WHERE id = 2") },
		"one more": func(d *desk) {
			d.attack("INSERT INTO occurrence SELECT 9, 1, 2, place_id, 1, 1, 0 FROM occurrence LIMIT 1")
		},
		"a place set": func(d *desk) { d.attack("UPDATE item SET place_set_id = 2 WHERE id = 1") },
		"one more record": func(d *desk) {
			d.attack("INSERT INTO record SELECT 9, file_id, 7, 0, '', '', '', '', 0 FROM record WHERE id = 2")
		},
	} {
		d := build()
		attack(d)
		problems, err := d.Check(t.Context())
		d.must(err)
		if len(problems) == 0 {
			t.Errorf("%s: check found nothing", name)
		}
		if d.replayed() == "" && name != "a place set" {
			t.Errorf("%s: replay found nothing", name)
		}
	}
}

// The entries of older programs have no sum of places. They are sound, and the next entry has the sum of all.
func TestPlacesOfOlderPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	d := newDesk(t)
	at := func(line int) review.Found {
		return review.Found{URL: "https://a.ejemplo.gob.es/a/b/uno-dos-tres",
			Place: read.Place{File: "/u.txt", Path: "1:1", Line: line, Column: 1}}
	}
	d.addFound(at(1))
	d.addFound(at(2))
	d.leaveOutPlaces()
	d.sound()
	if found := d.replayed(); found != "" {
		t.Errorf("replay found %s", found)
	}
	d.attack("UPDATE occurrence SET line = 3")
	d.sound()
	d.addFound(at(4))
	d.sound()
	if found := d.replayed(); found != "" {
		t.Errorf("after another entry replay found %s", found)
	}
	d.attack("UPDATE occurrence SET line = 3")
	if problems, err := d.Check(t.Context()); err != nil || len(problems) != 1 {
		t.Errorf("check found %v, %v", problems, err)
	}
}

// leaveOutPlaces writes the log as a program would that knows no sums of places.
func (d *desk) leaveOutPlaces() {
	d.Helper()
	var last [32]byte
	d.attack("DROP TRIGGER log_no_update")
	d.must(d.store().EachEntry(d.Context(), func(e review.Entry) error {
		body, err := e.Read()
		d.must(err)
		if body.Places != "" {
			body.Places = ""
			e.Body = body.IntakeEntry.Body()
		}
		e.Prev = last
		last = e.Chain()
		d.attack("UPDATE log SET body = ?, prev = ?, hash = ? WHERE seq = ?", e.Body, e.Prev[:], last[:], e.Seq)
		return nil
	}))
	d.attack("CREATE TRIGGER log_no_update BEFORE UPDATE ON log\n" +
		"BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END")
}
