package candidate

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"visto/canon"
	"visto/review/lazyregexp"
	"visto/review/probe"
	"visto/review/probe/extract"
)

// page is a page that may be proposed.
type page struct {
	number int64 // in the index
	result canon.Result
	texts  []string // of links to it
	found  []origin // where its URL was found, each once
	depth  int      // steps of links from the cited page
	names  []string // of the site, which are parts of the title
	tried  bool
	report *probe.Report // nil: it was not read
	out    bool          // it is none to propose: its content is on another page, or it must not be cited
}

// origin is the kind of place where the URL of a page was found.
type origin uint8

const (
	byLink origin = iota
	byLanguage
	byCanonical
	bySitemap
	byStore
	byGuess
)

func (o origin) String() string {
	return [...]string{"linked", "the version in the language to cite", "the canonical URL that the page names",
		"in the sitemap", "a stored URL", "a guess"}[o]
}

// maxTexts is the number of texts of links that are kept of one page, and maxLinkText their size in bytes. A longer one
// is no name of the page, but a teaser.
const (
	maxTexts    = 5
	maxLinkText = 300
)

// url returns the URL to cite.
func (p *page) url() string { return p.result.Canonical }

// key tells pages apart.
func (p *page) key() string { return p.result.Normalized() }

// addText adds the text of a link, unless it says nothing new.
func (p *page) addText(text string) bool {
	text = strings.Join(strings.Fields(text), " ")
	isNew := text != "" && len(text) <= maxLinkText && len(p.texts) < maxTexts && !slices.Contains(p.texts, text)
	if isNew {
		p.texts = append(p.texts, text)
	}
	return isNew
}

func (p *page) addOrigin(o origin) {
	if !slices.Contains(p.found, o) {
		p.found = append(p.found, o)
	}
}

// document returns the content of a page that was read, nil if there is none.
func (p *page) document() *extract.Document {
	if p.report == nil {
		return nil
	}
	return p.report.Content
}

// stated returns the title that a page states, as it is.
func (p *page) stated() string {
	if p.report == nil {
		return ""
	}
	return p.report.Evidence.Title
}

// titleGap separates the parts of a title: many begin or end with the name of the site.
var titleGap = lazyregexp.New(`\s+[|·–—-]\s+`)

// title returns the subject of the page: its title without the name of the site, and its main heading. Some sites have
// one title for all pages.
func (p *page) title() string {
	main, _ := p.outline()
	if titled := p.ownTitle(); titled != main {
		return strings.TrimSpace(titled + "\n" + main)
	}
	return main
}

// ownTitle returns the title without the name of the site.
func (p *page) ownTitle() string {
	isName := func(part string) bool { return slices.Contains(p.names, part) }
	return strings.Join(slices.DeleteFunc(titleGap().Split(p.stated(), -1), isName), " | ")
}

// headings returns the headings below the main one.
func (p *page) headings() string {
	_, rest := p.outline()
	return strings.Join(rest, "\n")
}

// outline returns the main heading and those below.
func (p *page) outline() (main string, below []string) {
	d := p.document()
	if d == nil || len(d.Headings) == 0 {
		return "", nil
	}
	if main, ok := strings.CutPrefix(d.Headings[0], "# "); ok {
		return main, d.Headings[1:]
	}
	return "", d.Headings
}

// firstLine returns the first line of the content that is no heading.
func (p *page) firstLine() string {
	if d := p.document(); d != nil {
		for line := range strings.Lines(d.Text) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				return line
			}
		}
	}
	return ""
}

// siteNames returns the parts that most titles of the pages have in common, sorted.
func siteNames(pages []*page) (names []string) {
	titles, parts := 0, map[string]int{}
	for _, p := range pages {
		list := titleGap().Split(p.stated(), -1)
		if len(list) < 2 {
			continue
		}
		titles++
		for _, part := range list {
			parts[part]++
		}
	}
	for part, n := range parts {
		if n >= 3 && 2*n > titles {
			names = append(names, part)
		}
	}
	slices.Sort(names)
	return names
}

// sharedParts returns the parts that the titles of two pages of a site have in common: its names.
func sharedParts(a, b string) []string {
	others := titleGap().Split(b, -1)
	return slices.DeleteFunc(titleGap().Split(a, -1), func(part string) bool { return !slices.Contains(others, part) })
}

func (p *page) links() string { return strings.Join(p.texts, "\n") }

// mayCite reports whether the page may be proposed at all.
func (p *page) mayCite() bool {
	return !p.out && p.result.Verdict != canon.Rejected && p.result.LinkType != canon.Homepage
}

// siteOf returns the registrable domain of a URL's host, or else the host.
func siteOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return site
	}
	return host
}

// originOf returns the URL of the host's root.
func originOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}).String()
}
