package probe

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"syscall"
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

// silence decides whether the hosts of a run or the network are dead, as long as nothing has been heard of any host.
type silence struct {
	prober *Prober
	dead   chan struct{} // closed when the silent hosts are taken for dead

	mu     sync.Mutex
	hosts  int // of the run, without those that ended and have not been silent
	silent int
}

// silent reports whether the report is about a URL that was asked and of whose host nothing was heard.
func (p *Prober) silent(r *Report) bool {
	return len(r.Exchanges) > 0 && r.Evidence != nil && r.Evidence.Error != "" && !p.hasHeard()
}

// wait holds the report on a silent host until it is decided whether it is the network: ErrOffline.
func (s *silence) wait(ctx context.Context) error {
	if err := s.count(0, 1); err != nil {
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

// ended takes a host out of the count: its URLs are done, and it has not been silent.
func (s *silence) ended() error { return s.count(-1, 0) }

func (s *silence) count(hosts, silent int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hosts, s.silent = s.hosts+hosts, s.silent+silent
	switch {
	case s.prober.hasHeard() || s.silent == 0 || s.silent < min(enoughSilent, s.hosts):
		return nil
	case s.silent < enoughSilent && s.prober.cfg.Archive == "-":
		close(s.dead)
		return nil
	}
	return ErrOffline
}
