package rows

import (
	"bytes"
	"time"

	"visto/review"
	"visto/review/health"
)

// PageTx is a Tx that keeps the checks of links and the contents of pages.
type PageTx interface {
	Tx
	// Now returns the time of the transaction.
	Now() time.Time
	// FollowLink brings the status of an item up to date with its link. Its result and its decisions stay.
	FollowLink(item int64) error
}

// KeepPage stores the history of an item's link and the content of its page, as far as there are any.
func KeepPage(t PageTx, e review.ItemEvidence) error {
	return InOrder(func() error { return keepLink(t, e) }, func() error { return keepContent(t, e) })
}

// keepLink stores the history of an item's link, if there is one, with the status that follows from it.
func keepLink(t PageTx, e review.ItemEvidence) error {
	if e.Link == nil {
		return nil
	}
	var packed, rev int64
	found, err := t.Find("SELECT link, rev FROM item WHERE id = ?", []any{e.ID}, &packed, &rev)
	if err == nil && !found {
		err = NoItem(e.ID)
	}
	if err != nil {
		return err
	}
	record, err := linkRecord(t, e.ID)
	if err != nil {
		return err
	}
	if e.Basis != nil && !isBasis(rev, record, e.Basis) {
		return review.ErrStale
	}
	err = t.Exec("INSERT INTO link_history (item_id, body) VALUES (?, ?) ON CONFLICT (item_id) DO UPDATE SET body = "+
		"excluded.body", e.ID, e.Link.Pack())
	if err != nil {
		return err
	}
	was, err := UnpackLink(packed)
	now := review.LinkOf(e.Link)
	if err != nil || was == now {
		return err
	}
	err = t.Exec("UPDATE item SET link = ? WHERE id = ?", packLink(now), e.ID)
	if err != nil || was.Flags|now.Flags == 0 {
		return err
	}
	return t.FollowLink(e.ID)
}

// isBasis reports whether an item of that revision and the history of its link are those that a check was based on.
func isBasis(rev int64, record *health.Record, basis *review.LinkBasis) bool {
	var last health.Check
	if record != nil {
		last = *record.Last()
	}
	return rev == basis.Rev && last == basis.Last
}

// linkQuery is the query for the body of the history of an item's link.
const linkQuery = "SELECT body FROM link_history WHERE item_id = ?"

// linkRecord returns the history of an item's link, nil if there is none.
func linkRecord(t Tx, item int64) (*health.Record, error) {
	var body []byte
	found, err := t.Find(linkQuery, []any{item}, &body)
	if !found {
		return nil, err
	}
	return LinkRecord(item, body, health.Unpack)
}

// keepContent stores the content of an item's page, if there is any, as its newest version, unless the newest version
// is the same. Of the other versions it keeps one.
func keepContent(t PageTx, e review.ItemEvidence) error {
	if e.Content == nil {
		return nil
	}
	hash, body, err := packContent(e.Content)
	if err != nil {
		return err
	}
	var last int64
	var same []byte
	_, err = t.Find("SELECT v.number, (SELECT hash FROM content WHERE id = v.content_id) FROM item_content v "+
		"WHERE v.item_id = ? ORDER BY v.number DESC LIMIT 1", []any{e.ID}, &last, &same)
	if err != nil || bytes.Equal(same, hash[:]) {
		return err
	}
	other, err := acceptedContent(t, e.ID, last)
	if err != nil {
		return err
	}
	id, err := contentID(t, hash[:], body)
	if err != nil {
		return err
	}
	err = t.Insert("INTO item_content (item_id, number, at, content_id)", e.ID, last+1, t.Now().UnixMilli(), id)
	if err != nil {
		return err
	}
	return dropContent(t, e.ID, other, last+1)
}

// acceptedContent returns the version of an item's content that its link is compared with: the newest one at the time
// of the approval that the link follows from (health.Record.Batch), or the oldest one if that is gone or nobody
// approved the page. It is the last one if the link was never checked.
func acceptedContent(t Tx, item, last int64) (version int64, err error) {
	link, err := linkRecord(t, item)
	if err != nil || link == nil {
		return last, err
	}
	err = t.Get(`SELECT coalesce(max(v.number) FILTER (WHERE v.at <= (SELECT b.at FROM batch b WHERE b.id = ?1)),
		min(v.number), 0) FROM item_content v WHERE v.item_id = ?2`, []any{link.Batch, item}, &version)
	return version, err
}

// contentID returns the number of a content, which it stores if it is new.
func contentID(t Tx, hash []byte, pack func() ([]byte, error)) (id int64, err error) {
	found, err := t.Find("SELECT id FROM content WHERE hash = ?", []any{hash}, &id)
	if err != nil || found {
		return id, err
	}
	body, err := pack()
	if err == nil {
		err = t.Get("INSERT INTO content (hash, body) VALUES (?, ?) RETURNING id", []any{hash, body}, &id)
	}
	return id, err
}

// dropContent deletes the version of an item that is none of the two, and its content if no item has it any more.
func dropContent(t Tx, item, accepted, newest int64) error {
	var content int64
	found, err := t.Find("DELETE FROM item_content WHERE item_id = ? AND number NOT IN (?, ?) RETURNING content_id",
		[]any{item, accepted, newest}, &content)
	if err != nil || !found {
		return err
	}
	return t.Exec("DELETE FROM content WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM item_content WHERE content_id = ?1)",
		content)
}
