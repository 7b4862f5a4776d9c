package sqlite_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// samples are n items to add.
func samples(n int) []review.NewItem {
	list := make([]review.NewItem, n)
	for i := range list {
		list[i] = sample(i)
	}
	return list
}

// Many URLs are added chunk by chunk, while others decide on them and add some. The outcomes are in the order of the
// list.
func TestAddInPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	chunks, decided := 0, 0
	sqlite.Chunks(s, few, func() {
		chunks++
		r, err := other.Commit(t.Context(), approval("berta", int64(decided+1), 1))
		if err != nil || r.Decided != 1 {
			t.Errorf("after %d chunks: %+v, %v", chunks, r, err)
		}
		decided++
		if _, err := other.Add(t.Context(), &review.Intake{}, []review.NewItem{sample(many + chunks)}); err != nil {
			t.Error(err)
		}
	})
	list := samples(many)
	list = append(list, list[3])
	out, err := s.Add(t.Context(), &review.Intake{}, list)
	must(t, err)
	if chunks < many/few || len(out) != len(list) {
		t.Errorf("%d chunks, %d outcomes", chunks, len(out))
	}
	for i, o := range out {
		it, err := s.Item(t.Context(), o.ID)
		must(t, err)
		if it.Original != list[i].Original || o.Known != (i == many) {
			t.Errorf("%d: %+v is %s", i, o, it.Original)
		}
	}
	if problems, err := other.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
}

// If the rules change while URLs are added, the URLs added before stay and are reported, and the rest is not added.
func TestAddInPiecesStale(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	chunks := 0
	sqlite.Chunks(s, few, func() {
		if chunks++; chunks == 3 {
			_, err := other.Commit(t.Context(), moveAll(t, other, "moved.es"))
			must(t, err)
		}
	})
	out, err := s.Add(t.Context(), &review.Intake{}, samples(many))
	n, countErr := s.Count(t.Context(), review.Filter{})
	must(t, countErr)
	if !errors.Is(err, review.ErrStale) || len(out) != 3*few || n != 3*few {
		t.Errorf("%d outcomes, %d items, %v", len(out), n, err)
	}
}

// Host evidence in the list does not make the rest of the list stale, but it does for others at work before.
func TestAddInPiecesEvidence(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	sqlite.Chunks(s, few, func() {})
	list := samples(many)
	for i := range list {
		if i%few == 0 {
			list[i].Evidence = &canon.Evidence{Hosts: canon.Hosts{list[i].Original: {PreferredHost: "boe.es"}}}
		}
	}
	out, err := s.Add(t.Context(), &review.Intake{}, list)
	if err != nil || len(out) != many {
		t.Errorf("%d outcomes, %v", len(out), err)
	}
	m, err := s.Meta(t.Context())
	must(t, err)
	if m.HostsGen != m.Gen || m.Gen != (many+few-1)/few {
		t.Errorf("generation %d, of hosts %d", m.Gen, m.HostsGen)
	}
	if _, err := s.Add(t.Context(), &review.Intake{}, samples(1)); !errors.Is(err, review.ErrStale) {
		t.Errorf("items computed before: %v", err)
	}
}

// A program is alone until another one, or another part of its own, writes. Its own bulk work does not count.
func TestAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	a, b := open(t, path), open(t, path)
	_, err := review.Open(t.Context(), a, "ana", nil)
	must(t, err)
	want := func(after string, alone bool) {
		t.Helper()
		if sqlite.Alone(t, a, time.Hour) != alone {
			t.Errorf("after %s: alone: %v", after, !alone)
		}
	}
	want("opening, which gives a new store its policy", true)
	_, err = a.Add(t.Context(), &review.Intake{Computing: review.Computing{Gen: 1}}, samples(3))
	must(t, err)
	want("bulk work", true)
	_, err = b.Add(t.Context(), &review.Intake{Computing: review.Computing{Gen: 1}}, samples(4))
	must(t, err)
	want("another program's bulk work", false)
	if !sqlite.Alone(t, a, 0) {
		t.Error("others are never gone")
	}

	a = open(t, path)
	want("opening again", true)
	_, err = a.Commit(t.Context(), approval("ana", 1, 1))
	must(t, err)
	want("a decision", false)
}

// Only adding gets a large cache: the caches of a console's readers grow into the unused part of the writer's.
func TestCacheIsLargeForAdding(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	corpusIn(t, path, 10)
	s := open(t, path)
	before := sqlite.WriterCache(t, s)
	_, err := s.Page(t.Context(), review.Query{}, nil, 10)
	must(t, err)
	d, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	_, err = d.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: 1})
	must(t, err)
	if now := sqlite.WriterCache(t, s); now != before || now > 16<<10 {
		t.Errorf("%d KiB, after a decision %d", before, now)
	}
	_, err = d.Add(t.Context(), review.Input{}, storetest.Corpus(2, 10))
	must(t, err)
	if now := sqlite.WriterCache(t, s); now < 4*before {
		t.Errorf("%d KiB, for adding %d", before, now)
	}
}
