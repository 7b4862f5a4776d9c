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
//   - page: what the answer says (page*.go, pdf.go), how long it counts as fresh (fresh*.go), and the copy in a web archive where the
//     page is gone (archive*.go). evidence.go puts it all into the Evidence.
//
// # HEAD or GET
//
// HEAD is asked where the body is not needed: for the preferred host of a domain (rule 5), and for files from whose body nothing is
// read (archives, images, office documents, by the extension of the path). A server that refuses it, whatever the status, is asked with
// GET, for many answer HEAD with an error they do not mean. Pages and PDF files are asked with GET at once, since title, language and language
// versions stand in the body: at one request a second, a HEAD before each would halve the speed and double the load on the server.
//
// # What holds
//
//   - No request goes to an address that is not public, unless Config.AllowPrivate says so or the user named that very address in
//     ConnectTo or Resolve. The check stands behind name resolution, on the address that the socket connects to.
//   - One host is never asked by two connections at a time, nor more often than Config.Delay, robots.txt and Retry-After allow.
//   - No cookies, credentials or Referer are sent, no proxy is used.
//   - What a server sends is read up to a limit: headers, decoded body, redirects, time.
//   - Cancelling the context stops everything at once. Every Report that was finished by then has reached the sink.
package probe
