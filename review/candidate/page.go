package candidate

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"visto/canon"
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

// title returns the title of a page that was read.
func (p *page) title() string {
	if p.report == nil || p.report.Evidence == nil {
		return ""
	}
	return p.report.Evidence.Title
}

func (p *page) headings() string {
	if d := p.document(); d != nil {
		return strings.Join(d.Headings, "\n")
	}
	return ""
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
