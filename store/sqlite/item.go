package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"visto/review"
)

// itemColumns are what scanItem reads. itemJoins completes "FROM item i" by the texts that are kept once and the
// decision that stands. A CROSS JOIN tells SQLite to keep this order: each is one look-up by key.
const (
	itemColumns = `i.id, i.rev, i.original, fi.name, fe.name, i.position, i.title, i.canonical, i.page_key, i.verdict,
	i.reason, i.flags, i.unknown, ih.name, h.name, i.link_type, i.language, i.via, i.status, i.notes,
	d.batch_id, d.kind, d.canonical, d.seen, d.note, b.reviewer, b.at`
	hostJoin  = ` CROSS JOIN host h ON h.id = i.host_id`
	restJoins = ` CROSS JOIN host ih ON ih.id = i.in_host_id
	CROSS JOIN file fi ON fi.id = i.file_id CROSS JOIN field fe ON fe.id = i.field_id
	LEFT JOIN decision d ON d.item_id = i.id AND d.batch_id = i.batch_id LEFT JOIN batch b ON b.id = d.batch_id`
	itemJoins = hostJoin + restJoins
	fromItems = ` FROM item i` + itemJoins
)

// scanItem reads itemColumns.
func scanItem(scan func(...any) error) (review.Item, error) {
	var it review.Item
	var unknown, via string
	var key []byte
	var batch, kind, at sql.NullInt64
	var canonical, seen, note, reviewer sql.NullString
	c := &it.Computed
	err := scan(&it.ID, &it.Rev, &it.Original, &it.Source.File, &it.Source.Field, &it.Source.Position, &it.Title,
		&c.Canonical, &key, &c.Verdict, &c.Reason, &c.Flags, &unknown, &c.InHost, &c.Host, &c.LinkType, &c.Language,
		&via, &it.Status, &it.Notes, &batch, &kind, &canonical, &seen, &note, &reviewer, &at)
	if err != nil {
		return it, err
	}
	copy(c.Key[:], key)
	if batch.Valid {
		it.Decision = &review.Decision{Kind: review.Kind(kind.Int64), Canonical: canonical.String, From: seen.String,
			Reviewer: reviewer.String, At: fromMillis(at.Int64), Note: note.String, Batch: batch.Int64}
	}
	if via != "" {
		c.Via = strings.Fields(via)
	}
	c.Unknown, err = splitNames(unknown)
	return it, err
}

func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// joinHosts writes the names of hosts as one text, each between two spaces.
func joinHosts(hosts []string) string {
	if len(hosts) == 0 {
		return ""
	}
	return " " + strings.Join(hosts, " ") + " "
}

// joinNames writes the names of parameters as one text, each query-escaped and between two "&". splitNames reads it.
func joinNames(names []string) string {
	if len(names) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteByte('&')
	for _, n := range names {
		b.WriteString(url.QueryEscape(n))
		b.WriteByte('&')
	}
	return b.String()
}

func splitNames(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	names := strings.Split(text[1:len(text)-1], "&")
	for i, n := range names {
		name, err := url.QueryUnescape(n)
		if err != nil {
			return nil, fmt.Errorf("reading the names %q: %w", text, err)
		}
		names[i] = name
	}
	return names, nil
}

// items reads all items that the rest of the query selects.
func items(ctx context.Context, q queryer, rest string, args ...any) ([]review.Item, error) {
	var list []review.Item
	err := each(ctx, q, "SELECT "+itemColumns+rest, args, func(scan func(...any) error) error {
		it, err := scanItem(scan)
		list = append(list, it)
		return err
	})
	return list, err
}

func readItem(ctx context.Context, q queryer, id int64) (review.Item, error) {
	list, err := items(ctx, q, fromItems+" WHERE i.id = ?", id)
	if err == nil && len(list) == 0 {
		err = review.ErrNotFound
	}
	if err != nil {
		return review.Item{}, err
	}
	return list[0], nil
}

// Item returns one item.
func (s *Store) Item(ctx context.Context, id int64) (review.Item, error) {
	var it review.Item
	err := s.snapshot(ctx, "reading a URL", func(q queryer) error {
		var err error
		it, err = readItem(ctx, q, id)
		return err
	})
	return it, err
}

// Find returns the item with that original; if there is none, those with that canonical or approved URL, by ID.
func (s *Store) Find(ctx context.Context, url string) ([]review.Item, error) {
	var list []review.Item
	err := s.snapshot(ctx, "looking for a URL", func(q queryer) error {
		found, err := findItems(ctx, q, url)
		list = found
		return err
	})
	return list, err
}

func findItems(ctx context.Context, q queryer, url string) ([]review.Item, error) {
	key := keyOf(url)
	list, err := items(ctx, q, fromItems+" WHERE i.original_key = ? AND i.original = ?", key[:], url)
	if err != nil || len(list) > 0 || url == "" {
		return list, err
	}
	list, err = items(ctx, q, fromItems+" WHERE i.sort_url = ? AND i.canonical = ?", url, url)
	if err != nil {
		return nil, err
	}
	approved, err := items(ctx, q, fromItems+" WHERE i.approved = ? AND i.canonical <> ?", url, url)
	list = append(list, approved...)
	slices.SortFunc(list, func(a, b review.Item) int { return int(a.ID - b.ID) })
	return list, err
}

// keyOf returns the key by which an original is known.
func keyOf(original string) review.Key {
	sum := sha256.Sum256([]byte(original))
	return review.Key(sum[:16])
}

// Each calls fn for every item of the filter in the order of the IDs. It holds nothing in memory, and fn may
// ask the store for more; what is written meanwhile is not seen.
func (s *Store) Each(ctx context.Context, f review.Filter, fn func(review.Item) error) error {
	w := filterItems(f)
	query := "SELECT " + itemColumns + fromItems + w.sql() + " ORDER BY i.id"
	var stopped error
	err := s.snapshot(ctx, "reading URLs", func(q queryer) error {
		return each(ctx, q, query, w.args, func(scan func(...any) error) error {
			it, err := scanItem(scan)
			if err == nil {
				stopped = fn(it)
				err = stopped
			}
			return err
		})
	})
	if stopped != nil {
		return stopped // the caller's own error, as it is
	}
	return err
}
