package console_test

import (
	"regexp"
	"strings"
	"testing"

	"visto/review"
)

// A change is a URL before and after, as one screen showed them. A URL that does not change is shown once.
type change struct{ before, after string }

// frames collects the changes that stood on a screen as a whole. A clipped URL was not seen.
type frames map[change]bool

// see adds the changes of a screen: those in its whole lines, and those in its right pane.
func (f frames) see(screen string) {
	lines := strings.Split(screen, "\n")
	f.read(lines)
	right := make([]string, len(lines))
	for i, line := range lines {
		_, right[i], _ = strings.Cut(line, "│ ")
	}
	f.read(right)
}

// read adds the changes of a pane. A change stands in one line, "~ https://boe.es/a[-/-]", or in two, the URL before it
// behind "-" and the one after it behind "+", or, where a page was found for it, "→". A URL that does not change has no
// sign.
func (f frames) read(lines []string) {
	before := ""
	for i, line := range lines {
		if len(line) < len("~ http") || !strings.HasPrefix(strings.TrimLeft(line, "-+~→ "), "http") {
			continue
		}
		sign, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
		switch url := urlAt(lines[i:]); sign {
		case "~":
			f[changeOf(spots.ReplaceAllString(url, "$1"), spots.ReplaceAllString(url, "$2"))] = true
		case "-":
			before = url
		case "+", "→":
			f[changeOf(before, url)] = true
		default:
			before = url
			f[changeOf(url, url)] = true
		}
	}
}

// spots are the changed characters of a change in one line.
var spots = regexp.MustCompile(`(?:\[-(.*?)-\])?(?:\{\+(.*?)\+\})?`)

// urlAt returns the URL that begins in the first of the lines. Its further lines are indented and have nothing else.
func urlAt(lines []string) string {
	at := strings.Index(lines[0], "http")
	url, facts, _ := strings.Cut(strings.TrimRight(lines[0][at:], " "), " ")
	for _, line := range lines[1:] {
		part := strings.TrimSpace(line)
		if facts != "" || !strings.HasPrefix(line, "  ") || part == "" || strings.Contains(part, " ") ||
			strings.HasPrefix(part, "http") {
			break
		}
		url += part
	}
	return url
}

// changeOf returns a change. The root of a host with its slash and without is one URL (RFC 3986, 6.2.3).
func changeOf(before, after string) change { return change{root.ReplaceAllString(before, "$1"), after} }

var root = regexp.MustCompile(`^(https?://[^/]+)/$`)

// shows reports whether an item stood on the screen before and after its decision. What is rejected has no URL after.
func (f frames) shows(it *review.Item) bool {
	want := changeOf(it.Original, it.Canonical())
	if it.Status != review.Rejected {
		return f[want]
	}
	for c := range f {
		if c.before == want.before {
			return true
		}
	}
	return false
}

// A change counts as seen only where it stands as a whole, before and after.
func TestFrames(t *testing.T) {
	seen := frames{}
	seen.see(strings.Join([]string{
		" ? / home-page   a.gob.es   Oficina █ │ - https://a.gob.es/uno/",
		" ?   home-page   b.gob.es   Oficina █ │ + https://a.gob.es/dos",
		" ?   home-page   c.gob.es   Oficina █ │     https://liga.gob.es",
		"~ https://d.gob.es/tema[-/-]?id=1  Oficina (sede_url)",
		"~ https://e.gob.es/{+es+}  Oficina (sede_url)",
		"  https://f.gob.es/tramites  Oficina (sede_url)",
		"- https://g.gob.es/una-direccion-muy-",
		"  larga",
		"+ https://g.gob.es/larga",
		"  https://h.gob.es/una-direccion-m…  Oficina (sede_url)",
		"  https://i.gob.es  Oficina (sede_url)",
		"  → https://i.gob.es/ayudas/pagina",
	}, "\n"))
	for _, c := range []struct {
		before, after string
		want          bool
	}{
		{"https://a.gob.es/uno/", "https://a.gob.es/dos", true},
		{"https://a.gob.es/uno/", "https://a.gob.es/uno", false},
		{"https://b.gob.es/", "https://b.gob.es", false},
		{"https://d.gob.es/tema/?id=1", "https://d.gob.es/tema?id=1", true},
		{"https://e.gob.es/", "https://e.gob.es/es", true},
		{"https://f.gob.es/tramites", "https://f.gob.es/tramites", true},
		{"https://f.gob.es/tramites/", "https://f.gob.es/tramites", false},
		{"https://g.gob.es/una-direccion-muy-larga", "https://g.gob.es/larga", true},
		{"https://h.gob.es/una-direccion-muy-larga", "https://h.gob.es/una-direccion-muy-larga", false},
		{"https://i.gob.es/", "https://i.gob.es/ayudas/pagina", true},
	} {
		if got := seen[changeOf(c.before, c.after)]; got != c.want {
			t.Errorf("%s → %s was seen: %t", c.before, c.after, got)
		}
	}
}
