package console_test

import (
	"bytes"
	"strings"
	"testing"

	"visto/review"
	"visto/store/sqlite"
	"visto/ui/console"
)

// desk returns a desk on a new database with some URLs.
func desk(t *testing.T, urls ...string) *review.Desk {
	t.Helper()
	store, err := sqlite.Open(t.Context(), t.TempDir()+"/visto.db", sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	d, err := review.Open(t.Context(), store, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Add(t.Context(), func(yield func(review.Found) error) error {
		for _, u := range urls {
			if err := yield(review.Found{URL: u}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var urls = []string{
	"https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=norte",
	"https://sede.ejemplo.gob.es/tramites/cita-previa?plaza=sur",
	"https://www.sepe.es",
	"https://www.boe.es/\u202eabc/\x1b[31m?x=1",
}

// plainly runs commands through Plain and returns what it said.
func plainly(t *testing.T, d *review.Desk, commands ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := console.Plain(t.Context(), d, nil, strings.NewReader(strings.Join(commands, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") {
		t.Errorf("hostile text comes through: %q", out.String())
	}
	return out.String()
}

func TestPlain(t *testing.T) {
	for name, tc := range map[string]struct {
		commands []string
		want     []string
		statuses []review.Status
	}{
		"approve": {[]string{"a", "q"}, []string{"Flag unknown-param", "approved: URL 1", "URL 2, pending. 3 URLs waiting"},
			[]review.Status{review.Approved, review.Pending}},
		"reject": {[]string{"r", "r gone"}, []string{"a rejection needs a reason", "rejected: URL 1"},
			[]review.Status{review.Rejected, review.Pending}},
		"defer and undo and redo": {[]string{"d", "u", "redo", "redo"},
			[]string{"deferred: URL 1", "took back: defer, 1 URL", "brought back: defer, 1 URL", "nothing to bring back"},
			[]review.Status{review.Deferred, review.Pending}},
		"correct": {[]string{"e", "e ftp://x", "e https://sede.ejemplo.gob.es/tramites/cita-previa"},
			[]string{"which URL?", "cannot be stored: unsupported-scheme", "corrected and approved: URL 1"},
			[]review.Status{review.Approved, review.Pending}},
		"rule, not sure":  {[]string{"o drop", "no"}, []string{"drop plaza on sede.ejemplo.gob.es", "Nothing was written"}, []review.Status{review.Pending}},
		"rule":            {[]string{"o drop plaza", "yes"}, []string{"It concerns 2 URLs", "saved: 2 URLs settled", "URL 3, pending"}, []review.Status{review.Accepted, review.Accepted}},
		"no rule":         {[]string{"o", "o fly x", "o accept no-such-flag"}, []string{"which rule?", "there is no rule", "no-such-flag"}, []review.Status{review.Pending}},
		"accept":          {[]string{"next", "next", "o accept home-page", "y"}, []string{"accept home-page on www.sepe.es", "saved: 1 URL settled"}, nil},
		"move":            {[]string{"prev", "next", "prev"}, []string{"This is the first one", "URL 2, pending", "URL 1, pending"}, nil},
		"hostile":         {[]string{"next", "next", "next", "show", "\x1b[31m"}, []string{`\u{202e}abc/\x1b[31m`, `no command \x1b[31m`}, nil},
		"note, show":      {[]string{"n", "n ask them", "show"}, []string{"the note is empty", "noted on URL 1", "Notes", "ask them"}, nil},
		"help":            {[]string{"?", "what"}, []string{"r REASON: reject it.", "There is no command what"}, nil},
		"to the end":      {[]string{"a", "a", "a", "a", "a", "show"}, []string{"Nothing waits for a person any more", "there is no URL here"}, []review.Status{review.Approved, review.Approved, review.Approved, review.Approved}},
		"nothing to undo": {[]string{"u"}, []string{"there is nothing to take back"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := desk(t, urls...)
			said := plainly(t, d, tc.commands...)
			for _, want := range tc.want {
				if !strings.Contains(said, want) {
					t.Errorf("it did not say %q:\n%s", want, said)
				}
			}
			for i, want := range tc.statuses {
				det, err := d.Detail(t.Context(), int64(i+1))
				if err != nil || det.Item.Status != want {
					t.Errorf("URL %d is %s, not %s (%v)", i+1, det.Item.Status, want, err)
				}
			}
		})
	}
}

func TestText(t *testing.T) {
	var out bytes.Buffer
	if err := console.Text(t.Context(), desk(t, urls...), &out, 60); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"4 of 4 URLs wait for a person; 0 reviewed", "1  unknown-param (plaza)", "  - https://www.boe.es/\\u{202e}abc", "`visto` opens the console"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
	for line := range strings.Lines(out.String()) {
		if len(line) > 61 && strings.HasPrefix(line, "  ") {
			t.Errorf("%d cells: %q", len(line), line)
		}
	}
}

func TestSnapshot(t *testing.T) {
	s, err := console.Snapshot(t.Context(), desk(t, urls...), console.Options{}, 80, 24, "j", "enter")
	if err != nil || !strings.Contains(s, "URL 2") {
		t.Errorf("%v: %s", err, s)
	}
	if _, err := console.Snapshot(t.Context(), desk(t, urls...), console.Options{}, 80, 24, "no such key"); err == nil {
		t.Error("no error for a key that there is not")
	}
}
