package candidate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	_ "modernc.org/sqlite" // its FTS5 ranks
)

// index is a full-text index of pages, by their numbers. SQLite's FTS5 in memory ranks them by BM25, with a weight for
// each column. It gets stems and never tokenizes a language itself.
//
// Titles and other short texts are in a table of their own, so that a page that was read, with its long text, and one
// of which only links are known compare by equal means.
type index struct{ db *sql.DB }

const schema = `
CREATE VIRTUAL TABLE head USING fts5(title, headings, slug, links);
CREATE VIRTUAL TABLE body USING fts5(text);`

// The weights of the columns of head, in their order, and that of body beside head.
const (
	headWeights = "4, 1.5, 3, 3"
	bodyWeight  = 0.6
)

func newIndex(ctx context.Context) (*index, error) {
	db, err := sql.Open("sqlite", "file::memory:")
	if err != nil {
		return nil, fmt.Errorf("making an index of pages: %w", err)
	}
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, errors.Join(fmt.Errorf("making an index of pages: %w", err), db.Close())
	}
	return &index{db}, nil
}

func (x *index) close() error { return x.db.Close() }

// put indexes pages. It replaces the earlier entry of each.
func (x *index) put(ctx context.Context, pages []*page) error {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("indexing pages: %w", err)
	}
	defer tx.Rollback()
	for _, p := range pages {
		if err := put(ctx, tx, p); err != nil {
			return fmt.Errorf("indexing pages: %w", err)
		}
	}
	return tx.Commit()
}

func put(ctx context.Context, tx *sql.Tx, p *page) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM head WHERE rowid = ?`, p.number); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO head (rowid, title, headings, slug, links) VALUES (?, ?, ?, ?, ?)`,
		p.number, stemText(p.title()), stemText(p.headings()), stemText(slugOf(p.url())), stemText(p.links()))
	if err != nil || p.document() == nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM body WHERE rowid = ?`, p.number); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO body (rowid, text) VALUES (?, ?)`, p.number,
		stemText(p.document().Text))
	return err
}

// scores returns how well the pages fit the query, by their numbers. A page that shares no word with it has no score.
func (x *index) scores(ctx context.Context, q *query) (map[int64]float64, error) {
	scores := map[int64]float64{}
	for _, part := range []struct {
		table, bm25 string
		weight      float64
	}{
		{"head", "bm25(head, " + headWeights + ")", 1}, {"body", "bm25(body)", bodyWeight},
	} {
		var rows int
		if err := x.db.QueryRowContext(ctx, `SELECT count(*) FROM `+part.table).Scan(&rows); err != nil {
			return nil, fmt.Errorf("ranking pages: %w", err)
		}
		query := fmt.Sprintf(`SELECT rowid, -%s FROM %s WHERE %[2]s MATCH ?`, part.bm25, part.table)
		for _, g := range q.groups {
			for _, w := range g.words {
				if err := x.addScores(ctx, query, w, rows, g.weight*part.weight, scores); err != nil {
					return nil, fmt.Errorf("ranking pages: %w", err)
				}
			}
		}
	}
	return scores, nil
}

// addScores adds the scores of the rows of a table that have a word. Stems have letters and digits alone.
func (x *index) addScores(
	ctx context.Context, query string, w word, rows int, weight float64, scores map[int64]float64,
) error {
	found, err := x.db.QueryContext(ctx, query, `"`+w.stem+`"`)
	if err != nil {
		return err
	}
	defer found.Close()
	hits := map[int64]float64{}
	for found.Next() {
		var number int64
		var score float64
		if err := found.Scan(&number, &score); err != nil {
			return err
		}
		hits[number] = score
	}
	weight *= rarity(rows, len(hits))
	for number, score := range hits {
		scores[number] += weight * score
	}
	return found.Err()
}

// rarity is the factor from FTS5's weight of a word that some rows of all have to one that stays positive: Lucene's
// ln(1 + x) for ln(x). FTS5 gives every word that half of the rows have 1e-6 (its documentation, "The bm25()
// function"), and so does any page of a small site.
func rarity(rows, having int) float64 {
	odds := (float64(rows-having) + 0.5) / (float64(having) + 0.5)
	theirs := math.Log(odds)
	if theirs <= 0 {
		theirs = 1e-6
	}
	return math.Log1p(odds) / theirs
}
