package postgres_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"visto/review"
	"visto/store/postgres"
	"visto/store/postgrestest"
)

// After a restart of the server a store reads and writes again by itself, and its version has changed.
func TestServerRestarts(t *testing.T) {
	s := open(t)
	before := approveOne(t, s)
	version, err := s.Version(t.Context())
	must(t, err)
	postgrestest.Restart(t)
	m, err := s.Meta(t.Context())
	must(t, err)
	if m.LastSeq != before.Seq {
		t.Errorf("the last entry is %d, it was %d", m.LastSeq, before.Seq)
	}
	must(t, s.Each(t.Context(), review.Filter{}, func(review.Item) error { return nil }))
	if after := approveOne(t, s); after.Seq <= before.Seq {
		t.Errorf("entry %d after entry %d", after.Seq, before.Seq)
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		now, err := s.Version(t.Context())
		must(t, err)
		if now > version+2 { // more than the two writes of this store
			break
		}
		if time.Now().After(end) {
			t.Fatal("the store does not notice that it may have missed writes")
		}
	}
	problems, err := s.Check(t.Context())
	if err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
}

// approveOne adds a URL and approves it.
func approveOne(t *testing.T, s review.Store) review.Receipt {
	t.Helper()
	m, err := s.Meta(t.Context())
	must(t, err)
	item := review.NewItem{Original: "https://h.es/" + string(rune('a'+m.LastID))}
	out, err := s.Add(t.Context(), &review.Intake{Reviewer: "ana", Computing: review.Computing{Gen: m.Gen}},
		[]review.NewItem{item})
	must(t, err)
	receipt, err := approve(t, s, out[0].ID)
	must(t, err)
	return receipt
}

func approve(t *testing.T, s review.Store, id int64) (review.Receipt, error) {
	return s.Commit(t.Context(), review.Decide{Reviewer: "ana", Action: review.ActApprove,
		Decisions: []review.ItemDecision{{ID: id, Decision: review.Decision{Kind: review.Approve}}}})
}

// A commit that was cut off has one of two ends, and the store tells the right one: the answer got lost, or the
// request.
func TestCommitCutOff(t *testing.T) {
	for _, c := range []struct {
		name    string
		cut     cut
		written bool
	}{
		{"answer", cutAnswer, true}, {"request", cutRequest, false}, {"request unnoticed", holdRequest, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s, _ := openCut(t)
			first := approveOne(t, s)
			_, err := s.Commit(t.Context(), review.AddNotes{Reviewer: "ana",
				Notes: []review.ItemNote{{ID: 1, Text: "before"}}})
			must(t, err)

			p.arm(c.cut)
			receipt, err := approve(t, s, 1)
			switch {
			case c.written && (err != nil || receipt.Seq != first.Seq+2):
				t.Errorf("entry %d, %v; it was written", receipt.Seq, err)
			case !c.written && !errors.Is(err, postgres.ErrLost):
				t.Errorf("entry %d, %v; it was not written", receipt.Seq, err)
			}
			if !p.cutNow() {
				t.Fatal("nothing was cut")
			}
			m, err := s.Meta(t.Context())
			must(t, err)
			if written := m.LastSeq == first.Seq+2; written != c.written {
				t.Errorf("written: %t", written)
			}
			_, err = approve(t, s, 1) // nobody holds the lock
			must(t, err)
		})
	}
}

// A program that is cut off without the server noticing, as by a loss of power, does not keep others from writing.
func TestAbandonedTransaction(t *testing.T) {
	db := postgrestest.Database(t)
	u, err := url.Parse(db)
	must(t, err)
	q := u.Query()
	q.Set("idle_in_transaction_session_timeout", "100ms")
	u.RawQuery = q.Encode()
	s, err := postgres.Open(t.Context(), u.String(), postgres.Options{})
	must(t, err)
	defer s.Close()
	other, err := postgres.Open(t.Context(), db, postgres.Options{})
	must(t, err)
	defer other.Close()
	err = postgres.Hold(t.Context(), s, func() { approveOne(t, other) })
	if !errors.Is(err, postgres.ErrLost) {
		t.Errorf("after its end: %v", err)
	}
	limit := postgres.Column(t, other, "SELECT current_setting('idle_in_transaction_session_timeout')::bytea")
	if !slices.Equal(limit, []string{"1min"}) {
		t.Errorf("without a word in the URL it is %q", limit)
	}
}

// A connection may break at any answer.
func TestConnectionBreaks(t *testing.T) {
	p, s, _ := openCut(t)
	first := approveOne(t, s)
	for cuts := 0; ; cuts++ {
		p.mu.Lock()
		p.next, p.skip, p.done = cutAny, cuts, false
		p.mu.Unlock()
		_, err := approve(t, s, 1)
		cut := p.cutNow()
		p.arm(pass)
		if err != nil && !errors.Is(err, postgres.ErrLost) {
			t.Errorf("cut at answer %d: %v", cuts, err)
		}
		m, errMeta := s.Meta(t.Context())
		must(t, errMeta)
		if written := m.LastSeq > first.Seq; written == (err != nil) {
			t.Errorf("cut at answer %d: %v; it was written: %t", cuts, err, written)
		}
		if first.Seq = m.LastSeq; !cut {
			break
		}
	}
}

// A server that crashes before a commit reaches it has written nothing, also if another transaction then gets the same
// number.
func TestServerCrashesBeforeCommit(t *testing.T) {
	for _, name := range []string{"number free", "number taken"} {
		t.Run(name, func(t *testing.T) {
			p, s, other := openCut(t)
			first := approveOne(t, s)

			p.arm(cutRequest)
			p.before = func() {
				postgrestest.Restart(t)
				if name == "number taken" {
					approveOne(t, other)
				}
			}
			if receipt, err := approve(t, s, 1); !errors.Is(err, postgres.ErrLost) {
				t.Errorf("entry %d after %d, %v", receipt.Seq, first.Seq, err)
			}
			if !p.cutNow() {
				t.Fatal("nothing was cut")
			}
		})
	}
}

// cut is what a proxy does to a commit.
type cut int

const (
	pass cut = iota
	cutAnswer
	cutRequest
	holdRequest // the server is not told that the client is gone
	cutAny      // any answer
)

// proxy stands between a store and its server.
type proxy struct {
	listener net.Listener
	server   string // path of its socket

	mu    sync.Mutex
	next  cut
	done  bool
	held  []net.Conn
	trips int // answers: the server was ready for the next question

	skip   int        // pieces that a cut lets through
	before func()     // runs before a cut; nil: nothing does
	busy   sync.Mutex // it runs: whoever connects waits
}

// openCut opens a new database through a proxy that cuts connections off, and once more without it.
func openCut(t *testing.T) (p *proxy, s, other *postgres.Store) {
	t.Helper()
	db := postgrestest.Database(t)
	p = newProxy(t, db)
	s, err := postgres.Open(t.Context(), p.url(t, db), postgres.Options{})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	other, err = postgres.Open(t.Context(), db, postgres.Options{})
	must(t, err)
	t.Cleanup(func() { other.Close() })
	return p, s, other
}

// newProxy starts a proxy, on a socket of its own.
func newProxy(t *testing.T, db string) *proxy {
	t.Helper()
	config, err := pgx.ParseConfig(db)
	must(t, err)
	if !filepath.IsAbs(config.Host) {
		t.Skip("the server has no socket here")
	}
	socket := fmt.Sprintf(".s.PGSQL.%d", config.Port)
	p := &proxy{server: filepath.Join(config.Host, socket)}
	p.listener, err = net.Listen("unix", filepath.Join(t.TempDir(), socket))
	must(t, err)
	t.Cleanup(func() {
		p.listener.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, conn := range p.held {
			conn.Close()
		}
	})
	go func() {
		for {
			client, err := p.listener.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
	return p
}

func (p *proxy) url(t *testing.T, db string) string {
	t.Helper()
	u, err := url.Parse(db)
	must(t, err)
	q := u.Query()
	q.Set("host", filepath.Dir(p.listener.Addr().String()))
	u.RawQuery = q.Encode()
	return u.String()
}

// arm has the proxy cut the next commit.
func (p *proxy) arm(next cut) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = next
}

func (p *proxy) cutNow() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done
}

// Only a commit has these bytes: the argument of pg_notify, and the answer to COMMIT. An answer ends with ready and a
// letter.
var (
	ready         = []byte("Z\x00\x00\x00\x05")
	commitRequest = []byte("\x00\x00\x00\x05visto")
	commitAnswer  = []byte("COMMIT\x00")
)

func (p *proxy) serve(client net.Conn) {
	p.busy.Lock()
	server, err := net.Dial("unix", p.server)
	p.busy.Unlock()
	if err != nil {
		client.Close()
		return
	}
	p.mu.Lock()
	p.held = append(p.held, client, server)
	p.mu.Unlock()
	go p.copy(client, server, func(data []byte) cut {
		p.count(bytes.Count(data, ready))
		return max(p.take(data, commitAnswer, cutAnswer), p.take(data, nil, cutAny))
	})
	p.copy(server, client, func(data []byte) cut {
		if c := p.take(data, commitRequest, cutRequest); c != pass {
			return c
		}
		return p.take(data, commitRequest, holdRequest)
	})
}

// count counts more answers, and returns those so far.
func (p *proxy) count(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trips += n
	return p.trips
}

// take returns the cut, if it is the next one and data are those that it is about.
func (p *proxy) take(data, about []byte, is cut) cut {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next != is || !bytes.Contains(data, about) {
		return pass
	}
	if p.skip > 0 {
		p.skip--
		return pass
	}
	p.next, p.done = pass, true
	return is
}

// copy copies until one side ends, or a cut.
func (p *proxy) copy(to, from net.Conn, cuts func([]byte) cut) {
	buf := make([]byte, 1<<20)
	for {
		n, err := from.Read(buf)
		c := cuts(buf[:n])
		if c == pass && err == nil {
			_, err = to.Write(buf[:n])
		}
		if c != pass && p.before != nil {
			p.busy.Lock()
			p.before()
			p.busy.Unlock()
		}
		switch {
		case c == holdRequest:
			from.Close()
			io.Copy(io.Discard, from)
			return
		case c != pass || err != nil:
			to.Close()
			from.Close()
			return
		}
	}
}
