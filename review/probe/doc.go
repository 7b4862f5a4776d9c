// Package probe fetches URLs and records the answers as Evidence, from which package canon draws its conclusions. It
// judges no URL and stores nothing itself.
//
// # The tour
//
//   - prober.go, run.go: a Prober is made once from a Config (config.go). Probe fetches one URL, Run many: hosts in
//     parallel, one request at a time to each, in random order. Both return Reports.
//   - exchange.go, response.go, retry.go: one request and its answer, with the headers, limits and retries of seed
//     003. gate.go makes the requests to one host wait for each other, for the delay between them, and for pauses
//     that the host asked for.
//   - walk.go, location.go: the redirect chain of a URL. Each hop is checked against policy and safety rules before
//     the next request. slash.go tries the form with a slash at the end of the path (seed 000 rule 2).
//   - sitemap.go: the sitemaps that robots.txt names, and files that are no pages. A Budget (prober.go) bounds the
//     requests for one question.
//   - answer.go: the URLs that would be cited in the place of the page, asked before they are: its Spanish version, its
//     path on a preferred host that no redirect leads to.
//   - hosts.go, robots.go: HTTPS support, the preferred host of a domain, robots.txt. All are stored in the Cache
//     (cache.go).
//   - guard.go, dial.go: the check of the address that is really dialled. So neither a notation nor a redirect nor a
//     DNS answer leads to an address that is not public.
//   - page*.go: the statements of an answer about itself. Package extract reads its content as a person would, and PDF
//     files, in child processes.
//   - draw.go: the contents of a page that scripts write. Package browser draws it, in a headless Chromium.
//   - offline.go: the difference between a machine without a network and a dead host.
//   - fresh.go, archive.go: how long an answer counts as fresh; the copy of a gone page in a web archive.
//     alternative.go: the other URLs of a gone page.
//   - visit.go, evidence.go: the work on one URL, and its Evidence.
//
// # HEAD or GET
//
// HEAD serves where the body is not needed: for the preferred host of a domain (rule 5), and for files of types that
// nothing is read from, such as archives, images and office documents, by the extension of the path. If a server
// refuses HEAD with any status, GET follows, because many servers do so by mistake. Pages and PDF files are fetched
// with GET at once: title, language and language versions are in the body. At one request a second, a HEAD before
// each GET would halve the speed and double the load on the server.
//
// # Special pages
//
// The types of seed 003's table, and their treatment (page_wall.go, page_data.go):
//
//	JS-rendered         no text, but scripts: drawn in a browser, else Page.Empty and a caveat
//	paywalled           402, a page with a notice, a wall, a login or a redirect to one: Blocked, with the title alone
//	rate-limited        429: the prober keeps to Retry-After
//	redirected          both URLs and the hops
//	PDF                 title, language and number of pages; of a cut body, as far as its beginning tells
//	API or JSON         validity, and the kind of the value
//	large               cut at Config.MaxBody, with a caveat
//	geo-blocked         403 with a word about countries: Blocked "region" and a caveat
//
// The package also recognizes firewalls that answer in place of the server (403, or 200 with a few words), feeds and
// other XML, and error pages with status 200. It gets round no wall.
//
// A refresh, by <meta> or header, is a hop like a redirect if it comes at once, or within five seconds on a page that
// has hardly any text of its own (page_refresh.go). Any other is Evidence.MetaRefresh.
//
// # Contents
//
// The content of a page goes into Report.Content, not into the Evidence (spec section 15): the main text in Markdown of
// an HTML page, the text of the first pages of a PDF, JSON as it is. A page behind a wall, an error page, a page
// without text and a copy in the web archive give none, nor does an answer without a body, such as 304. So a request is
// unconditional while Cache.HasContent knows of no content that an earlier answer would give.
//
// # Fallbacks
//
// In the order of seed 003: retries (retry.go); a headless browser (draw.go); the web archive (archive.go); an
// alternative URL (alternative.go); a person, by the flags unreachable and no-content of canon or by the caveats. The
// Google Cache no longer exists.
//
// The alternative URLs of a page that is gone are those known from its last evidence, which are its canonical URL, its
// version in the preferred language and its rel=canonical; its place on the preferred host of the domain; and, if the
// host gives no answer, on the name of the domain with or without "www.". The first that shows the page, under the same
// title if that is known, is Evidence.Alternative. The evidence keeps the answer of the URL itself.
//
// The browser gets the answer that is there already, once ReadPage has found no text in it (Page.Empty). Its drawing is
// read by ReadPage in turn, and Evidence.Method is "headless". The evidence keeps hash and size of the server's bytes,
// so the page can be confirmed and compared. A page that stays empty has Evidence.NoContent, with or without a browser.
//
// # No network
//
// A dead network must not make dead hosts (offline.go). Once anything has been heard of any host since the Prober was
// made, a failure is that of its host. Until then:
//
//   - A name that does not exist says nothing yet. If two of different domains do not, or that of a single URL, and
//     "archive.org" is no name either, the network is missing. That one is looked up, and not asked.
//   - Without a route or a resolver a request is tried once more, and Run ends with ErrOffline.
//   - A network may also drop packets silently. So Run holds the report on a host that stays silent through all
//     retries, until something is heard of another host, or three hosts have been silent: then it ends with ErrOffline.
//   - In a run of one or two hosts the web archive, which is asked about each page that fails, is the other host: if it
//     is silent too, the network is missing. If the archive is not to be asked, the hosts are taken for dead.
//
// # Freshness
//
// The Evidence has the fields of seed 003's cache: FetchedAt is cached_at, SHA256 content_hash, ETag http_etag,
// LastModified http_last_modified, TTLHours ttl_hours; its URL is the cache_key. Within its TTL (the table is in
// fresh.go) a page is not fetched again. After it the request is conditional; after twice the TTL, or with
// Target.Fresh, it is unconditional. Target.Fresh covers the other rules of "Cache Invalidation": a person asked, the
// source contradicts another, or the page is known to be updated.
//
// # What holds
//
//   - No request goes to an address that is not public, unless Config.AllowPrivate permits it or the user named that
//     very address in ConnectTo or Resolve. The check is behind name resolution, on the address of the socket. The
//     connections of the browser pass it too.
//   - Each host gets one request at a time, and none sooner after its last answer than Config.Delay, robots.txt and
//     Retry-After permit. The scripts of a page in the browser are the exception: up to 60 requests, 6 at a time, as
//     far as the Budget goes, and without regard to robots.txt, as in any browser. The pause of the host begins after
//     them.
//   - Requests carry no credentials and no Referer, and use no proxy. They carry the cookies that the same chain of
//     redirects set, and no others; no cookie is stored or logged. Requests of scripts are the browser's own.
//   - Headers, decoded body, redirects and time have limits.
//   - Bodies take limited room, all together (room.go). Each is dropped once its page is read.
//   - The end of the context stops everything at once. The sink has received every finished Report by then.
//   - A host gets the request for its next URL only after the sink has the last Report. So a killed process has asked
//     each host for at most one URL in vain.
package probe
