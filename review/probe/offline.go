package probe

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/net/publicsuffix"
)

// ErrOffline ends a probe when the machine has no network, and nothing has been heard of any host since the Prober was
// made: there is no route, or no resolver answers, or every host is silent (doc.go). Nothing is known of the URLs then,
// so there is no report.
var ErrOffline = errors.New("no network: no host can be reached from here, and nothing was recorded")

// offline reports whether the failure of a connection may be that of the machine's own network. A resolver that answers
// "server misbehaving" is there; an IPv6 address without a route is common where IPv4 works.
func offline(err error) bool {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return !dns.IsNotFound && !strings.Contains(dns.Err, "misbehaving")
	}
	if !errors.Is(err, syscall.ENETUNREACH) && !errors.Is(err, syscall.ENETDOWN) {
		return false
	}
	op, ok := errors.AsType[*net.OpError](err)
	if !ok {
		return true
	}
	addr, ok := op.Addr.(*net.TCPAddr)
	return !ok || addr.IP.To4() != nil
}

// hasHeard reports whether anything has been heard of any host: an answer, a refusal, a bad certificate, or that a name
// does not exist.
func (p *Prober) hasHeard() bool {
	select {
	case <-p.heard:
		return true
	default:
		return false
	}
}

// enoughSilent is the number of silent hosts that show that the network is missing.
const enoughSilent = 3

// knownName is a name that exists. If it does not, the resolver knows no name at all.
const knownName = "archive.org"

// silence decides whether the hosts of a run or the network are dead, as long as nothing has been heard of any host.
type silence struct {
	prober *Prober
	single bool          // the run has one URL
	dead   chan struct{} // closed when the silent hosts are taken for dead

	mu     sync.Mutex
	hosts  int // of the run, without those that ended and have not been silent
	silent int // hosts of which nothing was heard
	named  int // hosts whose names do not exist; not in silent
	// Registrable domains of these.
	unknown map[string]bool
}

// silent reports whether the report is about a URL that was asked and of whose host nothing was heard.
func (p *Prober) silent(r *Report) bool {
	return len(r.Exchanges) > 0 && r.Evidence != nil && r.Evidence.Error != "" && !p.hasHeard()
}

// wait holds the report on a silent host until it is decided whether it is the network: ErrOffline.
func (s *silence) wait(ctx context.Context, r *Report, host string) error {
	if err := s.count(ctx, func() { s.add(r, host) }); err != nil {
		return err
	}
	select {
	case <-s.prober.heard:
	case <-s.dead:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// add adds a host to the silent ones, or to those whose names do not exist.
func (s *silence) add(r *Report, host string) {
	if !r.isUnknown {
		s.silent++
		return
	}
	s.named++
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		domain = host
	}
	s.unknown[domain] = true
}

// ended takes a host out of the count: its URLs are done, and it has not been silent.
func (s *silence) ended(ctx context.Context) error { return s.count(ctx, func() { s.hosts-- }) }

// count changes the counts and decides if they suffice. Names of two domains that do not exist show a dead network only
// if a name that is known to exist does not either; of a single URL one name does.
func (s *silence) count(ctx context.Context, change func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	switch all := s.silent+s.named >= s.hosts; {
	case s.prober.hasHeard() || s.silent+s.named == 0:
		return nil
	case len(s.unknown) >= 2 || s.named > 0 && (s.single || all && s.silent > 0):
		return s.prober.lookUpKnown(ctx)
	case !all && s.silent < enoughSilent:
		return nil
	case s.silent == 0 || s.silent < enoughSilent && s.prober.cfg.Archive == "-":
		close(s.dead)
		return nil
	}
	return ErrOffline
}

// lookUpKnown looks up a name that exists. If it is known, something has been heard.
func (p *Prober) lookUpKnown(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, p.cfg.Timeout)
	defer cancel()
	_, err := p.cfg.Resolver.LookupNetIP(limited, "ip", knownName)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return ErrOffline
	}
	p.hear()
	return nil
}
