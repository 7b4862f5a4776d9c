package console

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	intake "visto/review/read"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

// hostile is a URL with everything that must not reach a terminal: escape sequences, CR, NUL, 8-bit controls, bidi
// overrides, zero-width and tag characters, bytes that are not UTF-8.
const hostile = "https://sede.hostil.gob.es/\u202egnp\u200b/a\x1b[31mb\x1b]0;owned\x07" +
	"?q=\u009b2J\u2066\x00z\xff&r=\U000e0041\rtop"

// samples are the URLs of the fixture.
func samples() []review.Found {
	no := new(bool)
	src := func(pos string) intake.Place {
		return intake.Place{File: "registry.yaml", Field: "fuente_url", Path: pos}
	}
	portal := func(pos string) intake.Place {
		return intake.Place{File: "registry.yaml", Field: "portal_url", Path: pos}
	}
	return []review.Found{
		{URL: "https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=norte&utm_source=boletin#requisitos",
			Place: src("12:5"), Title: "Cita previa"},
		{URL: "https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=sur", Place: src("18:5")},
		{URL: "https://sede.ejemplo.gob.es/tramites/certificado-digital?plaza=norte&origen=web", Place: src("24:5")},
		{URL: "http://WWW.SEPE.es/", Place: portal("30:5"), Title: "SEPE"},
		{URL: "https://www.sepe.es/HomeSepe/Personas/", Place: portal("36:5")},
		{URL: "http://ayuntamiento.ejemplo.es/padron/alta-en-el-padron", Place: src("42:5"),
			Evidence: &canon.Evidence{HTTPS: no, Title: "Alta en el padrón", Status: 200}},
		{URL: "https://web.gencat.cat/ca/tramits/tramit-12345", Place: src("48:5"),
			Evidence: &canon.Evidence{Language: "ca",
				Status: 200, LangVariants: map[string]string{"en": "https://web.gencat.cat/en/tramits/tramit-12345"}}},
		{URL: "https://seg-social.es/imv-prestacion/12345", Place: src("54:5"),
			Evidence: &canon.Evidence{Hops: loop()}},
		{URL: hostile, Place: intake.Place{File: "crawl\x1b[2J.txt", Path: "1"},
			Title: "hostile \x1b[31m\u202etitle"},
		{URL: "https://boe.es/buscar/doc.php?id=BOE-A-2023-12345&utm_medium=x", Place: src("60:5")},
		{URL: "ftp://example.gob.es/file", Place: src("66:5")},
		{URL: "https://usuario:clave@sede.ejemplo.gob.es:8443/tramites/renovacion-dni", Place: src("72:5")},
	}
}

// addCited adds URLs of records: one with three occurrences in two records, others of these records, and one that is
// gone.
func addCited(t *testing.T, desk *review.Desk) {
	t.Helper()
	town := &intake.Record{Path: "/sources/0", ID: "local-villa", Name: "Ayuntamiento de Villainventada"}
	other := &intake.Record{Path: "/sources/1", ID: "local-otra", Name: "Ayuntamiento de Otra"}
	at := func(r *intake.Record, field, url string) review.Found {
		place := intake.Place{File: "/data/local.yaml", Field: field, Path: r.Path + "/" + field}
		return review.Found{URL: url, Record: r, Place: place}
	}
	list := []review.Found{
		at(town, "portal_url", "https://www.villainventada.es/"),
		at(town, "sede_url", "https://www.villainventada.es/"),
		at(town, "catalogo_url", "https://sede.villainventada.es/"),
		at(town, "tablon_url", "https://sede.villainventada.es/tablon/?x=1"),
		at(other, "portal_url", "https://www.villainventada.es/"), at(other, "sede_url", "https://sede.otra.es/"),
		at(other, "catalogo_url", "https://catalogo.otra.es/"),
	}
	add(t, desk, list)
	whole := review.Input{File: "/data/local.yaml", Whole: func() bool { return true },
		Takes: func(string) bool { return true }}
	if err := fillWith(t.Context(), desk, whole, list[:6]); err != nil {
		t.Fatal(err)
	}
}

func loop() []canon.Hop {
	var hops []canon.Hop
	for i := range 7 {
		hops = append(hops, canon.Hop{Status: 302, URL: "https://www.seg-social.es/salto/" + string(rune('a'+i)) +
			"?paso=1"})
	}
	return hops
}

// filled is a database with the samples in it, made once.
var filled = sync.OnceValue(func() []byte {
	dir, err := os.MkdirTemp("", "visto-console-test")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "visto.db")
	store, err := sqlite.Open(context.Background(), path, sqlite.Options{Create: true, Now: ticking()})
	if err != nil {
		panic(err)
	}
	desk, err := review.Open(context.Background(), store, "ana", nil)
	if err == nil {
		err = fillDesk(context.Background(), desk, samples())
	}
	if err == nil {
		err = store.Backup(context.Background(), path+".copy")
	}
	if err := errors.Join(err, store.Close()); err != nil {
		panic(err)
	}
	data, err := os.ReadFile(path + ".copy")
	if err != nil {
		panic(err)
	}
	return data
})

// sample is a desk on a database with the samples.
type sample struct {
	*review.Desk
	store   *sqlite.Store
	path    string
	clock   *minutes
	version int64
}

// unwritten are the desks of tests that wrote nothing, for the tests to come: to open a desk and to prepare its
// statements takes longer than most tests.
var unwritten struct {
	sync.Mutex
	list []*sample
}

// sampleDesk returns a desk on a database with the samples. The end of the test may give it to another one.
func sampleDesk(t *testing.T) *sample {
	t.Helper()
	unwritten.Lock()
	defer unwritten.Unlock()
	var d *sample
	if last := len(unwritten.list) - 1; last >= 0 {
		d, unwritten.list = unwritten.list[last], unwritten.list[:last]
	} else {
		var err error
		if d, err = newSample(); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := d.leave(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func newSample() (*sample, error) {
	dir, err := os.MkdirTemp("", "visto-console-test")
	if err != nil {
		return nil, err
	}
	d := &sample{path: filepath.Join(dir, "visto.db"), clock: new(minutes)}
	if err := os.WriteFile(d.path, filled(), 0o600); err != nil {
		return nil, err
	}
	if d.store, err = sqlite.Open(context.Background(), d.path, sqlite.Options{Now: d.clock.now}); err != nil {
		return nil, err
	}
	if d.Desk, err = review.Open(context.Background(), d.store, "ana", nil); err == nil {
		d.version, err = d.Version(context.Background())
	}
	return d, err
}

// leave keeps the desk for another test if nothing was written.
func (d *sample) leave() error {
	if v, err := d.Version(context.Background()); err != nil || v != d.version {
		return errors.Join(err, d.close())
	}
	*d.clock = 0
	unwritten.Lock()
	defer unwritten.Unlock()
	unwritten.list = append(unwritten.list, d)
	return nil
}

func (d *sample) close() error {
	return errors.Join(d.store.Close(), os.RemoveAll(filepath.Dir(d.path)))
}

// SampleDesks are the desks that are left after all tests.
type SampleDesks struct{}

// Close removes them.
func (SampleDesks) Close() error {
	var errs []error
	for _, d := range unwritten.list {
		errs = append(errs, d.close())
	}
	return errors.Join(errs...)
}

// newDesk returns a desk on a database with the samples, or with the given URLs instead.
func newDesk(t *testing.T, found ...review.Found) *review.Desk {
	t.Helper()
	if found == nil {
		return sampleDesk(t).Desk
	}
	desk := openDesk(t, filepath.Join(t.TempDir(), "visto.db"), "ana")
	add(t, desk, found)
	return desk
}

func add(t *testing.T, desk *review.Desk, found []review.Found) {
	t.Helper()
	if err := fillDesk(t.Context(), desk, found); err != nil {
		t.Fatal(err)
	}
}

func fillDesk(ctx context.Context, desk *review.Desk, found []review.Found) error {
	return fillWith(ctx, desk, review.Input{}, found)
}

func fillWith(ctx context.Context, desk *review.Desk, in review.Input, found []review.Found) error {
	_, err := desk.Add(ctx, in, func(yield func(review.Found) error) error {
		for _, f := range found {
			if err := yield(f); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// minutes is a clock that goes on by a minute with each reading. It has the number of its readings.
type minutes int

func (m *minutes) now() time.Time {
	*m++
	return time.Date(2026, 11, 21, 9, int(*m), 0, 0, time.UTC)
}

// ticking is a new clock of minutes.
func ticking() func() time.Time { return new(minutes).now }

// propose makes two persons needed for rules that accept home pages, and proposes one by each.
func propose(t *testing.T, ana, berta *review.Desk) {
	t.Helper()
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "two.yaml", Data: []byte("second_look: [home-page]\n")})
	if err == nil {
		_, _, err = ana.Recanon(t.Context(), p)
	}
	for i, host := range []string{"www.sepe.es", "*.ejemplo.es"} {
		desk := []*review.Desk{berta, ana}[i]
		rule := canon.Override{Match: canon.Match{Host: host}, Accept: []string{"home-page"}}
		if err == nil {
			_, _, err = desk.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, "")
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// openDesk opens the database at the path, for a reviewer.
func openDesk(t *testing.T, path, reviewer string) *review.Desk {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), path, sqlite.Options{Now: ticking()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	desk, err := review.Open(t.Context(), store, reviewer, nil)
	if err != nil {
		t.Fatal(err)
	}
	return desk
}
