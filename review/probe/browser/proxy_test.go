package browser

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestHeadersHaveLimits passes headers of a request and of an answer up to about 64 KB, and no longer ones.
func TestHeadersHaveLimits(t *testing.T) {
	long := strings.Repeat("x", 72<<10)
	short := long[:56<<10]
	for _, test := range []struct {
		name, asks, answers string
		status              int
	}{
		{"short ones", short, short, http.StatusOK},
		{"a long one of the request", long, short, http.StatusRequestHeaderFieldsTooLarge},
		{"a long one of the answer", short, long, http.StatusBadGateway},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", test.answers)
		}))
		p, err := startProxy(Page{Dial: (&site{Server: s}).dial}, nil)
		if err != nil {
			t.Fatal(err)
		}
		via := &http.Transport{Proxy: func(*http.Request) (*url.URL, error) { return url.Parse(p.url()) }}
		req := httptest.NewRequest(http.MethodGet, "http://app.example/", nil)
		req.Header.Set("X-Long", test.asks)
		answer, err := via.RoundTrip(req)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if answer.StatusCode != test.status {
			t.Errorf("%s: %s, want %d", test.name, answer.Status, test.status)
		}
		via.CloseIdleConnections()
		p.close()
		s.Close()
	}
}
