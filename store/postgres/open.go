package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"visto/review"
	"visto/store/rows"
)

// Options are the options of Open.
type Options struct {
	ReadOnly bool             // write nothing, not even a newer schema
	Create   bool             // make the tables in a database that has none of this program
	Now      func() time.Time // the clock; nil: the system's
}

// Errors of Open.
var (
	ErrMissing = errors.New("it has no tables of visto yet")
	ErrNewer   = errors.New("it was written by a newer visto; nothing was changed")
	ErrOlder   = errors.New("its schema is of an older visto, and it may not be written to bring it up to date")

	ErrUnreachable = errors.New("the server cannot be reached")
	ErrLogin       = errors.New("the server refuses the user or the password")
	ErrNoDatabase  = errors.New("the server has no database of that name")
	ErrBusy        = errors.New("the server takes no more connections")
	ErrEncoding    = errors.New("its encoding is not UTF8")
	ErrURL         = errors.New("its URL is not one that PostgreSQL knows")
)

// connectTimeout is how long connecting may take, unless the URL or PGCONNECT_TIMEOUT say otherwise: connect_timeout.
// driverTimeout is the one that the driver has by itself.
const (
	connectTimeout = 5 * time.Second
	driverTimeout  = 2 * time.Minute
)

// The largest numbers of connections: for methods that call nobody back, and for the others.
const (
	maxReads   = 8
	maxStreams = 24
)

// Open opens a database. url is a connection string as pgx has it: a URL or words, completed by the environment
// (PGHOST and so on). A user who may not write gets a read-only store: see Store.ReadOnly.
func Open(ctx context.Context, url string, opt Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil || isSplit(url) { // the text of err may have a password
		return nil, fmt.Errorf("opening the database: %w", ErrURL)
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	s := &Store{updater: updater{now: opt.Now, readOnly: opt.ReadOnly, large: largeFrom}}
	s.listener.token = rand.Text()
	s.Shared = rows.NewShared(database{s}, dialect)
	if err := s.open(ctx, config, opt.Create); err != nil {
		s.close()
		return nil, fmt.Errorf("opening %s: %w", nameOf(config.ConnConfig), explain(ctx, err))
	}
	return s, nil
}

// abandoned is how long a transaction may ask nothing, unless the URL has idle_in_transaction_session_timeout. Then the
// server ends it: it may be of a machine without power, and others wait for its locks.
const abandoned = "60s"

func (s *Store) open(ctx context.Context, config *pgxpool.Config, create bool) (err error) {
	if config.ConnConfig.ConnectTimeout == driverTimeout {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	config.AfterConnect = useTexts
	config.ConnConfig.RuntimeParams["cursor_tuple_fraction"] = "1" // all rows of a cursor are read
	config.ConnConfig.RuntimeParams["jit"] = "off"                 // compiling takes longer than any of our queries
	config.ConnConfig.RuntimeParams["join_collapse_limit"] = "1"   // the queries join in a good order
	if s.readOnly {
		config.ConnConfig.RuntimeParams["default_transaction_read_only"] = "on"
	}
	if s.stream, err = newReader(ctx, config, maxStreams); err != nil {
		return err
	}
	if param := "idle_in_transaction_session_timeout"; config.ConnConfig.RuntimeParams[param] == "" {
		config.ConnConfig.RuntimeParams[param] = abandoned
	}
	if s.read, err = newReader(ctx, config, maxReads); err != nil {
		return err
	}
	if err := s.judge(ctx); err != nil {
		return err
	}
	s.listener.config = config.ConnConfig
	return s.migrate(ctx, create)
}

// newReader returns a pool of at most so many connections, whatever pool_max_conns of the URL says.
func newReader(ctx context.Context, config *pgxpool.Config, most int32) (*reader, error) {
	config = config.Copy()
	config.MaxConns = most
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &reader{Pool: pool, name: nameOf(config.ConnConfig), sets: &fieldSets{}}, nil
}

// judge makes the store read-only if the server or the user is.
func (u *updater) judge(ctx context.Context) error {
	var readOnly bool
	err := get(ctx, u.read, "SELECT current_setting('transaction_read_only')::boolean OR "+
		"to_regclass('log') IS NOT NULL AND "+
		"NOT coalesce(has_table_privilege(to_regclass('log'), 'INSERT'), false)", nil,
		&readOnly)
	u.readOnly = u.readOnly || readOnly
	return err
}

// nameOf returns the server, the user and the name of a database, without a password.
func nameOf(c *pgx.ConnConfig) string {
	return fmt.Sprintf("postgres://%s@%s/%s", c.User, net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))), c.Database)
}

// Close closes the connections.
func (s *Store) Close() error {
	s.close()
	return nil
}

func (s *Store) close() {
	s.listener.end()
	for _, r := range []*reader{s.read, s.stream} {
		if r != nil {
			r.Close()
		}
	}
}

// known maps error codes and classes of codes of PostgreSQL to errors in plain words.
var known = map[string]error{
	"25006": review.ErrReadOnly,
	"42501": review.ErrDenied,
	"28000": ErrLogin,
	"28P01": ErrLogin,
	"3D000": ErrNoDatabase,
	"53100": review.ErrFull,
	"53300": ErrBusy,
	"55P03": review.ErrLocked,
	"25P03": ErrLost,
	"57P01": ErrLost,
	"57P02": ErrLost,
	"57P03": ErrUnreachable,
	"58030": review.ErrIO,
	"XX001": review.ErrDamaged,
	"XX002": review.ErrDamaged,
}

// explain replaces an error of PostgreSQL by one in plain words, which still wraps it, and the error of a context that
// ended by its cause.
func explain(ctx context.Context, err error) error {
	if _, done := errors.AsType[rows.Explained](err); done {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		if known[e.Code] != nil {
			return rows.Explain(known[e.Code], err)
		}
		return err
	}
	if e, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return rows.Explain(fmt.Errorf("%w: %s", ErrUnreachable, reason(e)), err)
	}
	if isLost(err) {
		return rows.Explain(ErrLost, err)
	}
	return err
}

// reason returns the first reason why no connection was made: there is one for each address.
func reason(e *pgconn.ConnectError) string {
	line, _, _ := strings.Cut(e.Unwrap().Error(), "\n")
	return line
}

// failed wraps an error of an operation on the store. ErrNotFound is returned as it is: the caller knows the name of
// the missing thing.
func (r *reader) failed(ctx context.Context, doing string, err error) error {
	return rows.Failed(doing, r.name, err, func(err error) error { return explain(ctx, err) })
}
