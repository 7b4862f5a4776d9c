package cli

import (
	"fmt"
	"math"
	"net/url"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"visto/review/probe"
	"visto/review/probe/browser"
	"visto/store/file"
)

// networkFlags are the settings of requests.
type networkFlags struct {
	cfg        probe.Config // the settings that need no reading
	rate       float64
	connectTo  []string
	resolve    []string
	caFile     string
	allowPorts []uint
	noArchive  bool
	browser    string
	noBrowser  bool
}

// defaultRate is that of probe.DefaultDelay.
const defaultRate = float64(time.Second / probe.DefaultDelay)

// register adds the flags to a command. The help leaves them out if they are hidden.
func (n *networkFlags) register(cmd *cobra.Command, hidden bool) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.IntVar(&n.cfg.Concurrency, "concurrency", probe.DefaultConcurrency,
		"`N` requests at a time, each to another host")
	f.Float64Var(&n.rate, "rate", defaultRate,
		"at most `N` requests a second to one host; 0 means no limit but the host's own")
	f.DurationVar(&n.cfg.Timeout, "timeout", probe.DefaultTimeout, "`TIME` that one request may take")
	f.StringVar(&n.cfg.UserAgent, "user-agent", probe.DefaultUserAgent,
		"`TEXT` to send as User-Agent; up to the / it is the name that robots.txt is read for")
	f.StringVar(&n.cfg.Contact, "contact", "", "`URL` at which you can be reached, sent with the User-Agent")
	f.StringArrayVar(&n.connectTo, "connect-to", nil,
		"`RULE` of where to connect to, as in curl: HOST1:PORT1:HOST2:PORT2")
	f.StringArrayVar(&n.resolve, "resolve", nil, "`RULE` in the place of DNS, as in curl: HOST:PORT:ADDR[,ADDR]")
	f.StringVar(&n.caFile, "ca-file", "", "trust the certificate authorities in this PEM `FILE` too")
	f.BoolVar(&n.cfg.AllowPrivate, "allow-private", false, "request private addresses too")
	f.UintSliceVar(&n.allowPorts, "allow-port", nil, "request `PORT,...` besides 80, 443, 8080 and 8443")
	f.StringVar(&n.cfg.Archive, "archive", probe.DefaultArchive,
		"`URL` of the web archive's availability service, for pages that are gone (default archive.org's)")
	f.BoolVar(&n.cfg.NoContent, "no-content", false, "store no contents of pages")
	f.BoolVar(&n.noArchive, "no-archive", false, "do not look for gone pages in a web archive")
	f.StringVar(&n.browser, "browser", "",
		"draw pages that need scripts with the Chromium at `PATH` (default the first one in $PATH)")
	f.BoolVar(&n.noBrowser, "no-browser", false, "draw no pages; those without text are flagged no-content")
	for _, name := range []string{"archive", "allow-port"} { // their texts name the defaults
		f.Lookup(name).DefValue = ""
	}
	f.VisitAll(func(flag *pflag.Flag) { flag.Hidden = hidden })
	cmd.Flags().AddFlagSet(f)
	cmd.MarkFlagsMutuallyExclusive("archive", "no-archive")
	cmd.MarkFlagsMutuallyExclusive("browser", "no-browser")
}

// config returns the settings that the flags describe, without the rules.
func (n *networkFlags) config(cmd *cobra.Command) (probe.Config, error) {
	cfg := n.cfg
	if n.noArchive {
		cfg.Archive = "-"
	}
	for _, set := range []func(*probe.Config) error{
		n.setLimits, n.setPorts, n.setContact, n.setRoutes, n.setBrowser,
	} {
		if err := set(&cfg); err != nil {
			return cfg, usage(cmd, err)
		}
	}
	if n.caFile == "" {
		return cfg, nil
	}
	pem, err := readFile(cmd.Context(), n.caFile)
	if err != nil {
		return cfg, fmt.Errorf("reading certificate authorities: %w", err)
	}
	cfg.RootCAs, err = probe.WithCAs(n.caFile, pem)
	return cfg, err
}

func (n *networkFlags) setLimits(cfg *probe.Config) error {
	switch {
	case n.cfg.Concurrency < 1:
		return fmt.Errorf("--concurrency: %d is less than 1", n.cfg.Concurrency)
	case n.cfg.Timeout <= 0:
		return fmt.Errorf("--timeout: %v is no time to wait", n.cfg.Timeout)
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
	for _, f := range []struct{ name, value string }{{"contact", n.cfg.Contact}, {"archive", n.cfg.Archive}} {
		u, err := url.Parse(f.value)
		if f.value != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
			return fmt.Errorf("--%s: %q is no http or https URL", f.name, f.value)
		}
	}
	return nil
}

func (n *networkFlags) setRoutes(cfg *probe.Config) (err error) {
	if cfg.ConnectTo, err = probe.ParseConnectTo(n.connectTo...); err != nil {
		return err
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

// setBrowser sets the browser of the flag, else one of the machine, if there is any.
func (n *networkFlags) setBrowser(cfg *probe.Config) error {
	if n.noBrowser {
		return nil
	}
	path, err := browser.Find(n.browser)
	switch {
	case err != nil:
		return fmt.Errorf("--browser: %w", err)
	case path != "":
		b := browser.New(path)
		b.NewFolder = temporaryFolder
		cfg.Browser = b
	}
	return nil
}

// temporaryFolder makes a temporary folder that a later one clears away if this program is killed.
func temporaryFolder() (path string, remove func() error, err error) {
	folder, err := file.NewFolder(os.TempDir())
	if err != nil {
		return "", nil, err
	}
	return folder.Path, folder.Close, nil
}
