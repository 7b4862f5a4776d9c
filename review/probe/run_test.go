package probe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"visto/canon"
	"visto/review/fault"
)

// pipes is a network in memory, fit for the fake time of package synctest. Every address answers at port 80.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func newPipes(handler http.Handler) *pipes {
	p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: handler}
	go server.Serve(p)
	return p
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	if !strings.HasSuffix(address, ":80") {
		return nil, syscall.ECONNREFUSED
	}
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// anyName is a resolver with a public address for every name.
type anyName struct{}

func (anyName) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("151.101.1.1")}, nil
}

// knownHosts is a cache with all facts about every host but its robots.txt.
type knownHosts struct{ Cache }

func (knownHosts) Host(_ context.Context, host string) (*HostFacts, error) {
	no := false
	return &HostFacts{Host: host, CheckedAt: time.Now(), HTTPS: &no, PreferredHost: host,
		Reached: canon.Reach{By: canon.ByRedirect}}, nil
}

// town is a network of hosts that answer after a while, with a log of the requests.
type town struct {
	latency time.Duration
	body    []byte

	mu    sync.Mutex
	asked map[string][]time.Time // by URL
	now   map[string]int         // requests in progress, by host
	most  int                    // to one host
}

func (s *town) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	url := "http://" + r.Host + r.URL.String()
	s.asked[url] = append(s.asked[url], time.Now())
	s.now[r.Host]++
	s.most = max(s.most, s.now[r.Host])
	s.mu.Unlock()
	time.Sleep(s.latency)
	s.mu.Lock()
	s.now[r.Host]--
	s.mu.Unlock()
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	w.Write(s.body)
}

func newTown() *town {
	return &town{latency: 100 * time.Millisecond, body: []byte("<title>Ayuda</title>"),
		asked: map[string][]time.Time{}, now: map[string]int{}}
}

// targetsOn returns URLs, spread evenly over the hosts.
func targetsOn(hosts, urls int) (list []Target) {
	for i := range urls {
		list = append(list, Target{ID: int64(i), URL: fmt.Sprintf("http://h%d.gob.es/tramites/ayuda-%d", i%hosts, i)})
	}
	return list
}

// TestRunAtTheSpeedOfItsHosts probes 2,000 URLs on 200 hosts that answer after 100 ms. It must take as long as
// robots.txt and ten pages of one host, a second apart.
func TestRunAtTheSpeedOfItsHosts(t *testing.T) {
	const hosts, urls = 200, 2000
	for _, test := range []struct {
		concurrency int
		most        time.Duration
	}{
		{hosts, 11*100*time.Millisecond + 10*time.Second},
		{DefaultConcurrency, 12 * time.Second}, // the hosts do not all begin at once
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newTown()
			network := newPipes(s)
			p := proberFor(t, Config{Policy: keepsHTTP(t), Clock: SystemClock{}, Resolver: anyName{},
				Dial:  network.Dial,
				Cache: knownHosts{NewMemoryCache()}, Concurrency: test.concurrency, Timeout: time.Hour})
			begun := time.Now()
			got := map[int64]bool{}
			err := p.Run(t.Context(), targetsOn(hosts, urls), func(r Report) error {
				if r.Evidence.Title != "Ayuda" || got[r.Target.ID] {
					return fmt.Errorf("%d: %+v", r.Target.ID, r.Evidence)
				}
				got[r.Target.ID] = true
				return nil
			})
			took := time.Since(begun)
			p.Close()
			close(network.done)
			if err != nil || len(got) != urls {
				t.Fatalf("%d reports, %v", len(got), err)
			}
			if took > test.most {
				t.Errorf("concurrency %d: it took %s, want %s", test.concurrency, took, test.most)
			}
			s.check(t, urls+hosts)
		})
	}
}

// check compares the requests with the permitted ones: each URL once, one request at a time per host, a second apart.
func (s *town) check(t *testing.T, requests int) {
	t.Helper()
	if len(s.asked) != requests || s.most != 1 {
		t.Errorf("%d URLs were asked, want %d; %d at a time", len(s.asked), requests, s.most)
	}
	byHost := map[string][]time.Time{}
	for url, times := range s.asked {
		if len(times) > 1 {
			t.Errorf("%s was asked %d times", url, len(times))
		}
		host := strings.Split(url, "/")[2]
		byHost[host] = append(byHost[host], times...)
	}
	for host, times := range byHost {
		slices.SortFunc(times, time.Time.Compare)
		for i := range times[1:] {
			if gap := times[i+1].Sub(times[i]); gap < time.Second+s.latency {
				t.Fatalf("%s was asked again after %s", host, gap)
			}
		}
	}
}

// keepsHTTP is a policy that keeps http.
func keepsHTTP(t testing.TB) *canon.Policy {
	t.Helper()
	p, err := canon.Builtin("rfc3986")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRunInterrupted stops a run half way. It must stop at once, with all finished reports in the sink and no others.
// A second run requests only the rest.
func TestRunInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTown()
		network := newPipes(s)
		cfg := Config{Policy: keepsHTTP(t), Clock: SystemClock{}, Resolver: anyName{}, Dial: network.Dial,
			Cache: knownHosts{NewMemoryCache()}, Timeout: time.Hour}
		targets := targetsOn(20, 200)
		left := map[int64]Target{}
		for _, target := range targets {
			left[target.ID] = target
		}
		sink := func(r Report) error { delete(left, r.Target.ID); return nil }

		stop := errors.New("ctrl-c")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(5*time.Second, func() { cancel(stop) })
		begun := time.Now()
		p := proberFor(t, cfg)
		if err := p.Run(ctx, targets, sink); !errors.Is(err, stop) || time.Since(begun) != 5*time.Second {
			t.Errorf("after %s: %v", time.Since(begun), err)
		}
		p.Close()
		if n := len(left); n == 0 || n == len(targets) {
			t.Fatalf("%d of %d are left", n, len(targets))
		}
		synctest.Wait()
		s.mu.Lock()
		before := s.asked
		s.asked = map[string][]time.Time{}
		s.mu.Unlock()
		var rest []Target
		for _, target := range left {
			rest = append(rest, target)
		}
		p = proberFor(t, cfg)
		if err := p.Run(t.Context(), rest, sink); err != nil || len(left) > 0 {
			t.Errorf("%v, %d are left", err, len(left))
		}
		p.Close()
		close(network.done)
		finished := 0
		for url := range before {
			if _, again := s.asked[url]; !again && !strings.HasSuffix(url, "robots.txt") {
				finished++
			}
		}
		if finished != len(targets)-len(rest) {
			t.Errorf("%d URLs were asked in the first run alone, %d had reached the sink", finished,
				len(targets)-len(rest))
		}
	})
}

// TestRunStoresBeforeItGoesOn has a slow sink. No host may get its next request before the sink returned.
func TestRunStoresBeforeItGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTown()
		network := newPipes(s)
		p := proberFor(t, Config{Policy: keepsHTTP(t), Clock: SystemClock{}, Resolver: anyName{}, Dial: network.Dial,
			Cache: knownHosts{NewMemoryCache()}, Timeout: time.Hour, Delay: -1})
		stored := map[string]int{} // by host
		err := p.Run(t.Context(), targetsOn(3, 12), func(r Report) error {
			time.Sleep(10 * time.Second) // every host that may be asked meanwhile is
			host := strings.Split(r.Target.URL, "/")[2]
			if stored[host]++; s.pagesOf(host) != stored[host] {
				t.Errorf("%s was asked about %d URLs when number %d was being stored", host, s.pagesOf(host),
					stored[host])
			}
			return nil
		})
		p.Close()
		close(network.done)
		if err != nil || stored["h0.gob.es"] != 4 {
			t.Errorf("%v, %v", stored, err)
		}
	})
}

// pagesOf returns the number of requested pages of a host.
func (s *town) pagesOf(host string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for url := range s.asked {
		if strings.HasPrefix(url, "http://"+host+"/") && !strings.HasSuffix(url, "/robots.txt") {
			n++
		}
	}
	return n
}

// TestRunKeepsConnections probes as many hosts as run at a time. Each must keep one connection, however long it
// waits.
func TestRunKeepsConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := newPipes(newTown())
		var dialled atomic.Int32
		dial := func(ctx context.Context, net, address string) (net.Conn, error) {
			dialled.Add(1)
			return network.Dial(ctx, net, address)
		}
		p := proberFor(t, Config{Policy: keepsHTTP(t), Clock: SystemClock{}, Resolver: anyName{}, Dial: dial,
			Cache: knownHosts{NewMemoryCache()}, Timeout: time.Hour, Concurrency: 1})
		err := p.Run(t.Context(), targetsOn(queuesAtATime, 4*queuesAtATime), func(Report) error { return nil })
		p.Close()
		close(network.done)
		if n := dialled.Load(); err != nil || n != queuesAtATime {
			t.Errorf("%d connections to %d hosts, %v", n, queuesAtATime, err)
		}
	})
}

// TestRunDelay requests robots.txt and three pages of one host: the delay separates them, and a negative one means
// none.
func TestRunDelay(t *testing.T) {
	for _, test := range []struct{ delay, waits time.Duration }{{0, 3 * DefaultDelay},
		{2 * time.Second, 6 * time.Second}, {-1, 0}} {
		synctest.Test(t, func(t *testing.T) {
			s := newTown()
			network := newPipes(s)
			p := proberFor(t, Config{Policy: keepsHTTP(t), Clock: SystemClock{}, Resolver: anyName{},
				Dial:  network.Dial,
				Cache: knownHosts{NewMemoryCache()}, Timeout: time.Hour, Delay: test.delay})
			begun := time.Now()
			err := p.Run(t.Context(), targetsOn(1, 3), func(Report) error { return nil })
			if took, want := time.Since(begun), 4*s.latency+test.waits; err != nil || took != want {
				t.Errorf("delay %v: it took %v, want %v (%v)", test.delay, took, want, err)
			}
			p.Close()
			close(network.done)
		})
	}
}

// TestRunSinkFails stops a run whose sink fails. The sink gets no further report.
func TestRunSinkFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := newPipes(newTown())
		p := proberFor(t, Config{Policy: keepsHTTP(t), Clock: SystemClock{}, Resolver: anyName{}, Dial: network.Dial,
			Timeout: time.Hour})
		full := errors.New("the disk is full")
		calls := 0
		err := p.Run(t.Context(), targetsOn(20, 200), func(Report) error {
			calls++
			if calls == 7 {
				return full
			}
			return nil
		})
		if !errors.Is(err, full) || calls != 7 {
			t.Errorf("%d calls, %v", calls, err)
		}
		p.Close()
		close(network.done)
	})
}

// TestRunOrder shuffles: two runs have different orders, and hosts with most URLs begin first.
// brokenCache panics on a host.
type brokenCache struct{ Cache }

func (c brokenCache) Host(ctx context.Context, host string) (*HostFacts, error) {
	if host == "h3.gob.es" {
		panic("a fault about " + host)
	}
	return knownHosts(c).Host(ctx, host)
}

// A fault in a worker ends the run with an error, and not the program. The prober goes on.
func TestRunFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := newPipes(newTown())
		p := proberFor(t, Config{Policy: keepsHTTP(t), Clock: SystemClock{}, Resolver: anyName{}, Dial: network.Dial,
			Cache: brokenCache{NewMemoryCache()}, Concurrency: 2, Timeout: time.Hour})
		for range 5 {
			err := p.Run(t.Context(), targetsOn(8, 16), func(Report) error { return nil })
			broken, ok := errors.AsType[*fault.Error](err)
			if !ok || broken.Value != "a fault about h3.gob.es" || !strings.Contains(err.Error(), "brokenCache.Host") {
				t.Fatal(err)
			}
		}
		if err := p.Run(t.Context(), targetsOn(3, 6), func(Report) error { return nil }); err != nil {
			t.Error(err)
		}
		p.Close()
		close(network.done)
	})
}

func TestRunOrder(t *testing.T) {
	targets := append(targetsOn(50, 100), Target{ID: 100, URL: "http://h7.gob.es/x"})
	orders := map[string]bool{}
	for seed := range uint64(3) {
		p := proberFor(t, Config{Rand: rand.New(rand.NewPCG(seed, 0))})
		queues := p.queues(targets)
		if len(queues) != 50 || queues[0].host != "h7.gob.es" || len(queues[0].targets) != 3 {
			t.Fatalf("%d queues, the first of %s", len(queues), queues[0].host)
		}
		orders[fmt.Sprint(queues)] = true
	}
	if len(orders) != 3 {
		t.Errorf("%d orders in 3 runs", len(orders))
	}
}

// TestRunEvents reports the events of every URL in order, and the progress.
func TestRunEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := newPipes(newTown())
		last := map[int64]EventKind{}
		var done, total int
		var lefts []time.Duration
		p := proberFor(t, Config{Policy: keepsHTTP(t), Clock: SystemClock{}, Resolver: anyName{}, Dial: network.Dial,
			Cache: knownHosts{NewMemoryCache()}, Timeout: time.Hour,
			Progress: func(e Event) {
				before, begun := last[e.Target.ID]
				if begun == (e.Kind == Started) || before == Finished || e.Kind == Answered && before != Asking {
					t.Errorf("%d: %d after %d", e.Target.ID, e.Kind, before)
				}
				last[e.Target.ID] = e.Kind
				if e.Kind == Finished {
					if e.Done != done+1 || e.Report == nil {
						t.Errorf("%d done after %d", e.Done, done)
					}
					done, total = e.Done, e.Total
					lefts = append(lefts, e.Left)
				}
			}})
		if err := p.Run(t.Context(), targetsOn(10, 50), func(Report) error { return nil }); err != nil {
			t.Fatal(err)
		}
		p.Close()
		close(network.done)
		if done != 50 || total != 50 || lefts[49] != 0 {
			t.Errorf("%d of %d, %s left", done, total, lefts[49])
		}
		if first := lefts[0]; first < 4*time.Second || first > 8*time.Second {
			t.Errorf("after the first URL %s are said to be left", first)
		}
	})
}

// BenchmarkRun probes many URLs of 64 KB on 200 hosts, without real waits. peak-MB is the highest memory in use
// besides the list of targets; it does not grow with their number.
func BenchmarkRun(b *testing.B) {
	body := bytes.Repeat([]byte("<p>texto</p>"), 64<<10/12)
	network := newPipes(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write(body)
	}))
	defer close(network.done)
	for _, urls := range []int{2000, 10000} {
		b.Run(fmt.Sprint(urls), func(b *testing.B) {
			targets := targetsOn(200, urls)
			before, peak := inUse(), uint64(0)
			for b.Loop() {
				p := proberFor(b, Config{Policy: keepsHTTP(b), Clock: noClock{}, Resolver: anyName{},
					Dial: network.Dial, Cache: knownHosts{NewMemoryCache()}})
				n := 0
				err := p.Run(b.Context(), targets, func(Report) error {
					if n++; n%500 == 0 {
						peak = max(peak, inUse()-before)
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
				p.Close()
			}
			b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(urls), "ns/URL")
		})
	}
}

// noClock is a clock on which every wait is over at once.
type noClock struct{ SystemClock }

func (noClock) Sleep(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) }

// inUse returns the number of bytes in use after a garbage collection.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
