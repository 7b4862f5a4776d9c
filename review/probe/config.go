package probe

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"visto/canon"
	"visto/review/probe/browser"
	"visto/review/probe/extract"
)

// Default limits, from seed 003 and spec section 7. Config overrides them.
const (
	DefaultTimeout     = 30 * time.Second
	DefaultMaxBody     = 1 << 20 // bytes, decoded
	DefaultMaxPDF      = 8 << 20 // bytes: the page tree of a PDF is often at its end
	DefaultMaxHeader   = 64 << 10
	DefaultConcurrency = 32
	DefaultDelay       = time.Second
	DefaultMaxWait     = 2 * time.Minute
	DefaultHostTTL     = 7 * 24 * time.Hour
	DefaultArchive     = "https://archive.org/wayback/available"
)

// DefaultUserAgent is sent if Config.UserAgent is empty. A contact URL is added to it.
const DefaultUserAgent = "visto/1.0"

// Config configures a Prober. The zero value of a field means its default; Policy is required.
type Config struct {
	// Policy decides which form of a URL is requested, how many hops are followed and which hosts are allowed.
	Policy    *canon.Policy
	Overrides *canon.Overrides // may be nil

	UserAgent      string // the whole header; robots.txt is read for its product token, the part before "/"
	Contact        string // URL of the operator, added to the User-Agent
	AcceptLanguage string // by default Spanish first if the policy prefers Spanish, English otherwise (seed 003)

	Timeout     time.Duration // of one exchange, from dialling to the last byte
	MaxBody     int64         // bytes of a decoded body to read
	MaxPDF      int64         // bytes of a PDF to read
	MaxHeader   int64         // bytes of the headers of an answer; longer headers are an error
	Concurrency int           // requests at a time, each to another host; a host that waits does not count
	Delay       time.Duration // from the end of a request to a host to the start of the next; negative: none
	Since       time.Time     // the end of the last requests of an earlier prober; zero: there was none
	MaxWait     time.Duration // longest wait that a host may ask for; later URLs are deferred
	HostTTL     time.Duration // lifetime of facts about a host

	AllowPrivate bool           // also probe addresses that are not public
	ExtraPorts   []uint16       // ports besides 80, 443, 8080 and 8443
	ConnectTo    []ConnectTo    // as curl's --connect-to; see ParseConnectTo
	Resolve      []Resolve      // as curl's --resolve; see ParseResolve
	RootCAs      *x509.CertPool // nil: the system's; see ReadCAFile
	Resolver     Resolver       // nil: the system's
	Cache        Cache          // nil: NewMemoryCache
	Documents    DocumentReader // nil: PDF files are not read, nor the contents of pages
	NoContent    bool           // Report.Content is to be read and compared, but not to be stored
	Browser      Browser        // nil: pages that scripts draw stay without text

	// Open reports whether a request may begin at a time; nil: at any. Once it may not, Run ends with ErrClosed.
	Open func(time.Time) bool

	// Dial opens a connection to a checked address; nil: a socket of this machine, which checks the address again
	// when it connects.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	Archive  string      // availability service of the web archive; "-": do not use it
	Clock    Clock       // nil: the system's
	Rand     *rand.Rand  // for jitter and shuffling; nil: seeded by the system. The Prober locks it.
	Progress func(Event) // called for every Event, one at a time; nil: nobody watches. It must not block.
}

// DocumentReader reads documents whose parsers are large or risky. *extract.Client implements it.
type DocumentReader interface {
	// HTML reads a page, or the beginning of one. contentType is the header field of the answer; the links of the page
	// are relative to url.
	HTML(ctx context.Context, body []byte, contentType, url string) (extract.Document, error)
	// PDF reads a PDF file, or the beginning of one, and up to text bytes of the text on its first pages.
	PDF(ctx context.Context, body []byte, text int) (extract.Document, error)
	// Close releases the resources of the reader. It stays usable.
	Close() error
}

// Browser draws pages that scripts write. *browser.Browser implements it.
type Browser interface {
	// Draw returns a page as its scripts draw it.
	Draw(ctx context.Context, page browser.Page) (browser.Drawing, error)
	// Close ends the browser, if one runs. It stays usable.
	Close()
}

// Clock tells the time and waits. Network timeouts always use the system's clock.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or until ctx ends; then it returns the cause.
	Sleep(ctx context.Context, d time.Duration) error
}

// withDefaults checks the config and fills in the defaults.
func (c Config) withDefaults() (Config, error) {
	if c.Policy == nil {
		return c, errors.New("a prober needs a policy")
	}
	c.UserAgent = cmp.Or(c.UserAgent, DefaultUserAgent)
	if c.Contact != "" {
		c.UserAgent = fmt.Sprintf("%s (compatible; +%s)", c.UserAgent, c.Contact)
	}
	c.AcceptLanguage = cmp.Or(c.AcceptLanguage, acceptLanguage(c.Policy))
	if strings.ContainsAny(c.UserAgent+c.AcceptLanguage, "\r\n") {
		return c, errors.New("user agent, contact URL and language are one line each")
	}
	if c.Concurrency < 0 || c.Timeout < 0 || c.MaxBody < 0 || c.MaxPDF < 0 || c.MaxHeader < 0 {
		return c, errors.New("concurrency, timeout and sizes cannot be negative")
	}
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	c.MaxBody = cmp.Or(c.MaxBody, DefaultMaxBody)
	c.MaxPDF = cmp.Or(c.MaxPDF, DefaultMaxPDF)
	c.MaxHeader = cmp.Or(c.MaxHeader, DefaultMaxHeader)
	c.Concurrency = cmp.Or(c.Concurrency, DefaultConcurrency)
	c.Delay = cmp.Or(c.Delay, DefaultDelay)
	c.MaxWait = cmp.Or(c.MaxWait, DefaultMaxWait)
	c.HostTTL = cmp.Or(c.HostTTL, DefaultHostTTL)
	c.Archive = cmp.Or(c.Archive, DefaultArchive)
	c.Resolver = cmp.Or[Resolver](c.Resolver, net.DefaultResolver)
	c.Clock = cmp.Or[Clock](c.Clock, SystemClock{})
	c.Cache = cmp.Or(c.Cache, NewMemoryCache())
	c.Rand = cmp.Or(c.Rand, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
	if c.Open == nil {
		c.Open = func(time.Time) bool { return true }
	}
	if c.Progress == nil {
		c.Progress = func(Event) {}
	}
	return c, nil
}

// acceptLanguage returns the header of seed 003 for the preferred language of the policy.
func acceptLanguage(p *canon.Policy) string {
	if l := p.PreferredLanguage(); l != "" {
		return fmt.Sprintf("%s-%s,%s;q=0.9,en;q=0.5", l, strings.ToUpper(l), l)
	}
	return "en-US,en;q=0.9"
}

// WithCAs returns the system's certificate authorities together with those of a PEM file with a name. curl's --cacert,
// in contrast, replaces the system's.
func WithCAs(name string, pem []byte) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("reading certificate authorities: %s holds no certificate in PEM form", name)
	}
	return pool, nil
}
