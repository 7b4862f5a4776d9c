package review

import (
	"testing"
	"time"

	"visto/canon"
	"visto/review/probe"
)

// TestCertificateOfTheHost takes the certificate of the host that shows the page, not of another that was asked too.
func TestCertificateOfTheHost(t *testing.T) {
	own, others := time.Unix(2000, 0), time.Unix(1000, 0)
	const www, bare = "https://www.a.es", "https://a.es"
	for name, tt := range map[string]struct {
		hops      []canon.Hop
		exchanges []probe.Exchange
		want      time.Time
	}{
		"another name asked too": {nil, []probe.Exchange{
			{Purpose: "robots", URL: www + "/robots.txt", Certificate: own},
			{Purpose: "page", URL: www + "/x", Certificate: own},
			{Purpose: "robots", URL: bare + "/robots.txt", Certificate: others}}, own},
		"refused at once": {nil, []probe.Exchange{
			{Purpose: "robots", URL: www + "/robots.txt", Certificate: others}}, others},
		"refused behind a redirect": {[]canon.Hop{{Status: 301, URL: www + "/x"}}, []probe.Exchange{
			{Purpose: "robots", URL: bare + "/robots.txt", Certificate: own},
			{Purpose: "page", URL: bare + "/x", Certificate: own},
			{Purpose: "robots", URL: www + "/robots.txt", Certificate: others}}, others},
		"nothing asked": {nil, nil, time.Time{}},
	} {
		report := &probe.Report{Evidence: &canon.Evidence{Hops: tt.hops}, Exchanges: tt.exchanges}
		if got := certificate(report); !got.Equal(tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
