package candidate

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"slices"

	"visto/canon"
	"visto/review/lazyregexp"
	"visto/review/probe/extract"
	"visto/review/read"
)

// The limits of reading the sitemaps of a host. A sitemap may have 50,000 URLs and 50 MB (sitemaps.org); a hostile one
// has no end, and costs maxSitemap bytes. Package read bounds the unpacked size of a compressed one.
const (
	maxSitemaps     = 5       // requests
	maxSitemap      = 8 << 20 // bytes, as the server sends them
	maxSitemapURLs  = 50_000  // of all sitemaps
	maxUnlikelyURLs = 2000    // without a word of the query: they only tell how common each word is
)

// errEnough ends the reading of a sitemap.
var errEnough = errors.New("enough")

// readSitemaps adds the URLs of the sitemaps that robots.txt names, or else of /sitemap.xml.
func (s *search) readSitemaps(ctx context.Context) error {
	root := originOf(s.start)
	queue, err := s.prober.Sitemaps(ctx, s.target(root))
	if err != nil {
		return err
	}
	if len(queue) == 0 {
		queue = []string{root + "sitemap.xml"}
	}
	seen, left := map[string]bool{}, maxSitemapURLs
	for n := 0; n < maxSitemaps && len(queue) > 0 && left > 0; {
		likeliestFirst(queue)
		at := queue[0]
		if queue = queue[1:]; seen[at] || siteOf(at) != s.judge.site {
			continue
		}
		seen[at] = true
		n++
		more, err := s.readSitemap(ctx, at, &left)
		if err != nil {
			return err
		}
		queue = append(queue, more...)
	}
	return nil
}

// readSitemap adds the URLs of one sitemap, and returns the sitemaps that it names if it is an index. Of a page whose
// versions are named, that in the language to cite is added alone. A broken sitemap counts as far as it can be read.
func (s *search) readSitemap(ctx context.Context, at string, left *int) (more []string, err error) {
	answer, err := s.prober.Download(ctx, s.target(at), maxSitemap)
	if answer == nil || err != nil {
		return nil, err
	}
	unlikely := maxUnlikelyURLs
	yield := func(f read.Found) error {
		if *left--; *left < 0 {
			return errEnough
		}
		for _, url := range s.versionsOr(f.URL, f.Versions) {
			if siteOf(url) != s.judge.site {
				continue
			}
			if !s.query.touches(slugOf(url)) {
				if unlikely--; unlikely < 0 {
					continue
				}
			}
			s.add(url, "", bySitemap, maxDepth+1)
		}
		return nil
	}
	body := bytes.NewReader(sitemapText(answer.Body, answer.Header.Get("Content-Type")))
	summary, err := read.URLs(ctx, at, body, read.Options{Format: "sitemap"}, yield, func(read.Skip) {})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, nil // it is no sitemap, or there are too many URLs
	}
	return absolute(at, summary.Sitemaps), nil
}

// versionsOr returns the versions of a page in the language to cite, or else the page itself.
func (s *search) versionsOr(page string, versions map[string]string) []string {
	if urls := s.versions(versions); len(urls) > 0 {
		return urls
	}
	return []string{page}
}

var xmlDeclaration = lazyregexp.New(`^\s*<\?xml\s[^>]{0,200}\?>`)

// sitemapText returns a sitemap in UTF-8. It takes the declaration away, which may name the charset that it was in. A
// compressed sitemap stays as it is.
func sitemapText(body []byte, contentType string) []byte {
	if bytes.HasPrefix(body, []byte("\x1F\x8B")) { // gzip (RFC 1952, section 2.3.1)
		return body
	}
	text := extract.UTF8(body, contentType)
	return text[len(xmlDeclaration().Find(text)):]
}

// absolute resolves the URLs of sitemaps.
func absolute(base string, list []string) (urls []string) {
	from, err := url.Parse(base)
	if err != nil {
		return nil
	}
	for _, text := range list[:min(len(list), 1000)] {
		if u, err := from.Parse(canon.Trim(text)); err == nil {
			urls = append(urls, u.String())
		}
	}
	return urls
}

// Names of sitemaps that tell their content.
var (
	likelySitemap   = lazyregexp.New(`(?i)tr[aà]mit|procedim|servici|sede|pages?[_.-]|paginas?|contenid`)
	unlikelySitemap = lazyregexp.New(
		`(?i)notici|news|agenda|event|imag|video|prensa|post|tag|author|categor|archiv`)
)

// likeliestFirst sorts sitemaps by their names, for not all may be read.
func likeliestFirst(list []string) {
	rank := func(at string) int {
		switch {
		case likelySitemap().MatchString(pathOf(at)):
			return 0
		case unlikelySitemap().MatchString(pathOf(at)):
			return 2
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b string) int { return rank(a) - rank(b) })
}
