package review_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
)

// town returns a desk with URLs on a few hosts and every kind of decision.
func town(t *testing.T) *desk {
	d := newDesk(t)
	const a, b = "https://a.ejemplo.gob.es", "https://b.ejemplo.gob.es"
	d.add(
		a+"/tramite/alta-de-padron?plaza=1", a+"/tramite/alta-de-padron?plaza=2", a+"/tramite/alta-de-padron",
		a+"/tramite/baja-de-padron?plaza=1&otra=2", a+"/sta/doEvent?plaza=9", a+"/", a+"/Sede",
		b+"/tramite/alta-de-padron?plaza=1", b+"/sta/doEvent?plaza=9", b+"/",
		"http://"+"a.ejemplo.gob.es:8080/tramite/uno-dos-tres?plaza=1",
		"ftp://a.ejemplo.gob.es/", "https://c.ejemplo.gob.es/?x=1",
	)
	d.decide(review.Approve, a+"/tramite/alta-de-padron?plaza=1", b+"/tramite/alta-de-padron?plaza=1")
	d.decide(review.Reject, a+"/sta/doEvent?plaza=9")
	d.decide(review.Defer, a+"/tramite/baja-de-padron?plaza=1&otra=2")
	_, err := d.Decide(t.Context(), review.Choice{Kind: review.Correct, Canonical: a + "/tramite/alta-de-padron"},
		review.Target{ID: 2})
	d.must(err)
	return d
}

func on(host, path string, o canon.Override) canon.Override {
	o.Match = canon.Match{Host: host, PathPrefix: path}
	return o
}

var rules = map[string]canon.Override{
	"drop":          on("a.ejemplo.gob.es", "", canon.Override{DropQueryParams: []string{"plaza"}}),
	"keep":          on("a.ejemplo.gob.es", "", canon.Override{KeepQueryParams: []string{"plaza"}}),
	"drop anywhere": on("*", "/sta", canon.Override{DropQueryParams: []string{"PLAZA"}}),
	"accept":        on("*.ejemplo.gob.es", "", canon.Override{Accept: []string{"home-page", "unknown-param"}}),
	"move":          on("a.ejemplo.gob.es", "", canon.Override{CanonicalHost: "b.ejemplo.gob.es"}),
	"http":          on("b.ejemplo.gob.es", "", canon.Override{Scheme: "http"}),
	"rewrite": on("a.ejemplo.gob.es", "", canon.Override{RewriteRules: []canon.Rewrite{
		{FromPrefix: "https://a.ejemplo.gob.es/tramite/", ToPrefix: "https://b.ejemplo.gob.es/tramite/"}}}),
	"capture": on("*.ejemplo.gob.es", "", canon.Override{RewriteRules: []canon.Rewrite{
		{From: "/tramite/{slug}?plaza={x}", To: "/plaza/{x}/{slug}"}}}),
	"nowhere": on("z.ejemplo.gob.es", "", canon.Override{Accept: []string{"home-page"}}),
}

// Effect and SaveOverrides count the changes that really happen, and undo reverts all of them.
func TestEffectIsWhatHappens(t *testing.T) {
	if testing.Short() {
		t.Skip("smaller tests go the same ways in several goroutines")
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			d := town(t)
			before, states := d.items(review.Filter{}), d.states()
			change, err := d.Amend(t.Context(), rule)
			d.must(err)
			predicted, err := d.Effect(t.Context(), []review.OverrideChange{change}, nil)
			d.must(err)
			d.same(states)
			_, saved := d.save(rule)
			if !reflect.DeepEqual(predicted, saved) {
				t.Errorf("effect\n\t%+v\nsaved\n\t%+v", predicted, saved)
			}
			happened := compareItems(before, d.items(review.Filter{}))
			if got, want := counts(*predicted), counts(happened); got != want {
				t.Errorf("effect\n\t%s\nhappened\n\t%s", got, want)
			}
			d.sound()
			d.undo()
			d.same(states)
			d.sound()
		})
	}
}

func counts(e review.Effect) string {
	return fmt.Sprintln(e.Changed, e.Settled, e.Reopened, e.Merged, e.Approved, e.Refused, e.Cleared, e.Raised)
}

// compareItems counts an effect by comparing all items.
func compareItems(before, after []review.Item) review.Effect {
	e := review.Effect{Cleared: map[canon.Code]int{}, Raised: map[canon.Code]int{}}
	count := func(n *int, holds bool) {
		if holds {
			*n++
		}
	}
	for i, a := range after {
		b := before[i]
		changed := a.Computed.Canonical != b.Computed.Canonical
		count(&e.Changed, changed)
		count(&e.Settled, b.Open() && !a.Open())
		count(&e.Reopened, !b.Open() && a.Open())
		count(&e.Approved, changed && b.Status == review.Approved && a.Computed.Flags.Has(canon.ChangedSinceApproval))
		count(&e.Refused, a.Computed.Verdict == canon.Rejected && b.Computed.Verdict != canon.Rejected)
		for _, c := range canon.Codes() {
			if had, has := b.Computed.Flags.Has(c), a.Computed.Flags.Has(c); had && !has {
				e.Cleared[c]++
			} else if has && !had {
				e.Raised[c]++
			}
		}
		count(&e.Merged, slices.ContainsFunc(after, func(o review.Item) bool {
			was := before[slices.IndexFunc(before, func(b review.Item) bool { return b.ID == o.ID })]
			return o.ID != a.ID && a.Computed.Key != (review.Key{}) && o.Computed.Key == a.Computed.Key &&
				was.Computed.Key != b.Computed.Key
		}))
	}
	return e
}

func TestEffectSamples(t *testing.T) {
	d := town(t)
	change, err := d.Amend(t.Context(), rules["drop"])
	d.must(err)
	e, err := d.Effect(t.Context(), []review.OverrideChange{change}, nil)
	d.must(err)
	const alta = "https://a.ejemplo.gob.es/tramite/alta-de-padron"
	if len(e.Groups) != 1 || e.Groups[0].Canonical != alta || !slices.Equal(e.Groups[0].IDs, []int64{1, 2, 3}) {
		t.Errorf("groups %+v", e.Groups)
	}
	if e.Merged != 3 || len(e.Samples) != e.Changed {
		t.Errorf("%d merged, %d samples of %d", e.Merged, len(e.Samples), e.Changed)
	}
	first := review.Sample{ID: 1, Before: alta + "?plaza=1", After: alta, FlagsBefore: canon.SetOf(canon.UnknownParam),
		FlagsAfter: canon.SetOf(canon.ChangedSinceApproval), StatusBefore: review.Approved,
		StatusAfter: review.Approved, Merges: true}
	if e.Samples[0] != first {
		t.Errorf("first sample %+v", e.Samples[0])
	}
	if e.Total != e.Scanned || e.Unchanged() != e.Scanned-e.Changed {
		t.Errorf("%d of %d scanned, %d unchanged", e.Scanned, e.Total, e.Unchanged())
	}
}

// Merged counts items with a new twin: also an item that keeps its key, but not twins that move together.
func TestEffectMerges(t *testing.T) {
	const a, b = "https://a.ejemplo.gob.es/tramite/", "https://b.ejemplo.gob.es/tramite/"
	d := newDesk(t)
	d.add(a+"alta-de-padron?x=1&y=2", a+"alta-de-padron?y=2&x=1", a+"baja-de-padron", b+"baja-de-padron",
		b+"otra-cosa-mas")
	change, err := d.Amend(t.Context(), rules["move"])
	d.must(err)
	e, err := d.Effect(t.Context(), []review.OverrideChange{change}, nil)
	d.must(err)
	if e.Changed != 3 || e.Merged != 2 || len(e.Groups) != 1 || !slices.Equal(e.Groups[0].IDs, []int64{3, 4}) ||
		e.Groups[0].Canonical != b+"baja-de-padron" {
		t.Errorf("effect %+v", e)
	}
}

// A rejected item has no key: two of them that get the same one merge, and two that are rejected do not.
func TestEffectMergesRejected(t *testing.T) {
	narrow, wide := allowing(t, "1", "a.es"), allowing(t, "2", "a.es, b.es")
	d := newDesk(t)
	_, _, err := d.Recanon(t.Context(), wide)
	d.must(err)
	for i, target := range []string{"uno", "uno", "dos", "tres"} {
		d.addFound(review.Found{URL: fmt.Sprintf("https://a.es/tramite/alta-numero-%d", i),
			Evidence: &canon.Evidence{FinalURL: "https://b.es/tramite/alta-" + target, Hops: []canon.Hop{
				{Status: 301, URL: "https://b.es/tramite/alta-" + target}}}})
	}
	e, err := d.RecanonEffect(t.Context(), narrow, nil)
	if d.must(err); e.Refused != 4 || e.Merged != 0 || len(e.Groups) != 0 {
		t.Errorf("rejecting them: %+v", e)
	}
	_, _, err = d.Recanon(t.Context(), narrow)
	d.must(err)
	e, err = d.RecanonEffect(t.Context(), wide, nil)
	if d.must(err); e.Changed != 4 || e.Merged != 2 || len(e.Groups) != 1 ||
		!slices.Equal(e.Groups[0].IDs, []int64{1, 2}) {
		t.Errorf("accepting them: %+v", e)
	}
}

// allowing returns a policy that rejects redirects to other hosts than these.
func allowing(t *testing.T, version, hosts string) *canon.Policy {
	t.Helper()
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "own.yaml",
		Data: []byte("name: own\nversion: " + version + "\nallowlist: [" + hosts + "]\n")})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEffectOfMany(t *testing.T) {
	d := newDesk(t)
	var urls []string
	for i := range 2000 {
		urls = append(urls, fmt.Sprintf("https://a.ejemplo.gob.es/tramite/%d?rara=%d", 1000+i/2, i%2))
	}
	d.add(urls...)
	change, err := d.Amend(t.Context(),
		canon.Override{Match: canon.Match{Host: "a.ejemplo.gob.es"}, DropQueryParams: []string{"rara"}})
	d.must(err)
	var seen []review.Effect
	e, err := d.Effect(t.Context(), []review.OverrideChange{change}, func(e review.Effect) { seen = append(seen, e) })
	d.must(err)
	if len(seen) == 0 || seen[len(seen)-1].Scanned != 2000 ||
		slices.ContainsFunc(seen, func(e review.Effect) bool { return e.Total != 2000 }) {
		t.Errorf("shown while it grows: %+v", seen)
	}
	if e.Changed != 2000 || e.Merged != 2000 || e.Settled != 2000 || len(e.Samples) != 200 || len(e.Groups) != 20 {
		t.Errorf("changed %d, merged %d, settled %d, %d samples, %d groups", e.Changed, e.Merged, e.Settled,
			len(e.Samples), len(e.Groups))
	}
	for i, g := range e.Groups {
		if want := fmt.Sprintf("https://a.ejemplo.gob.es/tramite/%d", 1000+i); g.Canonical != want || len(g.IDs) != 2 {
			t.Errorf("group %d: %+v", i, g)
		}
	}
	if _, err := d.Effect(cancelled(t), []review.OverrideChange{change}, nil); err == nil {
		t.Error("a cancelled effect goes on")
	}
	var turning *canon.LoopError
	if _, err := d.Effect(t.Context(), []review.OverrideChange{{After: &turns}}, nil); !errors.As(err, &turning) {
		t.Errorf("a loop among many: %v", err)
	}
}

// turns is a rule without a fixed point.
var turns = on("a.ejemplo.gob.es", "", canon.Override{RewriteRules: []canon.Rewrite{
	{FromPrefix: "https://a.ejemplo.gob.es/tramite", ToPrefix: "https://a.ejemplo.gob.es/tramite/tramite"}}})

func TestOverrideRefused(t *testing.T) {
	d := town(t)
	states := d.states()
	var turning *canon.LoopError
	if _, err := d.Effect(t.Context(), []review.OverrideChange{{After: &turns}}, nil); !errors.As(err, &turning) ||
		len(turning.URLs) == 0 {
		t.Errorf("a loop: %v", err)
	}
	if _, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{{After: &turns}}, ""); !errors.As(err,
		&turning) {
		t.Errorf("a loop: %v", err)
	}
	bad := on("a.ejemplo.gob.es", "", canon.Override{Accept: []string{"no-such-flag"}})
	if _, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{{After: &bad}}, ""); err == nil {
		t.Error("an unknown flag was accepted")
	}
	drop, keep, gone := rules["drop"], rules["keep"], rules["http"]
	d.save(drop)
	for _, c := range []struct {
		change review.OverrideChange
		why    string
	}{
		{review.OverrideChange{After: &keep}, "a.ejemplo.gob.es: there is one already"},
		{review.OverrideChange{Before: &keep}, "a.ejemplo.gob.es: it is another one now"},
		{review.OverrideChange{Before: &keep, After: &drop}, "a.ejemplo.gob.es: it is another one now"},
		{review.OverrideChange{Before: &gone}, "b.ejemplo.gob.es: it is no longer there"},
	} {
		if _, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{c.change}, ""); !errors.Is(err,
			review.ErrStale) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", c.why, err)
		}
	}
	nothing := []review.OverrideChange{{Before: &drop, After: &drop}}
	if receipt, _, err := d.SaveOverrides(t.Context(), nothing, ""); err != nil || receipt.Batch != 0 {
		t.Errorf("a change of nothing: %+v, %v", receipt, err)
	}
	if e, err := d.Effect(t.Context(), nothing, nil); err != nil || e.Scanned != 0 {
		t.Errorf("the effect of nothing: %+v, %v", e, err)
	}
	d.undo()
	d.same(states)
	d.sound()
}

// Moving an override to another host affects the URLs of both hosts.
func TestOverrideMoves(t *testing.T) {
	d := town(t)
	states := d.states()
	old := rules["drop"]
	moved := on("b.ejemplo.gob.es", "", old)
	d.save(old)
	_, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{{Before: &old, After: &moved}}, "a otro sitio")
	d.must(err)
	if list, err := d.Overrides(t.Context()); err != nil || len(list) != 1 || list[0].Override.Match != moved.Match {
		t.Errorf("overrides %+v, %v", list, err)
	}
	if it := d.item("1"); it.Computed.Canonical != it.Original {
		t.Errorf("still dropped: %s", state(&it))
	}
	d.sound()
	d.undo()
	d.undo()
	d.same(states)
}

// Changes of a batch that build on each other are undone in reverse order.
func TestOverrideTwiceInOneBatch(t *testing.T) {
	d := town(t)
	d.save(rules["http"])
	states := d.states()
	drop, keep := rules["drop"], rules["keep"]
	_, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{{After: &drop}, {Before: &drop, After: &keep}},
		"dos veces")
	d.must(err)
	list, err := d.Overrides(t.Context())
	d.must(err)
	if len(list) != 2 || list[0].Override.Scheme != "http" || !reflect.DeepEqual(list[1].Override, keep) {
		t.Errorf("overrides %+v", list)
	}
	d.sound()
	d.undo()
	d.same(states)
	d.sound()
}

func TestUndoOverrideChangedSince(t *testing.T) {
	ana := town(t)
	luis := ana.desk("luis")
	first, _ := ana.save(rules["drop"])
	luis.save(on("a.ejemplo.gob.es", "", canon.Override{Accept: []string{"home-page"}}))
	_, _, err := ana.Undo(t.Context(), first.Batch)
	if err == nil || !strings.Contains(err.Error(), "by luis") ||
		!strings.Contains(err.Error(), "change the override for a.ejemplo.gob.es") {
		t.Errorf("error %v", err)
	}
	luis.undo()
	_, _, err = ana.Undo(t.Context(), first.Batch)
	ana.must(err)
	b, _, err := ana.Redo(t.Context())
	ana.must(err)
	if list, _ := ana.Overrides(t.Context()); b.ID != first.Batch || len(list) != 1 {
		t.Errorf("redone %+v, overrides %+v", b, list)
	}
	ana.sound()
}

// An override for a host that a URL only passes through affects that URL too.
func TestOverrideOnTheWay(t *testing.T) {
	d := newDesk(t)
	d.addFound(review.Found{URL: "https://a.ejemplo.gob.es/viejo", Evidence: &canon.Evidence{
		Hops:     []canon.Hop{{Status: 301, URL: "https://b.ejemplo.gob.es/tramite/alta-de-padron?plaza=1"}},
		FinalURL: "https://b.ejemplo.gob.es/tramite/alta-de-padron?plaza=1",
		Hosts:    canon.Hosts{"b.ejemplo.gob.es": {PreferredHost: "www.b.ejemplo.gob.es"}},
	}})
	it := d.item("1")
	if !slices.Equal(it.Computed.Via, []string{"b.ejemplo.gob.es"}) || it.Computed.Host != "www.b.ejemplo.gob.es" {
		t.Fatalf("it came by %v to %s", it.Computed.Via, it.Computed.Host)
	}
	_, e := d.save(on("b.ejemplo.gob.es", "", canon.Override{DropQueryParams: []string{"plaza"}}))
	if e.Scanned != 1 || e.Changed != 1 || e.Settled != 1 {
		t.Errorf("effect %+v", e)
	}
	d.sound()
}

func TestAmend(t *testing.T) {
	match := canon.Match{Host: "a.ejemplo.gob.es"}
	stored := canon.Override{Match: match, DropQueryParams: []string{"a", "B"}, KeepQueryParams: []string{"c"},
		PaginationParams: []string{"p"},
		Scheme:           "http", CanonicalHost: "a.es", Accept: []string{"home-page"}, Note: "uno",
		RewriteRules: []canon.Rewrite{{FromPrefix: "https://x/", ToPrefix: "https://y/"}}}
	rule := canon.Override{Match: match, DropQueryParams: []string{"C", "a"}, KeepQueryParams: []string{"b", "d"},
		NotPaginationParams: []string{"P"},
		CanonicalHost:       "b.es", TrailingSlash: "keep", Accept: []string{"home-page", "http-only"}, Note: "dos",
		Spanish: &canon.Prefixes{From: "/ca", To: "/es"},
		RewriteRules: []canon.Rewrite{
			{FromPrefix: "https://x/", ToPrefix: "https://z/"}, {FromPrefix: "https://v/", ToPrefix: "https://w/"}}}
	want := canon.Override{Match: match, DropQueryParams: []string{"a", "C"}, KeepQueryParams: []string{"b", "d"},
		NotPaginationParams: []string{"P"},
		Scheme:              "http", CanonicalHost: "b.es", TrailingSlash: "keep",
		Accept:  []string{"home-page", "http-only"},
		Note:    "uno; dos",
		Spanish: &canon.Prefixes{From: "/ca", To: "/es"}, PaginationParams: []string{},
		RewriteRules: []canon.Rewrite{
			{FromPrefix: "https://x/", ToPrefix: "https://z/"}, {FromPrefix: "https://v/", ToPrefix: "https://w/"}}}
	d := newDesk(t)
	first, err := d.Amend(t.Context(), stored)
	d.must(err)
	if first.Before != nil || !reflect.DeepEqual(*first.After, stored) {
		t.Errorf("first %+v", first)
	}
	d.save(stored)
	change, err := d.Amend(t.Context(), rule)
	d.must(err)
	if !reflect.DeepEqual(*change.Before, stored) || !reflect.DeepEqual(*change.After, want) {
		t.Errorf("amended\n\t%+v\nwant\n\t%+v", *change.After, want)
	}
	again, err := d.Amend(t.Context(), stored)
	d.must(err)
	if !reflect.DeepEqual(again.Before, again.After) {
		t.Errorf("amended by itself\n\t%+v", again.After)
	}
	other := on(match.Host, "/sta", rule)
	if c, err := d.Amend(t.Context(), other); err != nil || c.Before != nil {
		t.Errorf("another path %+v, %v", c, err)
	}
}

func TestAmendAllMergesRulesOfOneHost(t *testing.T) {
	d := newDesk(t)
	m := canon.Match{Host: "a.gob.es"}
	d.save(canon.Override{Match: m, DropQueryParams: []string{"x"}})
	changes, err := d.AmendAll(t.Context(), canon.Override{Match: m, KeepQueryParams: []string{"p"}},
		canon.Override{Match: m, KeepQueryParams: []string{"q"}},
		canon.Override{Match: canon.Match{Host: "b.gob.es"}, Accept: []string{"home-page"}})
	d.must(err)
	if len(changes) != 2 || changes[0].Before == nil || len(changes[0].Before.KeepQueryParams) != 0 ||
		changes[1].Before != nil ||
		!slices.Equal(changes[0].After.KeepQueryParams, []string{"p", "q"}) ||
		!slices.Equal(changes[0].After.DropQueryParams, []string{"x"}) {
		t.Errorf("%+v", changes)
	}
}

func TestRecanon(t *testing.T) {
	d := town(t)
	states, before := d.states(), d.items(review.Filter{})
	if receipt, e, err := d.Recanon(t.Context(), d.Policy()); err != nil || receipt.Batch != 0 || e.Changed != 0 ||
		e.Scanned != len(before) {
		t.Errorf("the same policy: %+v, %+v, %v", receipt, e, err)
	}
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "own.yaml",
		Data: []byte("name: own\nversion: 2\ntracking_params_strip: [plaza]\n")})
	d.must(err)
	predicted, err := d.RecanonEffect(t.Context(), p, nil)
	d.must(err)
	d.same(states)
	receipt, did, err := d.Recanon(t.Context(), p)
	d.must(err)
	if !reflect.DeepEqual(predicted, did) ||
		counts(*predicted) != counts(compareItems(before, d.items(review.Filter{}))) ||
		predicted.Changed == 0 || receipt.Updated == 0 {
		t.Errorf("effect %+v, did %+v, happened %s", predicted, did,
			counts(compareItems(before, d.items(review.Filter{}))))
	}
	if d.Policy().ID() != "own@2" {
		t.Errorf("policy %s", d.Policy().ID())
	}
	d.sound()
	if _, _, err := d.Undo(t.Context(), receipt.Batch); err == nil ||
		!strings.Contains(err.Error(), "cannot be undone") {
		t.Errorf("undo: %v", err)
	}
}

// All spellings of a host and path are one rule, which reaches the stored URLs.
func TestSpelledMatch(t *testing.T) {
	for m, want := range map[canon.Match]canon.Match{
		{Host: "A.Ejemplo.GOB.es."}:                       {Host: "a.ejemplo.gob.es"},
		{Host: "*.Gencat.cat", PathPrefix: "/sta/"}:       {Host: "*.gencat.cat", PathPrefix: "/sta"},
		{Host: "*", PathPrefix: "/x/../st%61/"}:           {Host: "*", PathPrefix: "/sta"},
		{Host: "españa.es", PathPrefix: "/trámite"}:       {Host: "xn--espaa-rta.es", PathPrefix: "/tr%C3%A1mite"},
		{Host: "*.*boe.es", PathPrefix: "/sta/"}:          {Host: "*.*boe.es", PathPrefix: "/sta/"},
		{Host: "boe.es", PathPrefix: "sta"}:               {Host: "boe.es", PathPrefix: "sta"},
		{Host: "a b.es", PathPrefix: "sta"}:               {Host: "a b.es", PathPrefix: "sta"},
		{Host: "boe.es", PathPrefix: "/a b"}:              {Host: "boe.es", PathPrefix: "/a%20b"},
		{Host: "a.ejemplo.gob.es", PathPrefix: "/a?b=1"}:  {Host: "a.ejemplo.gob.es", PathPrefix: "/a?b=1"},
		{Host: "a.ejemplo.gob.es", PathPrefix: "/Sta/Ab"}: {Host: "a.ejemplo.gob.es", PathPrefix: "/Sta/Ab"},
	} {
		if got := m.Normal(); got != want {
			t.Errorf("%+v is %+v, want %+v", m, got, want)
		}
	}
	d := newDesk(t)
	d.add(odd, alta)
	drop := canon.Override{Match: canon.Match{Host: "SEDE.Ejemplo.gob.es"}, DropQueryParams: []string{"rara"}}
	if _, effect := d.save(drop); effect.Scanned != 1 {
		t.Errorf("%d looked at", effect.Scanned)
	}
	d.save(canon.Override{Match: canon.Match{Host: "sede.ejemplo.gob.es"}, DropQueryParams: []string{"c"}})
	if list, err := d.Overrides(t.Context()); err != nil || len(list) != 1 ||
		list[0].Override.Match.Host != "sede.ejemplo.gob.es" {
		t.Errorf("overrides %+v, %v", list, err)
	}
	d.sound()
}
