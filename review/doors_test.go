package review_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
)

// A rule that trusts hosts which nobody named is refused when it is written and when its effect is asked for. What is
// there already stays: it may be changed otherwise, and undo and replay take it.
func TestDoorsAreRefused(t *testing.T) {
	d := newDesk(t)
	anybody := fieldRule("portal_url", "", "", "off-allowlist")
	d.storeDoor(anybody)
	d.read("a.yaml", "portal_url", "https://dos.ejemplo.org/x/y/z", "sede_url", "https://uno.ejemplo.com/x/y/z")
	d.flags("stored", "https://dos.ejemplo.org/x/y/z", "accepted []")
	const door = ", by ana: a rule for field portal_url cannot accept off-allowlist: it would trust the host of " +
		"every later URL of field portal_url, on any host; write one rule for each host"
	d.doors(door)

	for _, m := range []canon.Match{{Field: "sede_url"}, {Host: "*", PathPrefix: "/tramites"}, {Host: "*.com"}} {
		d.refuses(review.OverrideChange{After: &canon.Override{Match: m, Accept: []string{"off-allowlist"}}})
		d.refuses(review.OverrideChange{After: &canon.Override{Match: m, Accept: []string{"suspicious-host"}}})
	}
	named := canon.Override{Match: canon.Match{Host: "uno.ejemplo.com"}, Accept: []string{"off-allowlist"}}
	other := fieldRule("sede_url", "", "", "off-allowlist")
	d.refuses(review.OverrideChange{After: &named}, review.OverrideChange{After: &other})
	d.save(named)
	d.refuses(review.OverrideChange{Before: &named, After: &other})
	d.doors(door)

	d.save(fieldRule("portal_url", "", "", "home-page"))
	d.doors(door)
	wider := fieldRule("portal_url", "", "", "off-allowlist", "home-page")
	worse := fieldRule("portal_url", "", "", "off-allowlist", "home-page", "suspicious-host")
	d.refuses(review.OverrideChange{Before: &wider, After: &worse})
	_, _, err := d.SaveOverrides(t.Context(), []review.OverrideChange{{Before: &wider}}, "")
	d.must(err)
	d.flags("removed", "https://dos.ejemplo.org/x/y/z", "pending [off-allowlist]")
	d.doors()
	d.undo()
	d.flags("back", "https://dos.ejemplo.org/x/y/z", "accepted []")
	d.doors(door)
}

// refuses fails the test unless a change is refused because a rule trusts any host.
func (d *desk) refuses(list ...review.OverrideChange) {
	d.Helper()
	_, err := d.Effect(d.Context(), list, nil)
	_, _, errSaved := d.SaveOverrides(d.Context(), list, "")
	for _, err := range []error{err, errSaved} {
		if _, ok := errors.AsType[*canon.DoorError](err); !ok {
			d.Errorf("%v is not refused: %v", list, err)
		}
	}
}

// storeDoor writes a rule as an earlier program did, to a desk without URLs.
func (d *desk) storeDoor(rule canon.Override) {
	d.Helper()
	s := d.store()
	meta, err := s.Meta(d.Context())
	d.must(err)
	_, err = s.Commit(d.Context(), review.ChangeRules{Reviewer: "ana", Summary: "add a rule",
		Overrides: []review.OverrideChange{{After: &rule}},
		Results:   review.Results{Gen: meta.Gen, LastID: meta.LastID}})
	d.must(err)
}

// doors fails the test unless the stored rules that trust any host are these, by the end of what is said of them.
func (d *desk) doors(want ...string) {
	d.Helper()
	problems, err := d.Doors(d.Context())
	d.must(err)
	if !slices.EqualFunc(problems, want, func(p review.Problem, text string) bool {
		return p.What == "rule" && strings.HasSuffix(p.Text, text)
	}) {
		d.Errorf("the doors are %v, want %v", problems, want)
	}
	d.sound()
}

// The hosts and fields of TestNoRuleOpensADoor.
var (
	doorFields  = []string{"portal_url", "sede_url", "url"}
	blockedHost = "tramites-blog.com"
	doorHosts   = []string{"www.boe.es", "www.sepe.es", "uno.ejemplo.com", "dos.ejemplo.com", "ayto.ejemplo.org",
		"b\u043ee.es", "xn--sde-rdd.seg-social.gob.es", "villa.blogspot.com", "otra.blogspot.com", blockedHost}
	doorMatches = []canon.Match{{Field: "portal_url"}, {Field: "sede_url", Host: "uno.ejemplo.com"},
		{Field: "url", PathPrefix: "/a"}, {Host: "*", PathPrefix: "/a"}, {Host: "*", PathPrefix: "/."}, {Host: "*"},
		{Host: "*.com"}, {Host: "*.es"}, {Host: "*.gob.es"}, {Host: "*.blogspot.com"}, {Host: "*.ejemplo.com"},
		{Host: "uno.ejemplo.com"}, {Host: "uno.ejemplo.com", PathPrefix: "/a"}, {Host: "ayto.ejemplo.org"},
		{Host: "www.boe.es"}, {Host: "xn--be-fka.es"}, {Host: "villa.blogspot.com"}, {Host: blockedHost}}
	ofAnybody = []string{"*", "*.com", "*.es", "*.gob.es", "*.blogspot.com"}
)

// Whatever rules are written, imported, undone and redone while URLs come: a URL is accepted only if its host is on the
// allowlist and imitates none, or if a person named the host, or the domain of somebody that it is below, and accepted
// that. A URL of a blocked host never is.
func TestNoRuleOpensADoor(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	refused, trusted := 0, 0
	for seed := range uint64(suite.Rounds(2, 20)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			o := newOffice(t)
			policy, err := canon.ParsePolicy(canon.PolicyFile{Name: "p.yaml",
				Data: []byte("blocklist: {" + blockedHost + ": copies}\n")})
			o.must(err)
			opened, err := review.Open(t.Context(), o.store(), "ana", policy)
			o.must(err)
			s := &doorSteps{desk: &desk{opened, o}, policy: policy, r: rand.New(rand.NewPCG(seed, 40))}
			for range 60 {
				s.step()
				s.noneIsOpen()
			}
			refused, trusted = refused+s.refused, trusted+s.trusted
			s.sound()
			if got := s.replayed(); got != "" {
				t.Errorf("the replay differs:\n%s", got)
			}
		})
	}
	if refused == 0 || trusted == 0 {
		t.Errorf("%d rules were refused, %d accepted URLs had a host that somebody trusted", refused, trusted)
	}
}

// doorSteps makes random changes to a desk.
type doorSteps struct {
	*desk
	policy           *canon.Policy
	r                *rand.Rand
	files            int
	refused, trusted int // rules; accepted URLs of hosts to doubt
}

func oneOf[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// step adds URLs, writes or imports rules, or takes something back.
func (s *doorSteps) step() {
	switch s.r.IntN(6) {
	case 0, 1:
		s.files++
		var list []string
		for range 1 + s.r.IntN(4) {
			url := "https://" + oneOf(s.r, doorHosts) + oneOf(s.r, []string{"", "/a", "/a/b/c", "/x/una-ayuda-123?plaza=1"})
			list = append(list, oneOf(s.r, doorFields), url)
		}
		s.read(fmt.Sprint(s.files, ".yaml"), list...)
	case 2:
		s.write(s.rule())
	case 3:
		s.write(s.rule(), s.rule(), s.rule())
	case 4:
		_, _, err := s.Undo(s.Context(), 0)
		s.mayFail(err)
	default:
		_, _, err := s.Redo(s.Context())
		s.mayFail(err)
	}
}

func (s *doorSteps) rule() canon.Override {
	rule := canon.Override{Match: oneOf(s.r, doorMatches)}
	for _, code := range []string{"off-allowlist", "suspicious-host", "home-page", "section-page", "unknown-param"} {
		if s.r.IntN(2) == 0 {
			rule.Accept = append(rule.Accept, code)
		}
	}
	return rule
}

// write amends the rules one by one, as reviewers do, or all at once, as an import does.
func (s *doorSteps) write(rules ...canon.Override) {
	changes, err := s.AmendAll(s.Context(), rules...)
	s.must(err)
	_, _, err = s.SaveOverrides(s.Context(), changes, "")
	if _, ok := errors.AsType[*canon.DoorError](err); ok {
		s.refused++
	}
}

// mayFail lets an undo or redo fail that has nothing to take back, or on which later rules build.
func (s *doorSteps) mayFail(err error) {
	if err != nil && !errors.Is(err, review.ErrNotFound) && !errors.Is(err, review.ErrStale) {
		s.Logf("taking back: %v", err)
	}
}

// noneIsOpen fails the test if a URL is accepted whose host nobody trusted.
func (s *doorSteps) noneIsOpen() {
	rules, err := review.Overrides(s.Context(), s.store())
	s.must(err)
	bare := canon.New(s.policy, nil)
	for _, it := range s.items(review.Filter{}) {
		if it.Status != review.Accepted {
			continue
		}
		host := it.Computed.Host
		if host == blockedHost {
			s.Fatalf("%s is accepted: its host is blocked", it.Original)
		}
		res := bare.Canonicalize(it.Original, nil)
		codes := res.Codes()
		for _, code := range []canon.Code{canon.OffAllowlist, canon.SuspiciousHost} {
			if !codes.Has(code) {
				continue
			}
			s.trusted++
			if !slices.ContainsFunc(rules, func(o review.StoredOverride) bool { return trusts(o.Override, host, code) }) {
				s.Fatalf("%s is accepted, %s: nobody trusted its host", it.Original, code)
			}
		}
	}
}

// trusts reports whether a person who wrote the rule named the host, or the domain of somebody above it.
func trusts(o canon.Override, host string, code canon.Code) bool {
	m := o.Match
	return m.Field == "" && m.Host != "" && !slices.Contains(ofAnybody, m.Host) && m.MatchesHost(host) &&
		slices.Contains(o.Accept, code.String())
}
