// Package testnet is an internet on loopback: some eighty hosts by name, over HTTP and over TLS with a certificate authority of its
// own, which do what the seeds' government sites do and what hostile servers do. The tests of the probe run against it, and so can
// anybody:
//
//	go run ./review/probe/testnet/serve
//
// prints the commands to type. Nothing in it is part of the program visto.
//
// The tour: Sites (sites.go, sites_*.go) is the table of hosts, and for each URL on them what must come out (want.go). What a host can do
// is in page.go, answer.go and pdf.go, what only a bad one does in raw.go. Start (net.go) serves a table; ca.go makes the
// certificates, log.go keeps who was asked what, dns.go leads clients here, by a stub resolver or by rules of curl's --connect-to.
// compare.go says what came out otherwise than the table wants. clock.go is a clock for tests that must not wait.
// Crowd (crowd.go) is a table of many hosts that are alike, for measuring: of "serve -crowd 200x10 -latency 100ms" visto probe with its default
// settings asks about all 2,000 URLs in 15 s, which is what 14 requests to each host, a second and 100 ms apart, take; on two cores
// under a load of 13 it took 24 s.
package testnet
