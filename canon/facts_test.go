package canon

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// get looks a text up, in both halves.
func (m *memo[T]) get(text []byte) *T {
	if known := m.getRecent(text); known != nil {
		return known
	}
	return m.getOlder(text)
}

// put puts a value under a text that the memo does not hold.
func put(m *memo[int], text []byte, value int) {
	m.get(text)
	*m.put(text) = value
}

// fill puts n texts, each with its number, into a memo.
func fill(m *memo[int], n int) {
	for i := range n {
		put(m, []byte(strconv.Itoa(i)), i)
	}
}

// TestMemoIsBounded fills a memo far beyond its bound. It returns each value just put, and never grows beyond.
func TestMemoIsBounded(t *testing.T) {
	var m memo[int]
	for i := range 12 * maxMemoSets {
		text := []byte(strconv.Itoa(i))
		if got := m.get(text); got != nil {
			t.Fatalf("%d: got %v before it was put", i, *got)
		}
		put(&m, text, i)
		if got := m.get(text); got == nil || *got != i {
			t.Fatalf("%d: got %v", i, got)
		}
	}
	if len(m.sets) != maxMemoSets {
		t.Errorf("%d sets, the bound is %d", len(m.sets), maxMemoSets)
	}
	held := 0
	for i := range 12 * maxMemoSets {
		if got := m.get([]byte(strconv.Itoa(i))); got != nil {
			if held++; *got != i {
				t.Errorf("%d: got %d", i, *got)
			}
		}
	}
	if most := maxMemoSets * memoWays; held > most || held < most*9/10 {
		t.Errorf("%d texts are held, the bound is %d", held, most)
	}
}

// TestMemoForgetsGradually checks that a text asked for again and again stays, however many others come.
func TestMemoForgetsGradually(t *testing.T) {
	var m memo[int]
	fill(&m, 1)
	for i := range 40 * maxMemoSets {
		if m.get([]byte("0")) == nil {
			t.Fatalf("it is forgotten after %d other texts", i)
		}
		put(&m, []byte("other"+strconv.Itoa(i)), i)
	}
}

// TestFullMemoAllocatesNothing checks that new texts take the memory of those they replace.
func TestFullMemoAllocatesNothing(t *testing.T) {
	var m memo[int]
	fill(&m, 40*maxMemoSets)
	text := make([]byte, 0, maxMemoText)
	n := 0
	if allocations := testing.AllocsPerRun(1000, func() {
		n--
		text = strconv.AppendInt(text[:0], int64(n), 10)
		put(&m, text, n)
	}); allocations > 0 {
		t.Errorf("%v allocations for a text", allocations)
	}
}

// TestMemoOfUnusualTexts tells an empty text that was never put from one that was, and keeps no long one.
func TestMemoOfUnusualTexts(t *testing.T) {
	var m memo[int]
	if got := m.get(nil); got != nil {
		t.Errorf("got %v from an empty memo", *got)
	}
	put(&m, []byte("x"), 2)
	if got := m.get(nil); got != nil {
		t.Errorf("got %v for a text that was never put", *got)
	}
	put(&m, nil, 1)
	m.get([]byte("x"))
	if got := m.get(nil); got == nil || *got != 1 {
		t.Errorf("got %v", got)
	}
	long := make([]byte, maxMemoText+1)
	put(&m, long, 3)
	if got := m.get(long); got != nil {
		t.Errorf("got %v for a text that is too long", *got)
	}
}

// TestSharedHosts compares the facts about hosts, after one that may share its facts with them, with those that every
// list was asked for.
func TestSharedHosts(t *testing.T) {
	policy, err := ParsePolicy(PolicyFile{Name: "lists.yaml", Data: []byte(`{extends: nothing, name: lists, www: map,
		www_mappings: {a.gob.es: www.a.gob.es, gob.es: www.gob.es, tres.es: cuatro.es}, allowlist: ["*.gob.es", dos.es,
		xn--e1afmkfd.es], blocklist: {forum.gob.es: "anyone writes there"}, shorteners: [s.gob.es, ow.ly]}`)})
	if err != nil {
		t.Fatal(err)
	}
	shared := newFacts(policy, nil)
	for _, host := range strings.Fields(`uno.gob.es b.gob.es www.b.gob.es gob.es www.gob.es x.www.gob.es dos.es x.dos.es
		www.dos.es a.gob.es www.a.gob.es x.a.gob.es x.www.a.gob.es s.gob.es x.s.gob.es www.s.gob.es ow.ly x.ow.ly
		forum.gob.es mi.forum.gob.es tu.forum.gob.es www.forum.gob.es tres.es x.tres.es www.tres.es
		xn--e1afmkfd.es x.xn--e1afmkfd.es
		xn--80ak6aa92e.gob.es b0s.es x.d0s.es d0s.es y.d0s.es dos.es.example.com x.dos.es.example.com gob.es.example.com
		x.gob.es.example.com example.com x.example.com a.b 8.8.8.8 x..gob.es`) {
		asked := newFacts(policy, nil)
		asked.hosts.get([]byte(host))
		want := asked.newHost([]byte(host), []byte(host))
		if got := shared.ofHost([]byte(host)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v; the lists say %+v", host, got, want)
		}
	}
}

// TestBlockedHostsAreNamed rejects two hosts below one blocked domain. Each detail names its host.
func TestBlockedHostsAreNamed(t *testing.T) {
	policy, err := ParsePolicy(PolicyFile{Name: "lists.yaml", Data: []byte(
		`{extends: nothing, name: lists, blocklist: {forum.es: "anyone writes there"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	c := New(policy, nil)
	for _, host := range []string{"mi.forum.es", "tu.forum.es"} {
		want := host + " is on the blocklist: anyone writes there"
		if got := c.Canonicalize("https://"+host+"/a", nil).Detail; got != want {
			t.Errorf("%s: %s", host, got)
		}
	}
}

// TestNoHostIsTakenForSharedFacts rejects a host that is spelled as the text under which two others share their facts.
func TestNoHostIsTakenForSharedFacts(t *testing.T) {
	policy, err := Builtin(DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	c := New(policy, nil)
	for _, url := range []string{"https://uno.boe.es/a", "https://dos.boe.es/a"} {
		c.Canonicalize(url, nil)
	}
	for _, host := range []string{".boe.es", ".BOE.es", ".boe.es."} {
		if res := c.Canonicalize("https://"+host+"/a/b/c", nil); res.Reason != InvalidURL {
			t.Errorf("%s: %v %s", host, res.Verdict, res.Canonical)
		}
	}
}

// TestNewHostsOfADomainShareFacts looks up hosts of an allowed domain, each new.
func TestNewHostsOfADomainShareFacts(t *testing.T) {
	policy, err := Builtin(DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	f := newFacts(policy, nil)
	for i := range 100 {
		f.ofHost([]byte("ayto" + strconv.Itoa(i) + ".gob.es"))
	}
	if n := len(f.hosts.sets); n > minMemoSets {
		t.Errorf("100 hosts of a domain take %d sets of the memo", n)
	}
}
