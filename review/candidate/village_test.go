package candidate_test

import (
	"slices"
	"testing"

	"visto/review/candidate"
	"visto/review/probe/testnet"
	"visto/review/read"
)

// Issue 39: of sixteen villages, eight of them off the allowlist, whose news, closed calls and section pages have more
// words of the record than the right page has.
func TestVillages(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	villages := testnet.Villages()
	var sites []testnet.Site
	for _, v := range villages {
		sites = append(sites, v.Site)
	}
	w := newWorld(t, sites...)
	first, three := 0, 0
	for _, v := range villages {
		record := read.Record{ID: v.Site.Host, Name: v.Record.Name,
			Attributes: []read.Attribute{{Name: "keywords", Values: v.Record.Keywords}}}
		list, err := w.ask(t.Context(), candidate.Question{Item: w.cite(v.Record.Cites, record).ID, Now: w.clock.Now()})
		w.must(err)
		at := slices.Index(urls(list), v.Record.Truth)
		first, three = first+count(at == 0), three+count(at >= 0 && at < 3)
		if at != 0 {
			t.Logf("%d: wanted %s\n%s", at+1, v.Record.Truth, text(list[:min(5, len(list))]))
		}
	}
	t.Logf("first for %d of %d villages, among the first three for %d", first, len(villages), three)
	if len(villages) != 16 || first < 14 || three < 16 {
		t.Error("that is too few")
	}
}
