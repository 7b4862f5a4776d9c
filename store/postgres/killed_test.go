package postgres_test

import (
	"testing"
	"time"

	"visto/review"
	"visto/store/postgres"
	"visto/store/postgrestest"
	"visto/store/storetest"
)

// A program is killed behind each transaction: the answer to its commit is the last that it had.
func TestKilledBehindEachTransaction(t *testing.T) {
	if testing.Short() {
		t.Skip("the servers' processes are not looked into")
	}
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	open := func(t *testing.T, db string) storetest.Loaded {
		t.Helper()
		s, err := postgres.Open(t.Context(), db, postgres.Options{Now: func() time.Time { return at }})
		must(t, err)
		postgres.SetLarge(s, few)
		return s
	}
	storetest.RunKilled(t, storetest.Killing{
		New:  func(t *testing.T) string { return postgrestest.Database(t) },
		Copy: func(t *testing.T, db string) string { return postgrestest.Copy(t, db) },
		Open: open,
		Kill: func(t *testing.T, db string, do func(review.Store)) (killed []string) {
			for {
				copied := postgrestest.Copy(t, db)
				p := newProxy(t, copied)
				s := open(t, p.url(t, copied))
				dead, done := make(chan struct{}), make(chan struct{})
				p.mu.Lock()
				p.next, p.skip, p.before = cutAnswer, len(killed), func() {
					p.end()
					close(dead)
				}
				p.mu.Unlock()
				go func() {
					defer close(done)
					do(s)
					s.Close()
				}()
				select {
				case <-done:
				case <-dead: // nobody hears of it any more
				}
				if !p.cutNow() {
					return killed
				}
				killed = append(killed, copied)
			}
		},
	})
}

// few is the number of URLs that make a change large in this test.
const few = 7

// end breaks all connections, and lets no new ones through.
func (p *proxy) end() {
	p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.held {
		conn.Close()
	}
}
