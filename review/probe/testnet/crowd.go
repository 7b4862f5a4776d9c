package testnet

import (
	"fmt"
	"time"
)

// Crowd is a table of equal hosts, with the same number of pages and the same latency.
func Crowd(hosts, pages int, latency time.Duration) []Site {
	sites := make([]Site, hosts)
	for i := range sites {
		host := fmt.Sprintf("crowd-%03d.gob.es", i)
		sites[i] = Site{Host: host, About: "one of many", Latency: latency, Rest: ordinary}
		for n := range pages {
			url := fmt.Sprintf("https://%s/tramites/ayuda-numero-%d", host, n)
			sites[i].URLs = append(sites[i].URLs, Want{URL: url, Canonical: url, Evidence: seen(ordinary)})
		}
	}
	return sites
}
