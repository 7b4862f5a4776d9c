package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/read"
	"visto/store/postgres"
	"visto/store/postgrestest"
	"visto/store/rows"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

// twins are an empty store on PostgreSQL and one on SQLite, with clocks that tell the same.
func twins(t *testing.T) [2]review.Store { return twinsAt(t, clock(), clock()) }

func twinsAt(t *testing.T, now, nowLite func() time.Time) [2]review.Store {
	t.Helper()
	lite, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "visto.db"), sqlite.Options{Now: nowLite})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lite.Close() })
	return [2]review.Store{postgrestest.Open(t, postgres.Options{Now: now}), lite}
}

// clock returns a clock that advances by a second every time it is read.
func clock() func() time.Time {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// Files of all kinds are added again and again, changed each time. Both stores have the same outcomes, rows and log.
// Where an addition takes long, on a busy machine, SQLite cuts it in two and has more entries: another try then.
func TestAddAsSQLite(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for seed := range uint64(suite.Rounds(2, 6)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			for range 30 {
				stores := twins(t)
				addToBoth(t, stores, rand.New(rand.NewPCG(seed, 0)))
				if lastSeq(t, stores[1]) > lastSeq(t, stores[0]) {
					t.Log("SQLite cut an addition")
					continue
				}
				compare(t, stores)
				countsAgree(t, stores[0])
				return
			}
			t.Error("SQLite has more entries each time")
		})
	}
}

func addToBoth(t *testing.T, stores [2]review.Store, random *rand.Rand) {
	t.Helper()
	for range 6 {
		file := fmt.Sprintf("f%d\xff.yaml", random.IntN(3))
		list := citations(random, file)
		var runs [2]review.Intake
		var outcomes [2][]review.AddOutcome
		for i, s := range stores {
			m, err := s.Meta(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			in := &review.Intake{Reviewer: "ana", Computing: review.Computing{Gen: m.Gen}}
			out, err := s.Add(t.Context(), in, list)
			if err == nil {
				err = s.MarkGone(t.Context(), in, file, func(field string) bool { return field != "kept" })
			}
			if err != nil {
				t.Fatal(err)
			}
			runs[i], outcomes[i] = *in, out
		}
		same(t, "outcomes", outcomes)
		same(t, "counts of the run", [2]review.IntakeCounts{runs[0].IntakeCounts, runs[1].IntakeCounts})
	}
}

func lastSeq(t *testing.T, s review.Store) int64 {
	t.Helper()
	m, err := s.Meta(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m.LastSeq
}

// citations are random places of a file, in which URLs stand.
func citations(random *rand.Rand, file string) []review.NewItem {
	records := []*read.Record{nil}
	for i := range 5 {
		records = append(records, &read.Record{ID: fmt.Sprint("id", random.IntN(4)), Path: fmt.Sprintf("/r/%d", i),
			Name: fmt.Sprint("name\x00", random.IntN(9)), Attributes: []read.Attribute{{Name: "tier",
				Values: []string{fmt.Sprint(random.IntN(3))}}}})
	}
	list := make([]review.NewItem, 40)
	for i := range list {
		n := random.IntN(60)
		url := fmt.Sprintf("https://h%d.es/p/%d", n%7, n)
		item := review.NewItem{Original: url + "?\x00\xff", Title: fmt.Sprint("t", n%2),
			Source: review.Source{File: file, Field: "url", Position: fmt.Sprint(i)}, Digest: [32]byte{byte(n)}}
		item.Computed = review.Computed{Canonical: url, Key: rows.Key(url), Host: fmt.Sprintf("h%d.es", n%7),
			InHost: fmt.Sprintf("in%d.es", n%5), Via: []string{"a.es", "b.es"}, Unknown: []string{"x\x00", "&"}}
		if n%3 > 0 {
			item.Computed.Verdict, item.Computed.Flags = canon.Flagged, canon.SetOf(canon.HomePage)
		}
		if n%4 == 0 {
			https := n%8 == 0
			item.Evidence = &canon.Evidence{HTTPS: &https}
		}
		record := records[random.IntN(len(records))]
		place := read.Place{File: file, Field: []string{"url", "kept", "ñ"}[random.IntN(3)], Line: random.IntN(90),
			Path: fmt.Sprint("/r/", i)}
		if item.Occurrence = (&review.NewOccurrence{Place: place, Record: record}); n%10 == 9 {
			item.Occurrence = nil
		}
		list[i] = item
	}
	return list
}

// same fails the test if the two stores differ.
func same[T any](t *testing.T, what string, got [2]T) {
	t.Helper()
	if !reflect.DeepEqual(got[0], got[1]) {
		t.Fatalf("%s:\nPostgreSQL %+v\nSQLite     %+v", what, got[0], got[1])
	}
}

// compare compares all that two stores have.
func compare(t *testing.T, stores [2]review.Store) {
	t.Helper()
	compareAll(t, "log", stores, func(s review.Store, add func(review.Entry)) error {
		return s.EachEntry(t.Context(), func(e review.Entry) error {
			add(e)
			return nil
		})
	})
	compareAll(t, "URLs", stores, func(s review.Store, add func(cited)) error {
		all := review.Filter{Presence: review.AnyPresence}
		return s.EachCited(t.Context(), all, func(it review.Item, ev *canon.Evidence) error {
			add(cited{it, ev})
			return nil
		})
	})
	compareAll(t, "records", stores, func(s review.Store, add func(review.StoredRecord)) error {
		return s.EachRecord(t.Context(), func(r review.StoredRecord) error {
			add(r)
			return nil
		})
	})
	compareAll(t, "occurrences", stores, func(s review.Store, add func(review.StoredOccurrence)) error {
		return s.EachOccurrence(t.Context(), func(o review.StoredOccurrence) error {
			add(o)
			return nil
		})
	})
	compareAll(t, "rest", stores, func(s review.Store, add func(any)) error {
		files, err := s.Files(t.Context())
		add(files)
		if err != nil {
			return err
		}
		m, err := s.Meta(t.Context())
		add(m)
		return err
	})
}

// cited is an item with its evidence.
type cited struct {
	item     review.Item
	evidence *canon.Evidence
}

func compareAll[T any](
	t *testing.T, what string, stores [2]review.Store, read func(s review.Store, add func(T)) error,
) {
	t.Helper()
	var lists [2][]T
	for i, s := range stores {
		if err := read(s, func(v T) { lists[i] = append(lists[i], v) }); err != nil {
			t.Fatal(err)
		}
	}
	if len(lists[0]) != len(lists[1]) {
		t.Fatalf("%s: %d on PostgreSQL, %d on SQLite", what, len(lists[0]), len(lists[1]))
	}
	for i := range lists[0] {
		same(t, what, [2]T{lists[0][i], lists[1][i]})
	}
}

// The kept counts are those of the items.
func countsAgree(t *testing.T, s review.Store) {
	t.Helper()
	const columns = "place_set_id, verdict, status, open, was_open, flags"
	for _, query := range []string{
		"SELECT host_id, in_host_id, " + columns + ", n FROM item_count WHERE host_id > 0 EXCEPT SELECT host_id, " +
			"in_host_id, " + columns + ", count(*) FROM item GROUP BY host_id, in_host_id, " + columns,
		"SELECT host_id, in_host_id, " + columns + ", count(*) FROM item GROUP BY host_id, in_host_id, " + columns +
			" EXCEPT SELECT host_id, in_host_id, " + columns + ", n FROM item_count WHERE host_id > 0",
		"SELECT 0, 0, " + columns + ", count(*) FROM item GROUP BY " + columns + " EXCEPT SELECT host_id, " +
			"in_host_id, " + columns + ", n FROM item_count",
	} {
		n, err := postgres.Rows(t.Context(), s.(*postgres.Store), query)
		if err != nil || n > 0 {
			t.Errorf("%d counts are wrong, %v: %s", n, err, query)
		}
	}
}
