// Package testnet is an internet on loopback: some eighty hosts by name, over HTTP and over TLS with a certificate
// authority of its own. They imitate the government sites of the seeds, and hostile servers. The tests of the probe
// use it. The command
//
//	go run ./review/probe/testnet/serve
//
// serves it to anybody and prints the commands to type. The program visto contains none of it.
//
// # The tour
//
//   - sites.go, sites_*.go: Sites is the table of hosts. want.go: the expected result for each URL.
//   - town.go, town_page.go, town/: Town is a town's site, with sections, procedures and their rivals, in Spanish and
//     Catalan. TownRecords are records that cite its home page, each with the page that it should cite.
//   - dust.go, dust_traps.go: Dust are sites whose pages stand under several URLs, by planted rules, and sites that
//     only look so. Each URL comes with the page that it shows.
//   - sites_documents.go, sites_documents_hostile.go: Documents are sites with documents that are hard to read.
//     sites_scripted.go: pages without text until their script has run. sites_browser.go, doors.js: a page that tries
//     to lead a browser to an address by every feature that makes requests.
//   - page.go, answer.go, pdf.go: the answers of ordinary hosts. raw.go: those of broken and hostile ones.
//   - villages.go: Villages are sixteen small towns, half of them off the allowlist, each with one record and three
//     rivals of its page.
//   - bad.go, bad_table.go, bad_good.go: BadWeb is the table of servers that mislead link checkers, and of pages that
//     only look bad, each with what is right. bad_sites.go: their hosts.
//     bad_outage.go: Outages are networks in which names are unknown.
//   - net.go: Start serves a table. pipe.go: connections in memory, for virtual time. ca.go makes the certificates,
//     log.go records the requests, dns.go leads clients here, by a stub resolver or by rules of curl's --connect-to.
//   - compare.go: the differences between a result and the table.
//   - clock.go: a clock without real waits.
//   - crowd.go: Crowd is a table of many equal hosts, for measuring. On "serve -crowd 200x10 -latency 100ms" visto
//     probe with its default settings takes 15 s for all 2,000 URLs, the time of 14 requests to each host, a second
//     and 100 ms apart. On two cores under a load of 13 it took 24 s.
package testnet
