package rows

import (
	"fmt"

	"visto/review"
	"visto/review/health"
	"visto/review/read"
)

// Check compares the tables of a store with its log and with their seals. What it asks the tables is the same in every
// database.
type Check struct {
	Each

	// IDs returns a list of IDs as SQL in parentheses, with its one argument.
	IDs func(ids []int64) (set string, arg any)

	// Decisions is the table decision, or what stands in its place.
	Decisions string

	// Report notes a review.Problem.
	Report func(what, format string, args ...any)
}

// Each calls fn for each row of a query.
type Each func(query string, args []any, fn func(Scan) error) error

// Collect returns the rows of a query, each as read fills it in.
func Collect[T any](each Each, query string, args []any, read func(row *T, scan Scan) error) (all []T, err error) {
	err = each(query, args, func(scan Scan) error {
		var row T
		if err := read(&row, scan); err != nil {
			return err
		}
		all = append(all, row)
		return nil
	})
	return all, err
}

// Scan reads the columns of a row.
type Scan = func(into ...any) error

// eachOf is Each for a query with the mark %s in the place of a list of IDs.
func (c *Check) eachOf(query string, ids []int64, fn func(Scan) error) error {
	set, arg := c.IDs(ids)
	return c.Each(fmt.Sprintf(query, set), []any{arg}, fn)
}

// GivenQuery reads the rows of items i that ScanGiven scans.
const GivenQuery = `SELECT i.id, i.original, i.original_key, coalesce(fi.name, ''), coalesce(fe.name, ''), i.position,
	i.title, i.seal, i.title_seal, coalesce(e.body, ''), coalesce(e.seal, -1) FROM item i
	LEFT JOIN file fi ON fi.id = i.file_id LEFT JOIN field fe ON fe.id = i.field_id
	LEFT JOIN evidence e ON e.item_id = i.id`

// Given are the columns of an item that no rule and no log can restore, with their seals.
type Given struct {
	ID                    int64
	Key                   []byte
	Original, File, Field string
	Position, Title       string
	Seal, TitleSeal       int64
	Evidence              string // empty: there is none
	EvidenceSeal          int64  // -1: there is none
}

// ScanGiven scans a row of GivenQuery.
func ScanGiven(scan Scan) (g Given, err error) {
	err = scan(&g.ID, &g.Original, &g.Key, &g.File, &g.Field, &g.Position, &g.Title, &g.Seal, &g.TitleSeal, &g.Evidence,
		&g.EvidenceSeal)
	return g, err
}

// Given checks the seals of the columns that no rule and no log can restore.
func (c *Check) Given() error {
	damaged := map[string][]int64{}
	err := c.Each(GivenQuery+" ORDER BY i.id", nil, func(scan Scan) error {
		g, err := ScanGiven(scan)
		if err == nil {
			for _, part := range g.broken() {
				damaged[part] = append(damaged[part], g.ID)
			}
		}
		return err
	})
	for _, part := range []string{"original", "source", "title", "evidence"} {
		if ids := damaged[part]; len(ids) > 0 {
			c.Report("given", "the %s of %s changed since it was added", part, urls(ids))
		}
	}
	return err
}

// broken names the parts that do not match their seal. The seal of the source covers the original, which has a key.
func (g *Given) broken() (parts []string) {
	if key := Key(g.Original); string(g.Key) != string(key[:]) {
		parts = append(parts, "original")
	} else if g.Seal != Seal(g.Original, g.File, g.Field, g.Position) {
		parts = append(parts, "source")
	}
	if g.TitleSeal != TitleSeal(g.Title) {
		parts = append(parts, "title")
	}
	if g.EvidenceSeal >= 0 && g.EvidenceSeal != Seal(g.Evidence) {
		parts = append(parts, "evidence")
	}
	return parts
}

// urls names URLs by their IDs, the first few of many.
func urls(ids []int64) string {
	const few = 10
	text := fmt.Sprintf("URL %d", ids[0])
	for _, id := range ids[1:min(len(ids), few)] {
		text += fmt.Sprintf(", %d", id)
	}
	if len(ids) > few {
		text += fmt.Sprintf(" and %d more", len(ids)-few)
	}
	return text
}

// maxDamaged is the largest number of records that are named one by one.
const maxDamaged = 100

// Records checks the seals of the texts of records.
func (c *Check) Records() error {
	var damaged []int64
	err := c.Each("SELECT id, is_record, path, key, name, attributes, seal FROM record ORDER BY id", nil,
		func(scan Scan) error {
			var id, seal int64
			var isRecord bool
			var r read.Record
			var attributes string
			if err := scan(&id, &isRecord, &r.Path, &r.ID, &r.Name, &attributes, &seal); err != nil {
				return err
			}
			sound := seal == recordSeal(&r, attributes)
			if !isRecord { // a file as a whole has no texts
				sound = seal == 0 && r.Path+r.ID+r.Name+attributes == ""
			}
			if !sound {
				damaged = append(damaged, id)
			}
			return nil
		})
	for _, id := range damaged[:min(len(damaged), maxDamaged)] {
		c.Report("given", "a text of record %d changed since it was read", id)
	}
	return err
}

// Links checks that the state of each item's link is the one that follows from its checks.
func (c *Check) Links() error {
	const query = `SELECT i.id, i.link, coalesce(l.body, '') FROM item i LEFT JOIN link_history l ON l.item_id = i.id
		WHERE i.link <> 0 OR l.item_id IS NOT NULL ORDER BY i.id`
	return c.Each(query, nil, func(scan Scan) error {
		var id, link int64
		var body []byte
		if err := scan(&id, &link, &body); err != nil {
			return err
		}
		record, err := health.Unpack(body)
		switch {
		case len(body) == 0:
			c.Report("state", "the checks of the link of URL %d are missing", id)
		case err != nil:
			c.Report("state", "URL %d: %v", id, err)
		case len(record.Checks) == 0 || packLink(review.LinkOf(&record)) != link:
			c.Report("state", "the link of URL %d is not as its checks found it", id)
		}
		return nil
	})
}
