package testnet_test

import (
	"bytes"
	"encoding/xml"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"visto/canon"
	"visto/review/probe/testnet"
)

// townPage is a page of the town as a client sees it.
type townPage struct {
	title, text string
	canonical   string // of the page, or its URL
	links       []string
}

// townCrawler reads the town as a client may: by links and the sitemap, without paths that robots.txt forbids.
type townCrawler struct {
	t      *testing.T
	client *http.Client
	pages  map[string]*townPage // by URL; nil: no HTML page
}

func crawlTown(t *testing.T) *townCrawler {
	n := start(t, testnet.Town())
	return &townCrawler{t, client(t, n), map[string]*townPage{}}
}

// page returns the HTML page at a URL of the town, or nil.
func (c *townCrawler) page(link string) *townPage {
	c.t.Helper()
	if p, ok := c.pages[link]; ok {
		return p
	}
	c.pages[link] = nil
	u, err := url.Parse(link)
	if err != nil || "https://"+u.Host != testnet.TownHome || strings.HasPrefix(u.Path, "/imprimir/") ||
		u.Path == "/buscador" {
		return nil
	}
	resp, body := get(c.t, c.client, link)
	if resp.StatusCode != http.StatusOK {
		c.t.Errorf("%s: %d", link, resp.StatusCode)
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return nil
	}
	p := &townPage{canonical: link}
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	p.read(u, root)
	c.pages[link] = p
	return p
}

// read reads title, visible text and links of a part of the page.
func (p *townPage) read(base *url.URL, part *html.Node) {
	attributes := map[string]string{}
	for _, a := range part.Attr {
		attributes[a.Key] = a.Val
	}
	switch {
	case part.Type == html.TextNode:
		p.text += part.Data + " "
	case part.Data == "script" || part.Data == "style":
		return
	case part.Data == "title":
		p.title, _, _ = strings.Cut(part.FirstChild.Data, " | ")
		return
	case part.Data == "link" && attributes["rel"] == "canonical":
		p.canonical = attributes["href"]
	case part.Data == "a" || part.Data == "link" && attributes["rel"] == "alternate":
		if u, err := base.Parse(attributes["href"]); err == nil {
			p.links = append(p.links, u.String())
		}
	}
	for child := range part.ChildNodes() {
		p.read(base, child)
	}
}

// sitemap returns the URLs of the sitemaps, of robots.txt's index.
func (c *townCrawler) sitemap() (urls []string) {
	_, robots := get(c.t, c.client, testnet.TownHome+"/robots.txt")
	_, index, _ := strings.Cut(string(robots), "Sitemap: ")
	for _, set := range c.locations(strings.TrimSpace(index)) {
		urls = append(urls, c.locations(set)...)
	}
	return urls
}

func (c *townCrawler) locations(link string) (urls []string) {
	_, body := get(c.t, c.client, link)
	var list struct {
		Entries []struct {
			Loc string `xml:"loc"`
		} `xml:",any"`
	}
	if err := xml.Unmarshal(body, &list); err != nil {
		c.t.Fatalf("%s: %v", link, err)
	}
	for _, entry := range list.Entries {
		urls = append(urls, entry.Loc)
	}
	return urls
}

// TestTownReachable checks that the page of each record answers, as the canonical page of its URL, and that a client
// finds it: two steps of links from the home page, or by the sitemap.
func TestTownReachable(t *testing.T) {
	c := crawlTown(t)
	steps := map[string]bool{}
	for _, first := range c.page(testnet.TownHome + "/").links {
		steps[first] = true
		if p := c.page(first); p != nil {
			for _, second := range p.links {
				steps[second] = true
			}
		}
	}
	canonical := map[string]bool{}
	for link := range steps {
		if p := c.page(link); p != nil {
			canonical[p.canonical] = true
		}
	}
	listed := c.sitemap()
	only := map[string]int{}
	for _, r := range testnet.TownRecords() {
		inSitemap := slices.Contains(listed, r.Truth)
		switch p := c.page(r.Truth); {
		case p == nil || p.canonical != r.Truth:
			t.Errorf("%s: %s is no canonical page", r.ID, r.Truth)
		case !canonical[r.Truth] && !inSitemap:
			t.Errorf("%s: nothing leads to %s", r.ID, r.Truth)
		case !canonical[r.Truth]:
			only["sitemap"]++
		case !inSitemap:
			only["links"]++
		}
	}
	if only["sitemap"] == 0 || only["links"] == 0 {
		t.Errorf("pages found by one way only: %v", only)
	}
	t.Logf("%d URLs two steps away, %d in the sitemap; found by one way only: %v", len(steps), len(listed), only)
}

// TestTownURLs checks the other URLs of a page: an alias names it as canonical, a former one redirects, and the
// versions in both languages name each other.
func TestTownURLs(t *testing.T) {
	c := crawlTown(t)
	const truth = testnet.TownHome + "/tramites/padron/volantes-y-certificados"
	if p := c.page(testnet.TownHome + "/tramites/ficha?id=1043"); p.canonical != truth {
		t.Errorf("the alias names %s", p.canonical)
	}
	const catalan = testnet.TownHome + "/ca/tramits/padro/volants-i-certificats"
	for from, to := range map[string]string{truth: catalan, catalan: truth} {
		if p := c.page(from); !slices.Contains(p.links, to) {
			t.Errorf("%s does not name %s", from, to)
		}
	}
	resp, _ := get(t, c.client, testnet.TownHome+"/portal/padron/alta.aspx")
	if resp.StatusCode != http.StatusMovedPermanently ||
		resp.Header.Get("Location") != "/tramites/padron/alta-habitantes" {
		t.Errorf("the former URL answers %d %s", resp.StatusCode, resp.Header.Get("Location"))
	}
}

// TestTownRecords checks the records against each other and against the pages: a name or keyword that equals a title
// would make the task too easy.
func TestTownRecords(t *testing.T) {
	c := crawlTown(t)
	titles := map[string]bool{}
	for _, link := range c.sitemap() {
		if p := c.page(link); p != nil {
			titles[strings.Join(words(p.title), " ")] = true
		}
	}
	policy, err := canon.Builtin("clara")
	if err != nil {
		t.Fatal(err)
	}
	records := testnet.TownRecords()
	ids, truths, scripts := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, r := range records {
		if ids[r.ID] || truths[r.Truth] || r.Cites != testnet.TownHome {
			t.Errorf("%s: twice, or it cites %s", r.ID, r.Cites)
		}
		ids[r.ID], truths[r.Truth] = true, true
		for _, text := range append(r.Keywords, r.Name) {
			if titles[strings.Join(words(text), " ")] {
				t.Errorf("%s: %q is the title of a page", r.ID, text)
			}
		}
		all := strings.Join(r.Keywords, "")
		for name, table := range map[string]*unicode.RangeTable{"Arabic": unicode.Arabic, "Chinese": unicode.Han} {
			if strings.ContainsFunc(all, func(letter rune) bool { return unicode.Is(table, letter) }) {
				scripts[name]++
			}
		}
		got := canon.Canonicalize(r.Truth, policy, nil, nil)
		if got.Canonical != r.Truth || got.Verdict != canon.Accepted {
			t.Errorf("%s: %s becomes %s, %s", r.ID, r.Truth, got.Canonical, got.Verdict)
		}
	}
	if len(records) != 40 || scripts["Arabic"] < 20 || scripts["Chinese"] < 20 {
		t.Errorf("%d records, keywords of %v", len(records), scripts)
	}
}

// words returns the words of a text in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text),
		func(letter rune) bool { return !unicode.IsLetter(letter) && !unicode.IsDigit(letter) })
}

// TestTownIsNoGift ranks the pages for each record by plain counts of the words that a page shares with the record.
// If such a count were good enough, the town could not tell a good ranking from a bad one.
func TestTownIsNoGift(t *testing.T) {
	const most = 28
	c := crawlTown(t)
	counts := map[string]map[string]int{} // occurrences of words, by page
	for _, link := range c.sitemap() {
		c.page(link)
	}
	for _, p := range c.pages {
		if p != nil && counts[p.canonical] == nil {
			counts[p.canonical] = map[string]int{}
			for _, word := range words(p.title + " " + p.text) {
				counts[p.canonical][word]++
			}
		}
	}
	for name, value := range map[string]func(word string, times int) int{
		"occurrences":               func(_ string, times int) int { return times },
		"different words":           func(_ string, times int) int { return min(times, 1) },
		"occurrences of long words": func(w string, times int) int { return times * min(len(w)/4, 1) },
		"different long words":      func(w string, times int) int { return min(times, 1) * min(len(w)/4, 1) },
	} {
		first, third, behind := 0, 0, ""
		for _, r := range testnet.TownRecords() {
			rank, best := countRank(counts, r, value)
			if rank == 1 {
				first++
			} else {
				behind += "\n" + r.ID + " is behind " + strings.TrimPrefix(best, testnet.TownHome)
			}
			if rank <= 3 {
				third++
			}
		}
		if first > most {
			t.Errorf("%s: %d first, want at most %d", name, first, most)
		}
		t.Logf("%s: of 40, %d first, %d in the first three, among %d pages%s", name, first, third, len(counts), behind)
	}
}

// countRank returns the rank of the record's page by a count over its name and keywords, and the best page. Of equal
// pages the right one counts as the first.
func countRank(counts map[string]map[string]int, r testnet.TownRecord,
	value func(word string, times int) int) (rank int, best string) {
	query := map[string]bool{}
	for _, word := range words(r.Name + " " + strings.Join(r.Keywords, " ")) {
		query[word] = true
	}
	totals := map[string]int{}
	for link, times := range counts {
		for word := range query {
			totals[link] += value(word, times[word])
		}
	}
	rank, best = 1, r.Truth
	for _, link := range slices.Sorted(maps.Keys(totals)) {
		if totals[link] > totals[r.Truth] {
			rank++
		}
		if totals[link] > totals[best] {
			best = link
		}
	}
	return rank, best
}
