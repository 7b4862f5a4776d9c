package console

import (
	"path/filepath"
	"testing"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// frameKeys are, for each place, the keys that lead there and two keys that each draw another frame.
var frameKeys = []struct {
	name   string
	before []string
	keys   [2]string
}{
	{"queue", nil, [2]string{"j", "k"}},
	{"detail", []string{"enter"}, [2]string{"j", "k"}},
	{"causes", []string{"2"}, [2]string{"j", "k"}},
	{"log", []string{"a", "a", "4"}, [2]string{"j", "k"}},
	{"dialog", []string{"?"}, [2]string{"down", "up"}},
	{"search", []string{"/"}, [2]string{"a", "backspace"}},
	{"page", []string{"P"}, [2]string{"j", "k"}},
	{"page search", []string{"P", "/", "type:pla"}, [2]string{"z", "backspace"}},
	{"links", []string{"P", "l"}, [2]string{"j", "k"}},
}

// BenchmarkFrame measures the time of the console itself from a key to the frame. No key reads the store.
func BenchmarkFrame(b *testing.B) {
	for _, size := range []struct {
		name          string
		width, height int
	}{{"80x24", 80, 24}, {"160x48", 160, 48}} {
		for _, f := range frameKeys {
			b.Run(size.name+"/"+f.name, func(b *testing.B) {
				opts := Options{DBPath: "visto.db"}
				d := newDriver(b.Context(), longPage(corpusDesk(b)), opts, size.width, size.height)
				var keys [2]tea.Msg
				for i, k := range f.keys {
					msg, err := keyPress(k)
					if err != nil {
						b.Fatal(err)
					}
					keys[i] = msg
				}
				for _, k := range f.before {
					if err := d.press(k); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					d.model.Update(keys[i%2])
				}
			})
		}
	}
}

// longPage is a desk with a page of 60 KB for the first URL.
func longPage(desk Desk) Desk {
	pages := withPages(desk)
	doc := procedure("todo el año")
	for doc.Text += "\n"; len(doc.Text) < 60<<10; {
		doc.Text += "El *plazo* de la [solicitud](/a) es de **diez** días.\n\n* Uno\n* Dos\n\n"
	}
	pages.pages[1] = []review.StoredContent{{Document: doc}}
	return pages
}

// corpusDesk is the desk of a new database with generated URLs.
func corpusDesk(b *testing.B) *review.Desk {
	b.Helper()
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "visto.db"), sqlite.Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	desk, err := review.Open(b.Context(), s, "ana", nil)
	if err == nil {
		_, err = desk.Add(b.Context(), review.Input{}, storetest.Corpus(1, 2000))
	}
	if err != nil {
		b.Fatal(err)
	}
	return desk
}
