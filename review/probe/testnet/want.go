package testnet

import (
	"net/http"

	"visto/canon"
)

// Evidence is the expected evidence of a URL: all fields that depend on the site. Error is a part of the text. An
// empty FinalURL follows from the hops.
type Evidence canon.Evidence

// seen is the evidence of a page at the end of redirects.
func seen(p Page, hops ...canon.Hop) Evidence {
	return Evidence{
		Hops: hops, Status: http.StatusOK, Title: p.Title, Language: p.Lang, Robots: "allowed", Method: "get",
		ContentType: "text/html", SHA256: p.SHA256(), ETag: p.Header["ETag"], LastModified: p.Header["Last-Modified"],
	}
}

// answered is the evidence of an answer of Gone.
func answered(status int, hops ...canon.Hop) Evidence {
	return Evidence{
		Hops: hops, Status: status, Robots: "allowed", Method: "get",
		ContentType: "text/plain", SHA256: sha([]byte(http.StatusText(status) + "\n")),
	}
}

// failed is the evidence of a missing answer; why is a part of the error.
func failed(why string, hops ...canon.Hop) Evidence {
	return Evidence{Hops: hops, Error: why, Robots: "allowed"}
}

// file is the evidence of a file that is not HTML.
func file(contentType, title string, body []byte) Evidence {
	return Evidence{Status: http.StatusOK, Robots: "allowed", Method: "get", ContentType: contentType, Title: title,
		SHA256: sha(body)}
}

// robotsBlocked is the evidence of a URL that robots.txt forbids (seed 003: "mark as extraction_method:
// robots_blocked").
func robotsBlocked(hops ...canon.Hop) Evidence {
	return Evidence{Hops: hops, Robots: "blocked", Method: "robots_blocked"}
}

// blocked is the evidence of a page behind a wall (seed 003: "mark extraction_method: blocked").
func blocked(e Evidence, why string) Evidence {
	e.Blocked, e.Method = why, "blocked"
	return e
}

// stopped is the evidence of a redirect that was recorded but not followed: the last one.
func stopped(hops ...canon.Hop) Evidence {
	return Evidence{Hops: hops, Status: hops[len(hops)-1].Status, Robots: "allowed"}
}

// ofPages adds the number of pages.
func (e Evidence) ofPages(n int) Evidence {
	e.TotalPages = n
	return e
}

// between adds the pages before and after in a list.
func (e Evidence) between(prev, next string) Evidence {
	e.RelPrev, e.RelNext = prev, next
	return e
}

// variants adds language versions, given as tag and URL by turns.
func (e Evidence) variants(tagsAndURLs ...string) Evidence {
	e.LangVariants = versions(tagsAndURLs...)
	return e
}

// insteadOf makes the evidence that of a page shown at an alternative URL, in place of the answer of its own.
func (e Evidence) insteadOf(own Evidence, url string) Evidence {
	e.Status, e.Error, e.Robots, e.Alternative = own.Status, own.Error, own.Robots, url
	return e
}

// archivedAs adds the web archive's copy of a URL and its contents.
func (e Evidence) archivedAs(url string) Evidence {
	e.ArchiveURL, e.ArchiveDate = "https://web.archive.org/web/"+archiveStamp+"/"+url, archiveDate
	e.Title, e.Language, e.Method = archivedPage.Title, archivedPage.Lang, "archive"
	return e
}

// validators adds those for conditional requests (RFC 9110 section 8.8).
func (e Evidence) validators(etag, modified string) Evidence {
	e.ETag, e.LastModified = etag, modified
	return e
}

// keepsSlash adds that the form without the slash is another page or none, so the form with it was requested.
func (e Evidence) keepsSlash(final string) Evidence {
	e.TrailingSlash, e.FinalURL = "keep", final
	return e
}

// cut adds that the body exceeded the limit.
func (e Evidence) cut() Evidence {
	e.Truncated = true
	return e
}

// canonicalLink adds the canonical URL that the page states.
func (e Evidence) canonicalLink(url string) Evidence {
	e.RelCanonical = url
	return e
}

// versions is a map of language versions, given as tag and URL by turns.
func versions(tagsAndURLs ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(tagsAndURLs); i += 2 {
		m[tagsAndURLs[i]] = tagsAndURLs[i+1]
	}
	return m
}

// hop is a redirect in evidence.
func hop(status int, url string) canon.Hop { return canon.Hop{Status: status, URL: url} }

// flags is the set of the codes.
func flags(codes ...canon.Code) canon.CodeSet { return canon.SetOf(codes...) }
