package testnet

import (
	"time"

	"visto/canon"
)

// hostileSites are broken or malicious servers. Each may hold the probe until its timeout, and no longer.
func hostileSites() []Site {
	const path = "/tramites/ayuda-alquiler"
	lost := func(host, why string) []Want {
		return []Want{{URL: "https://" + host + path, Canonical: "https://" + host + path,
			Flags: flags(canon.Unreachable), Evidence: failed(why)}}
	}
	return []Site{
		{Host: "slow-loris.gob.es", About: "sends a byte of a header now and then",
			Pages: pages(path, SlowHeaders(50*time.Millisecond)),
			URLs:  lost("slow-loris.gob.es", "did not answer")},
		{Host: "slow-body.gob.es", About: "sends a byte of a page now and then",
			Pages: pages(path, SlowBody(50*time.Millisecond)), URLs: lost("slow-body.gob.es", "did not answer")},
		{Host: "mute.gob.es", About: "takes the request and says nothing", Pages: pages(path, Mute()),
			URLs: lost("mute.gob.es", "did not answer")},
		{Host: "endless-headers.gob.es", About: "sends header after header", Pages: pages(path, EndlessHeaders()),
			URLs: lost("endless-headers.gob.es", "header")},
		{Host: "huge-header.gob.es", About: "sends one header of 1 MB",
			Pages: pages(path, HugeHeader(1<<20, ordinary)), URLs: lost("huge-header.gob.es", "header")},
		{Host: "reset.gob.es", About: "resets the connection", Pages: pages(path, Reset()),
			URLs: lost("reset.gob.es", "broke off")},
		{Host: "empty.gob.es", About: "closes the connection without a word", Pages: pages(path, Empty()),
			URLs: lost("empty.gob.es", "broke off")},
		{Host: "no-http.gob.es", About: "answers in another protocol", Pages: pages(path, Garbage()),
			URLs: lost("no-http.gob.es", "malformed")},
	}
}
