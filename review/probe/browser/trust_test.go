package browser

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestDrawWithAuthorities draws pages that ask a server whose certificate is of an authority of the page. A certificate
// for another name, or of an authority that nobody named, is refused.
func TestDrawWithAuthorities(t *testing.T) {
	t.Parallel()
	b := realBrowser(t)
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, long)
	}))
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	for _, test := range []struct {
		host  string // the certificate is one for example.com
		roots *x509.CertPool
		want  bool
	}{{"example.com", roots, true}, {"sede.example", roots, false}, {"example.com", nil, false}} {
		if !test.want {
			b.limits.settle = 3 * time.Second // nothing comes
		}
		d, err := b.Draw(t.Context(), Page{
			URL: "https://" + test.host + "/", Header: html(), Limit: 1 << 20, UserAgent: "visto", RootCAs: test.roots,
			Body: []byte("<body><script>fetch('/data').then(a => a.text()).then(text => document.body.append(text))" +
				"</script>"),
			Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, s.Listener.Addr().String())
			},
		})
		if got := strings.Contains(string(d.HTML), long[:20]); err != nil || got != test.want {
			t.Errorf("%s, authorities %v: %v, %v:\n%s", test.host, test.roots != nil, got, err, d.HTML)
		}
	}
}
