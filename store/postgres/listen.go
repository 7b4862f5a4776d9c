package postgres

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is the channel of PostgreSQL on which each transaction that wrote tells its store's token.
const channel = "visto"

// listener hears of the writes of other programs, on a connection of its own. It has one from the first question for
// the version on: most commands never ask.
type listener struct {
	sync.WaitGroup
	mu      sync.Mutex // guards stop
	stop    func()     // nil: it does not listen
	config  *pgx.ConnConfig
	token   string       // names this store in its notifications
	version atomic.Int64 // see Store.Version
}

// listenAgain is how long a listener whose connection broke waits before it connects again.
const listenAgain = time.Second

// listen begins to count the writes of others into l.version, unless it does so already. It returns once it hears them.
func (l *listener) listen(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop != nil {
		return nil
	}
	conn, err := connectListener(ctx, l.config)
	if err != nil {
		return err
	}
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	l.Go(func() {
		for conn != nil {
			l.hear(ctx, conn)
			conn = reconnectListener(ctx, l.config)
			l.version.Add(1) // nobody knows what was written meanwhile
		}
	})
	return nil
}

func connectListener(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, config.Copy())
	if err != nil {
		return nil, err
	}
	if _, err = conn.Exec(ctx, "listen "+channel); err != nil {
		conn.Close(ctx)
		return nil, err
	}
	return conn, nil
}

// reconnectListener tries until it has a connection; nil if ctx ended.
func reconnectListener(ctx context.Context, config *pgx.ConnConfig) *pgx.Conn {
	for ctx.Err() == nil {
		if conn, err := connectListener(ctx, config); err == nil {
			return conn
		}
		select {
		case <-ctx.Done():
		case <-time.After(listenAgain):
		}
	}
	return nil
}

// hear counts the writes of others until the connection breaks or ctx ends.
func (l *listener) hear(ctx context.Context, conn *pgx.Conn) {
	defer conn.Close(context.WithoutCancel(ctx))
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			l.version.Add(1)
			return
		}
		if n.Payload != l.token { // each transaction of this store counts itself
			l.version.Add(1)
		}
	}
}

func (l *listener) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop != nil {
		l.stop()
		l.Wait()
	}
}

// Version asks nobody, but the first time: it changes with each transaction of this store, and with each notification
// of another one.
func (s *Store) Version(ctx context.Context) (int64, error) {
	err := s.listener.listen(ctx)
	return s.listener.version.Load(), s.read.failed(ctx, "asking whether the store changed", cmp.Or(err, ctx.Err()))
}
