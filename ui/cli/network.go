package cli

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/store/sqlite"
)

// networkFlags say how the network is asked.
type networkFlags struct {
	concurrency  int
	rate         float64
	timeout      time.Duration
	userAgent    string
	contact      string
	connectTo    []string
	resolve      []string
	caFile       string
	allowPrivate bool
	allowPorts   []uint
	archive      string
	noArchive    bool
}

// defaultRate is that of probe.DefaultDelay.
const defaultRate = float64(time.Second / probe.DefaultDelay)

func (n *networkFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&n.concurrency, "concurrency", probe.DefaultConcurrency, "`N` requests at a time, each to another host")
	f.Float64Var(&n.rate, "rate", defaultRate, "at most `N` requests a second to one host; 0 means no limit but the host's own")
	f.DurationVar(&n.timeout, "timeout", probe.DefaultTimeout, "`TIME` that one request may take")
	f.StringVar(&n.userAgent, "user-agent", probe.DefaultUserAgent, "`TEXT` to send as User-Agent; up to the / it is the name that robots.txt is read for")
	f.StringVar(&n.contact, "contact", "", "`URL` at which you can be reached, sent with the User-Agent")
	f.StringArrayVar(&n.connectTo, "connect-to", nil, "`RULE` of where to connect to, as in curl: HOST1:PORT1:HOST2:PORT2")
	f.StringArrayVar(&n.resolve, "resolve", nil, "`RULE` in the place of DNS, as in curl: HOST:PORT:ADDR[,ADDR]")
	f.StringVar(&n.caFile, "ca-file", "", "trust the certificate authorities in this PEM `FILE` too")
	f.BoolVar(&n.allowPrivate, "allow-private", false, "ask private addresses too")
	f.UintSliceVar(&n.allowPorts, "allow-port", nil, "ask at `PORT,...` besides 80, 443, 8080 and 8443")
	f.StringVar(&n.archive, "archive", probe.DefaultArchive, "`URL` of the web archive's availability service, asked where a page is gone (default archive.org's)")
	f.BoolVar(&n.noArchive, "no-archive", false, "do not look for gone pages in a web archive")
	cmd.MarkFlagsMutuallyExclusive("archive", "no-archive")
	for _, name := range []string{"archive", "allow-port"} { // their defaults are said in words
		f.Lookup(name).DefValue = ""
	}
}

// hide leaves the flags out of a command's help.
func (n *networkFlags) hide(cmd *cobra.Command) {
	own := &cobra.Command{}
	(&networkFlags{}).register(own)
	own.Flags().VisitAll(func(f *pflag.Flag) { cmd.Flags().Lookup(f.Name).Hidden = true })
}

// config returns the settings that the flags describe, without the rules.
func (n *networkFlags) config(cmd *cobra.Command) (probe.Config, error) {
	cfg := probe.Config{
		UserAgent: n.userAgent, Contact: n.contact, Timeout: n.timeout, Concurrency: n.concurrency,
		AllowPrivate: n.allowPrivate, Archive: n.archive,
	}
	if n.noArchive {
		cfg.Archive = "-"
	}
	for _, set := range []func(*probe.Config) error{n.setLimits, n.setPorts, n.setContact, n.setRoutes} {
		if err := set(&cfg); err != nil {
			return cfg, usage(cmd, err)
		}
	}
	if n.caFile == "" {
		return cfg, nil
	}
	var err error
	cfg.RootCAs, err = probe.ReadCAFile(n.caFile)
	return cfg, err
}

func (n *networkFlags) setLimits(cfg *probe.Config) error {
	switch {
	case n.concurrency < 1:
		return fmt.Errorf("--concurrency: %d is less than 1", n.concurrency)
	case n.timeout <= 0:
		return fmt.Errorf("--timeout: %v is no time to wait", n.timeout)
	case n.rate < 0 || math.IsNaN(n.rate) || math.IsInf(n.rate, 0):
		return fmt.Errorf("--rate: %v is no number of requests a second", n.rate)
	case n.rate == 0:
		cfg.Delay = -1
	default:
		cfg.Delay = time.Duration(float64(time.Second) / n.rate)
	}
	return nil
}

func (n *networkFlags) setPorts(cfg *probe.Config) error {
	for _, port := range n.allowPorts {
		if port < 1 || port > math.MaxUint16 {
			return fmt.Errorf("--allow-port: %d is no port", port)
		}
		cfg.ExtraPorts = append(cfg.ExtraPorts, uint16(port))
	}
	return nil
}

func (n *networkFlags) setContact(*probe.Config) error {
	for _, f := range []struct{ name, value string }{{"contact", n.contact}, {"archive", n.archive}} {
		u, err := url.Parse(f.value)
		if f.value != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
			return fmt.Errorf("--%s: %q is no http or https URL", f.name, f.value)
		}
	}
	return nil
}

func (n *networkFlags) setRoutes(cfg *probe.Config) error {
	for _, text := range n.connectTo {
		c, err := probe.ParseConnectTo(text)
		if err != nil {
			return err
		}
		cfg.ConnectTo = append(cfg.ConnectTo, c)
	}
	for _, text := range n.resolve {
		r, err := probe.ParseResolve(text)
		if err != nil {
			return err
		}
		cfg.Resolve = append(cfg.Resolve, r)
	}
	return nil
}

// network asks about the URLs of a desk. It keeps one prober as long as the rules stay the same, for a prober knows
// which host was asked when.
type network struct {
	desk *review.Desk
	cfg  probe.Config
	seat *review.ProbeLease

	mu        sync.Mutex
	prober    *probe.Prober
	policy    *canon.Policy
	overrides *canon.Overrides
	watchers  map[int64]func(probe.Event) // by the ID of the target
}

func newNetwork(desk *review.Desk, cfg probe.Config) *network {
	n := &network{desk: desk, cfg: cfg, seat: review.NewProbeLease(desk, sqlite.ThisProcess(), time.Now), watchers: map[int64]func(probe.Event){}}
	n.cfg.Cache = desk.ProbeCache()
	n.cfg.Progress = n.tell
	return n
}

// tell passes an event to who watches the target.
func (n *network) tell(e probe.Event) {
	n.mu.Lock()
	watch := n.watchers[e.Target.ID]
	n.mu.Unlock()
	if watch != nil {
		watch(e)
	}
}

func (n *network) watch(id int64, watch func(probe.Event)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.watchers[id] = watch; watch == nil {
		delete(n.watchers, id)
	}
}

// ready returns a prober for the rules as they are now.
func (n *network) ready(ctx context.Context) (*probe.Prober, error) {
	policy, overrides, err := n.desk.Rules(ctx)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.prober != nil && n.policy == policy && n.overrides == overrides {
		return n.prober, nil
	}
	cfg := n.cfg
	cfg.Policy, cfg.Overrides = policy, overrides
	prober, err := probe.New(cfg)
	if err != nil {
		return nil, err
	}
	n.prober, n.policy, n.overrides = prober, policy, overrides
	return prober, nil
}

// Probe asks about one stored URL and stores what comes of it, telling watch of each step. It fails with a *review.LeaseError while
// another program probes: that one would not know which hosts are asked here, nor the other way round.
func (n *network) Probe(ctx context.Context, id int64, watch func(probe.Event)) (learned review.ProbeResult, err error) {
	opt := review.ProbeJobOptions{Fresh: true, Private: n.cfg.AllowPrivate}
	asks, err := n.desk.ProbeJobs(ctx, review.Filter{IDs: []int64{id}}, opt)
	if err != nil {
		return learned, err
	}
	if len(asks) == 0 {
		return learned, fmt.Errorf("URL %d cannot be asked about: it is no URL of a public page", id)
	}
	prober, err := n.ready(ctx)
	if err != nil {
		return learned, err
	}
	n.watch(id, watch)
	defer n.watch(id, nil)
	probing := review.NewProbing(n.desk, prober, time.Now)
	err = n.seat.Alone(ctx, func(ctx context.Context) error {
		return probing.Run(ctx, asks, func(l review.ProbeResult) error {
			learned = l
			return nil
		})
	})
	return learned, err
}
