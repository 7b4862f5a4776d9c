package canon_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"visto/canon"
)

// plainURL is a URL of harmless parts. spelled writes it in any spelling that means the same under every policy, or
// under those that keep a promise.
type plainURL struct {
	host, path, query []string
	slash             bool
}

func randomPlain(r *rand.Rand) (u plainURL) {
	u.host = []string{pick(r, []string{"www", "sede", "m"}), "example", "gob", "es"}
	for range 1 + r.IntN(4) {
		u.path = append(u.path, pick(r, []string{"a", "b.html", "ñ", "%2F", "%E1", "x;v=1", "~u", "A-_.9", "12345",
			"%25", "a+b", "c%20d", "e:f@g", "!$'()*,="}))
	}
	for range r.IntN(4) {
		u.query = append(u.query, pick(r, []string{"id", "tipo", "q", "%F3", "a%26b", "x.y"})+pick(r,
			[]string{"", "=", "=1", "=a+b", "=a%2Bb", "=a%20b", "=%E1", "=ñ", "=x=y", "=/?:@", "=~-._"}))
	}
	u.slash = r.IntN(2) == 0
	return u
}

// plain returns the plainest spelling.
func (u plainURL) plain() string {
	url := "https://" + strings.Join(u.host, ".") + "/" + strings.Join(u.path, "/")
	if u.slash {
		url += "/"
	}
	if len(u.query) > 0 {
		url += "?" + strings.Join(u.query, "&")
	}
	return url
}

// spelled returns another spelling.
func (u plainURL) spelled(r *rand.Rand, p promises) string {
	some := func(yes, no string) string {
		if r.IntN(3) == 0 {
			return yes
		}
		return no
	}
	var b strings.Builder
	b.WriteString(some(" \n", "") + pick(r, []string{"https", "HTTPS", "hTtPs"}) + ":" + pick(r,
		[]string{"//", "\\\\", "/", "", "\\/"}) + some("ana:x@", ""))
	for i, label := range u.host {
		if i > 0 {
			b.WriteString(pick(r, []string{".", ".", "。", "．", "%2e"}))
		}
		b.WriteString(spellHost(r, label))
	}
	b.WriteString(some(".", "") + pick(r, []string{"", "", ":443", ":", ":00443"}))
	for _, segment := range u.path {
		b.WriteString(pick(r, []string{"/", "/", "\\"}))
		if p.escapes {
			b.WriteString(pick(r, []string{"", "", "", "./", "%2e/", "y/../", "y/.%2E\\"}))
			segment = spellEscapes(r, segment)
		}
		if p.slashes {
			b.WriteString(some("/", ""))
		}
		if p.lower && !strings.Contains(segment, "%") {
			segment = spellCase(r, segment)
		}
		b.WriteString(segment + some2(p.sessions, some(";jsessionid=A1.n2", "")))
	}
	if u.slash != (p.end && r.IntN(2) == 0) {
		b.WriteString("/")
	}
	for i, pair := range u.query {
		if p.escapes {
			pair = spellEscapes(r, pair)
		}
		b.WriteString("?&"[min(i, 1):][:1] + some2(p.tracking, some("utm_source=x&", "")) + pair)
	}
	if p.fragment {
		b.WriteString(some("#x", ""))
	}
	return spellBreaks(r, b.String()) + some("\x00 ", "")
}

func some2(promised bool, text string) string {
	if promised {
		return text
	}
	return ""
}

func spellHost(r *rand.Rand, label string) string {
	switch r.IntN(5) {
	case 0:
		return strings.ToUpper(label)
	case 1:
		return escapeAll(label)
	case 2:
		return strings.Map(func(c rune) rune { return c - 'a' + 'ａ' }, label)
	}
	return label
}

// spellEscapes encodes some unreserved characters, and writes escapes in either case.
func spellEscapes(r *rand.Rand, text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		x := text[i]
		isUnreserved := x < 0x80 &&
			strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", rune(x))
		switch {
		case x == '%':
			b.WriteString(spellCase(r, text[i:i+3]))
			i += 2
		case isUnreserved && r.IntN(4) == 0, x >= 0x80:
			b.WriteString(spellCase(r, fmt.Sprintf("%%%02x", x)))
		default:
			b.WriteByte(x)
		}
	}
	return b.String()
}

// spellCase changes the case of ASCII letters.
func spellCase(r *rand.Rand, text string) string {
	from, to := 'a', 'A'
	switch r.IntN(3) {
	case 0:
		return text
	case 1:
		from, to = to, from
	}
	return strings.Map(func(c rune) rune {
		if from <= c && c < from+26 {
			return c - from + to
		}
		return c
	}, text)
}

// spellBreaks breaks the line at a random place, as mail does.
func spellBreaks(r *rand.Rand, url string) string {
	if r.IntN(3) > 0 {
		return url
	}
	at := 1 + r.IntN(len(url)-1)
	return url[:at] + pick(r, []string{"\n", "\r\n", "\t"}) + url[at:]
}

// TestGeneratedSpellings checks that the canonical URL does not depend on the spelling.
func TestGeneratedSpellings(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for i, p := range promised {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			c := canon.New(policyOf(t, p.file), nil)
			r := rand.New(rand.NewPCG(10, uint64(i)))
			for n := urlCount(t, 5_000); n > 0 && !t.Failed(); n-- {
				u := randomPlain(r)
				if p.sorted && !p.byValue {
					slices.Sort(u.query) // values of one name stay in their order
				}
				one := c.Canonicalize(u.plain(), nil)
				spelled := u.spelled(r, p)
				if other := c.Canonicalize(spelled, nil); other.Canonical != one.Canonical ||
					one.Verdict == canon.Rejected {
					t.Errorf("%q becomes %q (%s), and %q %q (%s)", u.plain(), one.Canonical, one.Detail, spelled,
						other.Canonical, other.Detail)
				}
			}
		})
	}
}
