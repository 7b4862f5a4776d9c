package console

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"visto/review"
	"visto/review/cause"
	intake "visto/review/read"
)

// registry are home pages in the fields of a file, one of them in two, and others.
func registry() []review.Found {
	var found []review.Found
	at := func(field, url string) {
		found = append(found, review.Found{URL: url,
			Place: intake.Place{File: "r.yaml", Field: field, Path: fmt.Sprint(len(found))}})
	}
	for _, host := range []string{"www.ine.es", "www.boe.es", "www.senado.es", "www.dgt.es"} {
		at("portal_url", "https://"+host+"/")
		at("sede_url", "https://sede."+host[4:])
	}
	at("api_url", "https://www.ine.es/")
	at("portal_url", "https://www.sepe.es:8443/")
	for i := range 2 {
		at("api_url", fmt.Sprintf("https://uno.gob.es/sta/alta-padron?plaza=%d", i))
		at("api_url", fmt.Sprintf("https://dos.gob.es/sta/alta-padron?plaza=%d", i))
	}
	return found
}

func TestRowsFold(t *testing.T) {
	s := openScreen(t, newDesk(t, registry()...), 80, 24, "2")
	s.shows("home-page", "+8 rows").lacks("on www.boe.es")
	s.keys("z").shows("└ home-page", "on www.boe.es").lacks("+8 rows")
	s.keys("j", "z").shows("+8 rows", "▌").lacks("on www.boe.es")
	s.keys("/", "type:boe.es", "enter").shows("on www.boe.es").lacks("+8 rows", "└").keys("z").shows("no rows fold")
}

// The distinct URLs of all rows, folded or not, and of those that stand by themselves, are the open URLs, whatever keys
// are pressed. So nothing is lost behind a row that folds.
func TestRowsHaveTheOpenURLs(t *testing.T) {
	keys := []string{"j", "j", "k", "z", "A", "K", "D", "a", "d", "l", "h", "u", "space", "esc", "y", "g"}
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 1))
		desk := newDesk(t, append(registry(), portal()...)...)
		s := openScreen(t, desk, 100, 30, "2")
		pressed := []string{"2"}
		for range 60 {
			key := keys[r.IntN(len(keys))]
			pressed = append(pressed, key)
			s.keys(key)
			if s.model.scope != inCauses {
				s.keys("2")
			}
			if all, shown, open := urlsOfRows(t, desk); all != open || shown != open {
				t.Fatalf("after %q: %d URLs in all rows, %d in those that do not fold, %d open", pressed, all, shown,
					open)
			}
		}
	}
}

// urlsOfRows counts the distinct URLs of all causes, those of the causes that fold into no other, and the open URLs.
func urlsOfRows(t *testing.T, desk *review.Desk) (all, shown, open int) {
	t.Helper()
	each := func(f review.Filter, fn func(int64)) {
		if err := desk.Each(t.Context(), f, func(it review.Item) error { fn(it.ID); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	inAll, inShown := map[int64]bool{}, map[int64]bool{}
	causes, err := cause.List(t.Context(), desk, review.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range causes {
		each(c.Filter(), func(id int64) {
			inAll[id] = true
			if c.In == nil {
				inShown[id] = true
			}
		})
	}
	each(review.Filter{Open: true, Statuses: []review.Status{review.Pending}}, func(int64) { open++ })
	return len(inAll), len(inShown), open
}

// a and d decide on the URLs of a row with no rule. a leaves those with another flag, or in which nobody looked at
// another parameter; one u takes all back.
func TestDecideOnce(t *testing.T) {
	desk := newDesk(t, registry()...)
	s := openScreen(t, desk, 120, 30, "2").shows("a approves 8 once; d defers 9")
	s.keys("a").shows("approved: 8 URLs").keys("u").shows("took back: approve, 8 URLs")
	s.keys("g", "d", "y").shows("deferred: 9 URLs").keys("u").shows("took back: defer, 9 URLs")
	if list := overridesOf(t, desk); len(list) != 0 {
		t.Errorf("rules %v", list)
	}
	desk = newDesk(t, portal()...)
	s = openScreen(t, desk, 120, 30, "2", "z").onCause("uno on sede.ejemplo.gob.es")
	s.shows("a approves 1 once; d defers 2").keys("a").shows("approved: 1 URL")
	status(t, desk, 1, review.Pending)
	status(t, desk, 2, review.Approved)
}

// A row in one of several fields promises what its rule settles: a URL in another field stays.
func TestNarrowedCountIsTrue(t *testing.T) {
	found := registry()
	found = append(found, review.Found{URL: "https://sede.boe.es",
		Place: intake.Place{File: "r.yaml", Field: "portal_url", Path: "x"}})
	s := openScreen(t, newDesk(t, found...), 120, 30, "2").shows("settles 8 of 9")
	s.keys("l").shows("settles 3 of 6", "portal_url on 6 hosts").keys("A").shows("3 URLs settled")
}

// A cause of several fields can be narrowed to all of them but one.
func TestAllFieldsButOne(t *testing.T) {
	s := openScreen(t, newDesk(t, registry()...), 120, 30, "2", "l", "l", "l")
	s.keys("l").shows("[all but portal_url 5]", "in sede_url, api_url on 5 hosts", "settles 4 of 5").keys("A")
	s.shows("4 URLs settled")
	list := overridesOf(s.t, s.model.who.(*review.Desk))
	for _, o := range list {
		if o.Override.Match.Field == "portal_url" {
			t.Errorf("a rule for the field that is left out: %v", o)
		}
	}
}

// A correction that is refused is not offered again: what is typed next would stand behind it.
func TestRefusedCorrectionLeavesNoDraft(t *testing.T) {
	s := openScreen(t, newDesk(t), 100, 30, "e", "ctrl+u", "type:http://localhost/x").shows("cannot be cited")
	s.keys("enter", "esc").lacks("your text is kept").keys("e").lacks("localhost")
	s.keys("ctrl+u", "type:https://www.boe.es/z", "esc").shows("your text is kept")
}
