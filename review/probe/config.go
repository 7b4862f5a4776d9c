package probe

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"time"

	"visto/canon"
	"visto/review/probe/extract"
)

// The limits of seed 003 and spec section 7, which Config changes.
const (
	DefaultTimeout     = 30 * time.Second
	DefaultMaxBody     = 1 << 20 // bytes, decoded
	DefaultMaxPDF      = 8 << 20 // bytes: the page count of a PDF stands at its end
	DefaultMaxHeader   = 64 << 10
	DefaultConcurrency = 32
	DefaultDelay       = time.Second
	DefaultMaxWait     = 2 * time.Minute
	DefaultHostTTL     = 7 * 24 * time.Hour
	DefaultArchive     = "https://archive.org/wayback/available"
)

// DefaultUserAgent is sent where Config.UserAgent is empty, with the contact URL where there is one.
const DefaultUserAgent = "visto/1.0"

// Config is what a Prober needs to know. The zero value of a field means its default; Policy is required.
type Config struct {
	Policy    *canon.Policy    // says which form of a URL is asked, how many hops are followed, which hosts are allowed
	Overrides *canon.Overrides // may be nil

	UserAgent      string // the whole header; its product token, up to "/", is what robots.txt is read for
	Contact        string // a URL at which the operator can be reached, added to the User-Agent
	AcceptLanguage string // by default Spanish first if the policy prefers Spanish, English otherwise (seed 003)

	Timeout     time.Duration // of one exchange, from dialling to the last byte
	MaxBody     int64         // bytes of a decoded body that are read
	MaxPDF      int64         // the same of a PDF
	MaxHeader   int64         // bytes of the headers of an answer; a longer one is an error
	Concurrency int           // requests under way at a time, each to another host; a host that waits for its turn does not count
	Delay       time.Duration // between the end of a request to a host and the beginning of the next; negative: none
	MaxWait     time.Duration // the longest wait that a host may ask for; URLs that would wait longer are deferred
	HostTTL     time.Duration // how long what is known of a host counts

	AllowPrivate bool           // also addresses that are not public
	ExtraPorts   []uint16       // besides 80, 443, 8080 and 8443
	ConnectTo    []ConnectTo    // as curl's --connect-to; see ParseConnectTo
	Resolve      []Resolve      // as curl's --resolve; see ParseResolve
	RootCAs      *x509.CertPool // nil: the system's; see ReadCAFile
	Resolver     Resolver       // nil: the system's
	Cache        Cache          // nil: NewMemoryCache
	Documents    DocumentReader // nil: nothing is read from PDF files

	// Dial opens a connection to an address that was checked; nil: a socket of this machine, where the address is checked
	// once more as it is connected.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	Archive  string      // the availability service of the web archive; "-": it is not asked
	Clock    Clock       // nil: the system's
	Rand     *rand.Rand  // for jitter and shuffling; nil: seeded by the system. The Prober locks it.
	Progress func(Event) // called for every Event, one at a time; nil: nobody watches. It must not block.
}

// DocumentReader reads documents that are not text. *extract.Client is one.
type DocumentReader interface {
	// PDF reads a PDF file, or the beginning of one, and up to text bytes of the text on its first pages.
	PDF(ctx context.Context, body []byte, text int) (extract.Document, error)
	// Close releases the resources that the reader holds. It may be used again.
	Close() error
}

// Clock tells and passes time. Timeouts of the network itself always run on the system's clock.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or until ctx ends; then it returns the cause of that.
	Sleep(ctx context.Context, d time.Duration) error
}

// withDefaults returns the config with nothing left unsaid.
func (c Config) withDefaults() (Config, error) {
	if c.Policy == nil {
		return c, errors.New("a prober needs a policy")
	}
	setDefault(&c.UserAgent, DefaultUserAgent)
	if c.Contact != "" {
		c.UserAgent = fmt.Sprintf("%s (compatible; +%s)", c.UserAgent, c.Contact)
	}
	setDefault(&c.AcceptLanguage, acceptLanguage(c.Policy))
	if strings.ContainsAny(c.UserAgent+c.AcceptLanguage, "\r\n") {
		return c, errors.New("user agent, contact URL and language are one line each")
	}
	if c.Concurrency < 0 || c.Timeout < 0 || c.MaxBody < 0 || c.MaxPDF < 0 || c.MaxHeader < 0 {
		return c, errors.New("concurrency, timeout and sizes cannot be negative")
	}
	setDefault(&c.Timeout, DefaultTimeout)
	setDefault(&c.MaxBody, DefaultMaxBody)
	setDefault(&c.MaxPDF, DefaultMaxPDF)
	setDefault(&c.MaxHeader, DefaultMaxHeader)
	setDefault(&c.Concurrency, DefaultConcurrency)
	setDefault(&c.Delay, DefaultDelay)
	setDefault(&c.MaxWait, DefaultMaxWait)
	setDefault(&c.HostTTL, DefaultHostTTL)
	setDefault(&c.Archive, DefaultArchive)
	setDefault[Resolver](&c.Resolver, net.DefaultResolver)
	setDefault[Clock](&c.Clock, systemClock{})
	if c.Cache == nil {
		c.Cache = NewMemoryCache()
	}
	if c.Rand == nil {
		c.Rand = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	if c.Progress == nil {
		c.Progress = func(Event) {}
	}
	return c, nil
}

// setDefault fills a field that says nothing.
func setDefault[T comparable](field *T, value T) {
	var nothing T
	if *field == nothing {
		*field = value
	}
}

// acceptLanguage is the header of seed 003 in the language that the policy prefers.
func acceptLanguage(p *canon.Policy) string {
	if l := p.PreferredLanguage(); l != "" {
		return fmt.Sprintf("%s-%s,%s;q=0.9,en;q=0.5", l, strings.ToUpper(l), l)
	}
	return "en-US,en;q=0.9"
}

// ReadCAFile returns the system's certificate authorities and those of a PEM file, as curl's --cacert takes them, but besides the
// system's.
func ReadCAFile(name string) (*x509.CertPool, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading certificate authorities: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("reading certificate authorities: %s holds no certificate in PEM form", name)
	}
	return pool, nil
}
