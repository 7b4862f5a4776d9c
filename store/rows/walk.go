package rows

import (
	"context"
	"fmt"

	"visto/canon"
	"visto/review"
	"visto/review/health"
)

// Snapshot is one state of a database.
type Snapshot interface {
	// Each calls fn for every row of a query that has few.
	Each(query string, args []any, fn func(Scan) error) error
	// Stream is Each for a query that may have very many rows. fn may ask for more.
	Stream(query string, args []any, fn func(Scan) error) error
	// Where returns the WHERE of a filter on item i, with more conditions.
	Where(f review.Filter, more ...string) (where string, args []any, err error)
	// Row returns a row of so many columns that begins with Dialect.Answer.
	Row(columns int) *ItemRow
	// Cite fills in all occurrences of items.
	Cite(list []review.Item) error
}

// Dialect has the parts of queries that differ between databases.
type Dialect struct {
	Join      string // joins a table, after those before it
	Answer    string // the columns of ItemRow.Answer
	Decision  string // joins decision d to item i: the one in force, or that of another item which settles it
	Item      string // the columns of ItemRow.Read
	FromItems string // the tables of these
	AllHosts  string // all host evidence, for ReadHosts
}

// walk reads each row of a query by read, and calls fn with the result.
func walk[T any](q Snapshot, query string, args []any, read func(Scan) (T, error), fn func(T) error) error {
	return q.Stream(query, args, func(scan Scan) error {
		row, err := read(scan)
		if err != nil {
			return err
		}
		return Own(fn(row))
	})
}

// Each calls fn for every item of the filter in the order of the IDs. It reads one snapshot row by row, and fn may
// ask the store for more.
func (s Shared) Each(ctx context.Context, f review.Filter, fn func(review.Item) error) error {
	return s.db.Snapshot(ctx, "reading URLs", func(q Snapshot) error {
		where, args, err := q.Where(f)
		if err != nil {
			return err
		}
		query := "SELECT " + s.dialect.Item + s.dialect.FromItems + where + " ORDER BY i.id"
		return walk(q, query, args, q.Row(ItemWidth).Read, fn)
	})
}

// EachWithEvidence is Each with the evidence that results are computed from: the item's own, and that of all hosts,
// for rules may lead to any of them. All items share one map of hosts, which is not to be written to.
func (s Shared) EachWithEvidence(ctx context.Context, f review.Filter,
	fn func(review.Item, *canon.Evidence) error) error {
	return s.db.Snapshot(ctx, "reading URLs", func(q Snapshot) error { return s.eachWithEvidence(q, f, fn) })
}

func (s Shared) eachWithEvidence(q Snapshot, f review.Filter, fn func(review.Item, *canon.Evidence) error) error {
	query := "SELECT " + s.dialect.Item + ", e.body" + s.dialect.FromItems
	return s.eachEvidence(q, query, f, q.Row(ItemWidth+1).ReadWithEvidence, fn)
}

// EachAnswered reads less than half as much as EachWithEvidence: no texts except those of the URL, and each host name
// once.
func (s Shared) EachAnswered(ctx context.Context, f review.Filter,
	fn func(review.Item, *canon.Evidence) error) error {
	query := "SELECT " + s.dialect.Answer + ", i.in_host_id, i.host_id, e.body FROM item i" + s.dialect.Decision
	return s.db.Snapshot(ctx, "reading URLs", func(q Snapshot) error {
		row, hosts := q.Row(answeredWidth), NewHostNames(q.Each)
		return s.eachEvidence(q, query, f, func(scan Scan) (review.Item, *canon.Evidence, error) {
			return row.ReadAnswered(scan, hosts)
		}, fn)
	})
}

// eachEvidence calls fn for every item of the filter. query selects the columns that read reads.
func (s Shared) eachEvidence(q Snapshot, query string, f review.Filter,
	read func(scan Scan) (review.Item, *canon.Evidence, error), fn func(review.Item, *canon.Evidence) error) error {
	where, args, err := q.Where(f)
	if err != nil {
		return err
	}
	known, err := ReadHosts(q.Each, s.dialect.AllHosts, nil)
	if err != nil {
		return err
	}
	query += " LEFT JOIN evidence e ON e.item_id = i.id" + where + " ORDER BY i.id"
	return q.Stream(query, args, func(scan Scan) error {
		it, ev, err := read(scan)
		if err != nil {
			return err
		}
		return Own(fn(it, WithHosts(ev, known)))
	})
}

// citedAtOnce is the number of items whose occurrences are read at once.
const citedAtOnce = 256

// EachCited is EachWithEvidence with the occurrences of the items. It reads those of some at once.
func (s Shared) EachCited(ctx context.Context, f review.Filter, fn func(review.Item, *canon.Evidence) error) error {
	return s.db.Snapshot(ctx, "reading URLs", func(q Snapshot) error {
		var list []review.Item
		var evidence []*canon.Evidence
		flush := func() error {
			err := q.Cite(list)
			for i := 0; i < len(list) && err == nil; i++ {
				err = Own(fn(list[i], evidence[i]))
			}
			list, evidence = list[:0], evidence[:0]
			return err
		}
		err := s.eachWithEvidence(q, f, func(it review.Item, ev *canon.Evidence) error {
			list, evidence = append(list, it), append(evidence, ev)
			if len(list) < citedAtOnce {
				return nil
			}
			return flush()
		})
		if err != nil {
			return err
		}
		return flush()
	})
}

// EachLink calls fn for each item of the filter with the history of its link, by ID, from one snapshot.
func (s Shared) EachLink(ctx context.Context, f review.Filter, fn func(review.Item, *health.Record) error) error {
	return s.db.Snapshot(ctx, "reading the checks of links", func(q Snapshot) error {
		where, args, err := q.Where(f)
		if err != nil {
			return err
		}
		query := "SELECT " + s.dialect.Item + ", l.body" + s.dialect.FromItems +
			" LEFT JOIN link_history l ON l.item_id = i.id" + where + " ORDER BY i.id"
		row := q.Row(ItemWidth + 1)
		return q.Stream(query, args, func(scan Scan) error {
			it, record, err := row.ReadWithLink(scan)
			if err != nil {
				return err
			}
			return Own(fn(it, record))
		})
	})
}

// hasUnknown is the condition that an item has an unknown parameter.
var hasUnknown = fmt.Sprintf("i.flags & %d <> 0", canon.SetOf(canon.UnknownParam))

// Undecided reads a few columns of the items in the order of an index by host: nothing is sorted.
func (s Shared) Undecided(ctx context.Context, f review.Filter, fn func(review.Undecided) error) error {
	return s.db.Snapshot(ctx, "reading parameters", func(q Snapshot) error {
		where, args, err := q.Where(f, hasUnknown)
		if err != nil {
			return err
		}
		query := "SELECT " + undecidedColumns + " FROM item i" + s.dialect.Join + "host h ON h.id = i.host_id" + where +
			" ORDER BY i.host_id"
		return walk(q, query, args, newUndecidedRow().read, fn)
	})
}

// EachRejudged calls fn for the judgements on items with several decisions.
func (s Shared) EachRejudged(ctx context.Context, fn func(review.Judgement) error) error {
	return s.db.Snapshot(ctx, "reading decisions", func(q Snapshot) error {
		return walk(q, rejudgedQuery, nil, scanJudgement, fn)
	})
}

// EachRecord calls fn for every record, by number.
func (s Shared) EachRecord(ctx context.Context, fn func(review.StoredRecord) error) error {
	query := "SELECT " + recordColumns + " FROM record r" + s.dialect.Join + "file fi ON fi.id = r.file_id ORDER BY r.id"
	r := newRecordRow()
	return s.db.Snapshot(ctx, "reading records", func(q Snapshot) error {
		return walk(q, query, nil, r.storedRecord, fn)
	})
}

// EachOccurrence calls fn for every occurrence, by ID.
func (s Shared) EachOccurrence(ctx context.Context, fn func(review.StoredOccurrence) error) error {
	query := "SELECT " + storedColumns + " FROM occurrence o" + s.dialect.Join + "place p ON p.id = o.place_id" +
		s.dialect.Join + "field fe ON fe.id = p.field_id ORDER BY o.id"
	r := newStoredRow()
	return s.db.Snapshot(ctx, "reading occurrences", func(q Snapshot) error {
		return walk(q, query, nil, r.storedOccurrence, fn)
	})
}

// Hosts returns the host evidence after a generation.
func (s Shared) Hosts(ctx context.Context, after int64) (canon.Hosts, error) {
	from, args := s.dialect.AllHosts, []any(nil)
	if after > 0 {
		from, args = from+" WHERE known.gen > 0 AND known.gen > ?", []any{after}
	}
	return ReadHosts(func(query string, args []any, fn func(Scan) error) error {
		return s.db.List(ctx, "reading evidence", query, args, fn)
	}, from, args)
}

// EachAssigned calls fn for the items of the filter with their hosts and reviewers, by host, then ID: in the order of
// an index, so that nothing is sorted.
func (s Shared) EachAssigned(ctx context.Context, f review.Filter, fn func(string, review.Assigned) error) error {
	return s.db.Snapshot(ctx, "reading assignments", func(q Snapshot) error {
		where, args, err := q.Where(f)
		if err != nil {
			return err
		}
		query := "SELECT h.name, i.id, coalesce(a.reviewer, '') FROM item i" + s.dialect.Join +
			"host h ON h.id = i.host_id LEFT JOIN assignment a ON a.item_id = i.id" + where +
			" ORDER BY i.host_id, i.id"
		return q.Stream(query, args, func(scan Scan) error {
			var host string
			var a review.Assigned
			if err := scan(&host, &a.ID, &a.Reviewer); err != nil {
				return err
			}
			return Own(fn(host, a))
		})
	})
}

// EachEntry calls fn for every entry of the log, oldest first.
func (s Shared) EachEntry(ctx context.Context, fn func(review.Entry) error) error {
	return s.db.Snapshot(ctx, "reading the log", func(q Snapshot) error {
		return EachEntry(q.Stream, func(e review.Entry) error { return Own(fn(e)) })
	})
}
