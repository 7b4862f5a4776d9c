// Package probe asks the network about URLs and writes down what it said: the Evidence from which package canon draws its
// conclusions. It decides nothing about a URL and stores nothing itself.
//
// # The tour
//
//   - A Prober (prober.go) is made once from a Config (config.go). Probe asks about one URL, Run (run.go) about many: hosts in
//     parallel, one connection at a time to each, in shuffled order. Both answer with a Report.
//   - exchange: one request and its answer (exchange.go, response.go), with the headers, limits and retries (retry.go) of seed 003. gate.go
//     makes one host's requests wait for each other, for the delay between them, and for what the host itself asked for.
//   - walk: the redirects of a URL, one hop at a time (walk.go, location.go), each checked against policy and safety rules before it is
//     asked. slash.go asks for the form with a slash at its end where the form without one leads elsewhere (seed 000 rule 2).
//   - hosts: HTTPS support and the preferred host of a domain (hosts.go, tls.go), robots.txt (robots.go). Both live in the Cache (cache.go).
//   - safety: guard.go and dial.go check the address that is really dialled, so that neither a notation, a redirect nor a DNS answer
//     leads to a machine that is nobody's public site.
//   - page: what the answer says (page*.go, pdf*.go), how long it counts as fresh (fresh*.go), and the copy in a web archive where the
//     page is gone (archive*.go). evidence.go puts it all into the Evidence.
//
// # HEAD or GET
//
// HEAD is asked where the body is not needed: for the preferred host of a domain (rule 5), and for files from whose body nothing is
// read (archives, images, office documents, by the extension of the path). A server that refuses it, whatever the status, is asked with
// GET, for many answer HEAD with an error they do not mean. Pages and PDF files are asked with GET at once, since title, language and language
// versions stand in the body: at one request a second, a HEAD before each would halve the speed and double the load on the server.
//
// # Special pages
//
// What seed 003's table of special page types names, and what is done about it (page_wall.go, page_data.go, pdf*.go):
//
//	JS-rendered         no text, but scripts: Page.Empty, a caveat
//	paywalled           402, a page that says so, a wall over it, a login, a redirect to one: Blocked, the title alone, nothing is got round
//	rate-limited        429: Retry-After is kept to
//	redirected          both URLs and the hops
//	PDF                 title, language and number of pages; of a body that was cut, what its beginning tells
//	API or JSON         whether it is valid, and what kind of value it is
//	large               cut at Config.MaxBody, a caveat
//	geo-blocked         403 that speaks of countries: Blocked "region", a caveat
//
// and besides: firewalls that answer in the place of the server (403, or 200 with a few words), feeds and other XML, error pages that
// are sent with 200, and pages that send the browser on.
//
// # Fallbacks
//
// In the order of seed 003: retries (retry.go); a headless browser; the web archive (archive.go); a person, whom canon asks for with the
// flag unreachable, or whoever reads the caveats. The headless browser is a later step. Its place is after ReadPage in evidence.go, where
// Page.Empty says that scripts draw the page: what it renders is a Response like any other, ReadPage reads it, and Evidence.Method
// says "headless". The dial guard has to stand before it as a proxy, for a browser connects by itself. The Google Cache is no more, and
// alternative URLs nobody knows.
//
// # Freshness
//
// The fields of seed 003's cache are those of the Evidence: cached_at is FetchedAt, content_hash SHA256, http_etag ETag,
// http_last_modified LastModified, ttl_hours TTLHours; cache_key is the URL that the evidence is stored under. Within its TTL (fresh.go has
// the table) a page is not asked for again. After it a conditional request is made, and after twice the TTL, or where Target.Fresh says
// so, an unconditional one. Target.Fresh is how a caller passes on the other rules of "Cache Invalidation": a person asked for it, the source
// contradicts another, or it is known to have been updated.
//
// # What holds
//
//   - No request goes to an address that is not public, unless Config.AllowPrivate says so or the user named that very address in
//     ConnectTo or Resolve. The check stands behind name resolution, on the address that the socket connects to.
//   - One host is never asked by two connections at a time, nor sooner after its last answer than Config.Delay, robots.txt and
//     Retry-After allow.
//   - No cookies, credentials or Referer are sent, no proxy is used.
//   - What a server sends is read up to a limit: headers, decoded body, redirects, time.
//   - Cancelling the context stops everything at once. Every Report that was finished by then has reached the sink.
//   - A host is asked about its next URL when the sink has the last one: a process that is killed has asked about one URL of each host,
//     at the most, without a trace.
package probe
