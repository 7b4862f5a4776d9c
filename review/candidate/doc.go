// Package candidate proposes pages to cite in the place of a URL that a reviewer should not cite: a home page, a
// section page, a page that is gone, or one in another language.
//
// # The tour
//
//   - candidate.go: Find answers a Question about an item with a list of Candidates, best first. A Question about a
//     link is answered with the page of the link.
//   - search.go: the work on one question. It reads the cited page, the sitemaps (sitemap.go), some sections, and
//     then the most promising pages. Links, addresses and titles choose the pages to read; their content ranks them.
//   - rank.go: the order of the pages as far as they are known.
//   - page.go: a page that may be proposed, with all that is known about it.
//   - query.go, words.go: the words of the record that cites, as stems without accents, case and stop words.
//   - index.go: BM25 over titles, headings, addresses, links and texts, by SQLite's FTS5 in memory. A word that most
//     pages of a small site have counts less, but counts.
//   - signal.go: properties that speak for or against a page whatever the record: its language, its year, headings of
//     a procedure, news, questions and answers, files, sections. They know Spanish administrations, and no town.
//   - why.go: the reasons that a reviewer sees.
//   - clear.go: Clear tells whether one page fits so much better than all others that it needs no choice.
//
// # What holds
//
//   - One question makes at most MaxRequests requests, to all sites together, with robots.txt, sitemaps, redirects
//     and retries. The prober makes them, with all its manners (package probe).
//   - Each candidate passed the rules of the desk: policy, overrides, allowlist and blocklist. Home pages, rejected
//     URLs, pages that do not answer and pages that robots.txt forbids are left out; other flags are said.
//   - A page with a version in the language to cite leads to that version.
//   - Nothing is stored. To cite a candidate is review.Desk.Cite, a correction.
package candidate
