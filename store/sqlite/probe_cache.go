package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"visto/canon"
	"visto/review/probe"
)

var _ probe.Cache = (*Store)(nil)

// Robots returns the robots.txt of an origin, nil if none is kept.
func (s *Store) Robots(ctx context.Context, origin string) (*probe.Robots, error) {
	r := probe.Robots{Origin: origin}
	var at int64
	err := s.read.QueryRowContext(ctx, "SELECT at, status, body FROM robots WHERE origin = ?", origin).Scan(&at, &r.Status, &r.Body)
	r.FetchedAt = time.UnixMilli(at).UTC()
	return kept(&r, s.failed(ctx, "reading a robots.txt", err))
}

// KeepRobots replaces the robots.txt of its origin.
func (s *Store) KeepRobots(ctx context.Context, r probe.Robots) error {
	return s.update(ctx, "storing a robots.txt", func(t *tx) error {
		_, err := t.exec(`INSERT INTO robots (origin, at, status, body) VALUES (?, ?, ?, ?) ON CONFLICT (origin) DO UPDATE
			SET at = excluded.at, status = excluded.status, body = excluded.body`,
			r.Origin, r.FetchedAt.UnixMilli(), r.Status, append([]byte{}, r.Body...))
		return err
	})
}

// Host returns what was learned of a host, nil if nothing was.
func (s *Store) Host(ctx context.Context, host string) (*probe.HostFacts, error) {
	f := probe.HostFacts{Host: host}
	var at int64
	var https sql.NullBool
	err := s.read.QueryRowContext(ctx, "SELECT at, https, preferred FROM probed_host WHERE host = ?", host).Scan(&at, &https, &f.PreferredHost)
	f.CheckedAt = time.UnixMilli(at).UTC()
	if https.Valid {
		f.HTTPS = &https.Bool
	}
	return kept(&f, s.failed(ctx, "reading what is known of a host", err))
}

// KeepHost replaces what was learned of its host.
func (s *Store) KeepHost(ctx context.Context, f probe.HostFacts) error {
	return s.update(ctx, "storing what is known of a host", func(t *tx) error {
		_, err := t.exec(`INSERT INTO probed_host (host, at, https, preferred) VALUES (?, ?, ?, ?) ON CONFLICT (host) DO UPDATE
			SET at = excluded.at, https = excluded.https, preferred = excluded.preferred`,
			f.Host, f.CheckedAt.UnixMilli(), f.HTTPS, f.PreferredHost)
		return err
	})
}

// kept returns nothing for a row that is not there.
func kept[T any](row *T, err error) (*T, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return row, nil
}

// Earlier returns an item's own evidence, nil if it has none.
func (s *Store) Earlier(ctx context.Context, target probe.Target) (*canon.Evidence, error) {
	var body sql.NullString
	err := s.read.QueryRowContext(ctx, "SELECT body FROM evidence WHERE item_id = ?", target.ID).Scan(&body)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, s.failed(ctx, "reading evidence", err)
	}
	return parseEvidence(target.ID, body.String)
}
