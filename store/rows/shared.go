package rows

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/probe"
)

// DB is a database that a Shared reads and writes.
type DB interface {
	// List calls fn for every row of a query that has few.
	List(ctx context.Context, doing, query string, args []any, fn func(Scan) error) error
	// Snapshot runs fn on one state of the database.
	Snapshot(ctx context.Context, doing string, fn func(Snapshot) error) error
	// Update runs fn in a transaction, with its time in milliseconds.
	Update(ctx context.Context, doing string, fn func(t Tx, at int64) error) error
	// Batch returns a batch with its items and rules.
	Batch(ctx context.Context, id int64) (review.Batch, error)
	// Key is the expression of a text by which it is indexed.
	Key(text string) string
}

// Shared has the methods of a store that are the same in all databases: for rows that no others follow from, and for
// walks through very many rows.
type Shared struct {
	db      DB
	dialect Dialect
}

// NewShared returns the Shared of a database.
func NewShared(db DB, dialect Dialect) Shared { return Shared{db, dialect} }

// list returns the rows of a query that has few, each as read fills it in.
func list[T any](ctx context.Context, s Shared, doing, query string, args []any,
	read func(row *T, scan Scan) error) ([]T, error) {
	return Collect(func(query string, args []any, fn func(Scan) error) error {
		return s.db.List(ctx, doing, query, args, fn)
	}, query, args, read)
}

// one reads a row into values, and returns nil for a missing row.
func one[T any](ctx context.Context, s Shared, row *T, doing, query string, arg any, into ...any) (*T, error) {
	found := false
	err := s.db.List(ctx, doing, query, []any{arg}, func(scan Scan) error {
		found = true
		return scan(into...)
	})
	if err != nil || !found {
		return nil, err
	}
	return row, nil
}

// is is the condition that a column of texts equals the next argument.
func (s Shared) is(column string) string { return s.db.Key(column) + " = " + s.db.Key("?") }

// exec runs a statement in a transaction of its own.
func (s Shared) exec(ctx context.Context, doing, query string, args ...any) error {
	return s.db.Update(ctx, doing, func(t Tx, _ int64) error { return t.Exec(query, args...) })
}

// upsert returns the INSERT of a row that replaces one with the same first column, or key.
func upsert(table, key, columns string) string {
	names := strings.Split(columns, ", ")
	for i, name := range names {
		names[i] = name + " = excluded." + name
	}
	return "INSERT INTO " + table + " (" + columns + ") VALUES (?" + strings.Repeat(", ?", len(names)-1) +
		") ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(names[1:], ", ")
}

// Views returns the saved views, by name.
func (s Shared) Views(ctx context.Context) ([]review.StoredView, error) {
	const query = "SELECT name, body, reviewer, at FROM saved_view ORDER BY name"
	return list(ctx, s, "reading the saved views", query, nil, func(v *review.StoredView, scan Scan) error {
		return scan(&v.Name, &v.Body, &v.Reviewer, Stamp(&v.At))
	})
}

// SaveView saves a view, replacing one of that name. It sets the time.
func (s Shared) SaveView(ctx context.Context, v review.StoredView) error {
	return s.db.Update(ctx, "saving a view", func(t Tx, at int64) error {
		return t.Exec(upsert("saved_view", s.db.Key("name"), "name, body, reviewer, at"), v.Name, string(v.Body),
			v.Reviewer, at)
	})
}

// DeleteView deletes a view.
func (s Shared) DeleteView(ctx context.Context, name string) error {
	return s.db.Update(ctx, "deleting a view", func(t Tx, _ int64) error {
		return hit(t, noView(name), "DELETE FROM saved_view WHERE name = ? RETURNING 1", name)
	})
}

// RenameView gives a view a name that no other view has.
func RenameView(t Tx, from, to string) error {
	var n int
	err := t.Get("SELECT count(*) FROM saved_view WHERE name = ? AND name <> ?", []any{to, from}, &n)
	if err == nil && n > 0 {
		err = fmt.Errorf("there is a view %q already", to)
	}
	if err != nil {
		return err
	}
	return hit(t, noView(from), "UPDATE saved_view SET name = ? WHERE name = ? RETURNING 1", to, from)
}

// hit runs a statement that returns 1. It fails with missing if it returns nothing.
func hit(t Tx, missing error, query string, args ...any) error {
	var n int
	found, err := t.Find(query, args, &n)
	if err == nil && !found {
		err = missing
	}
	return err
}

// noView is the error of a view that is not stored.
func noView(name string) error { return fmt.Errorf("view %q: %w", name, review.ErrNotFound) }

// Mined returns the last result of the mining, nil if there is none.
func (s Shared) Mined(ctx context.Context) (*review.Mined, error) {
	m := &review.Mined{}
	return one(ctx, s, m, "reading the suggestions", "SELECT seq, at, body FROM mined WHERE id = ?", 1, &m.Seq,
		Stamp(&m.At), &m.Body)
}

// KeepMined stores a result of the mining in the place of the last one. It sets the time.
func (s Shared) KeepMined(ctx context.Context, m review.Mined) error {
	return s.db.Update(ctx, "storing the suggestions", func(t Tx, at int64) error {
		return t.Exec(upsert("mined", "id", "id, seq, at, body"), 1, m.Seq, at, m.Body)
	})
}

// Dismissals returns the dismissals by the ID of the suggestion.
func (s Shared) Dismissals(ctx context.Context) ([]review.Dismissal, error) {
	const query = "SELECT id, pages, reviewer, at FROM dismissed ORDER BY id"
	return list(ctx, s, "reading the dismissed suggestions", query, nil, func(d *review.Dismissal, scan Scan) error {
		return scan(&d.ID, &d.Pages, &d.Reviewer, Stamp(&d.At))
	})
}

// Dismiss stores a dismissal in the place of one of that ID. It sets the time.
func (s Shared) Dismiss(ctx context.Context, d review.Dismissal) error {
	return s.db.Update(ctx, "dismissing a suggestion", func(t Tx, at int64) error {
		return t.Exec(upsert("dismissed", s.db.Key("id"), "id, pages, reviewer, at"), d.ID, d.Pages, d.Reviewer, at)
	})
}

// Undismiss takes a dismissal back.
func (s Shared) Undismiss(ctx context.Context, id string) error {
	return s.db.Update(ctx, "taking a dismissal back", func(t Tx, _ int64) error {
		return hit(t, review.ErrNotFound, "DELETE FROM dismissed WHERE id = ? RETURNING 1", id)
	})
}

// Postpone keeps an item from being due before a time. The zero time ends that.
func (s Shared) Postpone(ctx context.Context, p review.Postponed) error {
	return s.db.Update(ctx, "postponing a URL", func(t Tx, _ int64) error {
		if p.Until.IsZero() {
			return Unpostpone(t, p.ID)
		}
		return hit(t, NoItem(p.ID), `INSERT INTO postponed (item_id, until, why) SELECT id, ?, ? FROM item WHERE id = ?
			ON CONFLICT (item_id) DO UPDATE SET until = excluded.until, why = excluded.why RETURNING 1`,
			Millis(p.Until), p.Why, p.ID)
	})
}

// Postponed returns the postponement of an item, nil if it has none.
func (s Shared) Postponed(ctx context.Context, id int64) (*review.Postponed, error) {
	p := &review.Postponed{ID: id}
	return one(ctx, s, p, "reading postponements", "SELECT until, why FROM postponed WHERE item_id = ?", id,
		Stamp(&p.Until), &p.Why)
}

// EndLease ends the holder's own lease, if it still has it.
func (s Shared) EndLease(ctx context.Context, l review.Lease) error {
	return s.exec(ctx, "ending a probe", "DELETE FROM lease WHERE id = ? AND machine = ? AND pid = ? AND since = ?",
		leaseID(l), l.Machine, l.PID, l.Since.UnixMilli())
}

// TakeLease gives the lease to want, unless another holder has it. A holder on this machine whose process has ended has
// it no more.
func TakeLease(t Tx, want review.Lease, now time.Time) error {
	held := review.Lease{Watch: want.Watch}
	found, err := t.Find("SELECT reviewer, machine, pid, since, until FROM lease WHERE id = ?", []any{leaseID(want)},
		&held.Reviewer, &held.Machine, &held.PID, Stamp(&held.Since), Stamp(&held.Until))
	if err != nil {
		return err
	}
	if found && !sameLease(held, want) && held.Until.After(now) && !ended(held.Holder) {
		return &review.LeaseError{Held: held}
	}
	return t.Exec(upsert("lease", "id", "id, reviewer, machine, pid, since, until"), leaseID(want), want.Reviewer,
		want.Machine, want.PID, want.Since.UnixMilli(), want.Until.UnixMilli())
}

var _ probe.Cache = Shared{}

// Robots returns the cached robots.txt of an origin, nil if there is none.
func (s Shared) Robots(ctx context.Context, origin string) (*probe.Robots, error) {
	r := &probe.Robots{Origin: origin}
	return one(ctx, s, r, "reading a robots.txt", "SELECT at, status, body FROM robots WHERE "+s.is("origin"), origin,
		Stamp(&r.FetchedAt), &r.Status, &r.Body)
}

// KeepRobots replaces the robots.txt of its origin.
func (s Shared) KeepRobots(ctx context.Context, r probe.Robots) error {
	return s.exec(ctx, "storing a robots.txt", upsert("robots", s.db.Key("origin"), "origin, at, status, body"),
		r.Origin, r.FetchedAt.UnixMilli(), r.Status, append([]byte{}, r.Body...))
}

// Host returns the cached facts about a host, nil if there are none.
func (s Shared) Host(ctx context.Context, host string) (*probe.HostFacts, error) {
	f := &probe.HostFacts{Host: host}
	var pause int64
	found, err := one(ctx, s, f, "reading facts about a host", "SELECT at, https, preferred, not_before FROM "+
		"probed_host WHERE "+s.is("host"), host, Stamp(&f.CheckedAt), &f.HTTPS, Preferred(&f.PreferredHost, &f.Reached), &pause)
	if pause > 0 {
		f.NotBefore = FromMillis(pause)
	}
	return found, err
}

// KeepHost replaces the facts about its host.
func (s Shared) KeepHost(ctx context.Context, f probe.HostFacts) error {
	return s.exec(ctx, "storing facts about a host", upsert("probed_host", s.db.Key("host"), "host, at, https, "+
		"preferred, not_before"), f.Host, f.CheckedAt.UnixMilli(), f.HTTPS,
		preferredText(f.PreferredHost, f.Reached), Millis(f.NotBefore))
}

// Earlier returns an item's own evidence, nil if it has none.
func (s Shared) Earlier(ctx context.Context, target probe.Target) (*canon.Evidence, error) {
	var body string
	_, err := one(ctx, s, &body, "reading evidence", "SELECT body FROM evidence WHERE item_id = ?", target.ID, &body)
	if err != nil {
		return nil, err
	}
	return ParseEvidence(target.ID, body)
}

// HasContent reports whether a content of an item's page is stored.
func (s Shared) HasContent(ctx context.Context, target probe.Target) (has bool, err error) {
	_, err = one(ctx, s, &has, "reading the contents of a page", "SELECT EXISTS (SELECT 1 FROM item_content "+
		"WHERE item_id = ?)", target.ID, &has)
	return has, err
}

// Contents returns the last versions of the content of an item's page, newest first.
func (s Shared) Contents(ctx context.Context, id int64) ([]review.StoredContent, error) {
	const query = `SELECT at, (SELECT hash FROM content WHERE id = v.content_id), (SELECT body FROM content
		WHERE id = v.content_id) FROM item_content v WHERE item_id = ? ORDER BY number DESC`
	return list(ctx, s, "reading the contents of a page", query, []any{id},
		func(v *review.StoredContent, scan Scan) (err error) {
			var hash, body []byte
			if err = scan(Stamp(&v.At), &hash, &body); err == nil {
				v.Document, err = unpackContent(id, hash, body)
			}
			return err
		})
}

// LastReport returns the time of the last report on the links of a filter.
func (s Shared) LastReport(ctx context.Context, filter string) (at time.Time, err error) {
	_, err = one(ctx, s, &at, "reading the time of the last report", "SELECT at FROM link_report WHERE "+
		s.is("filter"), filter, Stamp(&at))
	return at, err
}

// KeepReport sets the time of the last report.
func (s Shared) KeepReport(ctx context.Context, filter string, at time.Time) error {
	return s.exec(ctx, "noting the time of the report", upsert("link_report", s.db.Key("filter"), "filter, at"), filter,
		Millis(at))
}

// Assignment returns the assignment of an item.
func (s Shared) Assignment(ctx context.Context, id int64) (*review.Assignment, error) {
	a := &review.Assignment{}
	return one(ctx, s, a, "reading an assignment", "SELECT reviewer, assigned_by, at FROM assignment WHERE item_id = ?",
		id, &a.Reviewer, &a.By, Stamp(&a.At))
}

// Notes returns an item's notes of batches in force, oldest first.
func (s Shared) Notes(ctx context.Context, id int64) ([]review.Note, error) {
	const query = `SELECT b.at, b.reviewer, n.text FROM note n JOIN batch b ON b.id = n.batch_id
		WHERE n.item_id = ? AND b.undone_seq = 0 ORDER BY n.id`
	return list(ctx, s, "reading notes", query, []any{id}, func(n *review.Note, scan Scan) error {
		return scan(Stamp(&n.At), &n.Reviewer, &n.Text)
	})
}

// MetaQuery is the query for a review.Meta, as MetaInto takes it.
const MetaQuery = `SELECT coalesce(p.name, ''), coalesce(p.digest, ''), p.yaml, m.gen, m.rules_gen, m.hosts_gen,
	coalesce((SELECT max(id) FROM item), 0), coalesce((SELECT max(seq) FROM log), 0)
	FROM meta m LEFT JOIN policy p ON p.id = m.policy_id`

// MetaInto returns where the values of MetaQuery go.
func MetaInto(m *review.Meta) []any {
	return []any{&m.PolicyID, &m.PolicyDigest, &m.PolicyYAML, &m.Gen, &m.RulesGen, &m.HostsGen, &m.LastID, &m.LastSeq}
}

// Meta returns the store's policy and generations.
func (s Shared) Meta(ctx context.Context) (m review.Meta, err error) {
	err = s.db.List(ctx, "reading the store's rules", MetaQuery, nil, func(scan Scan) error {
		return scan(MetaInto(&m)...)
	})
	return m, err
}

// Entry returns the log entry with the number.
func (s Shared) Entry(ctx context.Context, seq int64) (review.Entry, error) {
	const query = "SELECT " + EntryColumns + " FROM log WHERE seq = ?"
	found, err := list(ctx, s, "reading the log", query, []any{seq}, func(e *review.Entry, scan Scan) (err error) {
		*e, err = ScanEntry(scan)
		return err
	})
	if err == nil && len(found) == 0 {
		err = review.ErrNotFound
	}
	if err != nil {
		return review.Entry{}, err
	}
	return found[0], nil
}

// LinkRecord returns the history of an item's link, nil if there is none.
func (s Shared) LinkRecord(ctx context.Context, id int64) (*health.Record, error) {
	var body []byte
	found, err := one(ctx, s, &body, "reading the checks of a link", linkQuery, id, &body)
	if found == nil {
		return nil, err
	}
	return LinkRecord(id, body, health.Unpack)
}

// Log returns at most n entries before the one with the number, newest first.
func (s Shared) Log(ctx context.Context, before int64, n int) ([]review.EntryInfo, error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	return list(ctx, s, "reading the log", LogQuery, []any{before, n}, scanInfo)
}

// EachOverride calls fn for the overrides in the order in which they were made.
func (s Shared) EachOverride(ctx context.Context, fn func(review.StoredOverride, string) error) error {
	const query = "SELECT id, rule, reviewer, at, batch_id FROM override ORDER BY id"
	return s.db.List(ctx, "reading overrides", query, nil, func(scan Scan) error {
		var o review.StoredOverride
		var text string
		if err := scanOverride(&o, &text, scan); err != nil {
			return err
		}
		return Own(fn(o, text))
	})
}

// Files returns the names of all files with an occurrence.
func (s Shared) Files(ctx context.Context) ([]string, error) {
	const query = "SELECT name FROM file WHERE id IN (SELECT file_id FROM record) ORDER BY name"
	return list(ctx, s, "reading the names of files", query, nil, func(name *string, scan Scan) error {
		return scan(name)
	})
}
