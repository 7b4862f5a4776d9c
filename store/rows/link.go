package rows

import (
	"fmt"

	"visto/canon"
	"visto/review"
	"visto/review/health"
)

// The column link of an item holds the review.Link in one number, from the lowest bit on: whether there was a check,
// the flags of health.Flags (5 bits), the state (2), whether an inactive link answers (1), and the batch.
const (
	linkFlags   = 1
	linkState   = linkFlags + 5
	linkAnswers = linkState + 2
	linkBatch   = linkAnswers + 1

	firstFlag = canon.LinkBroken // the others of health.Flags follow it
)

// packLink returns the column of a link.
func packLink(l review.Link) int64 {
	n := int64(l.Flags>>firstFlag)<<linkFlags | int64(l.State)<<linkState | l.Batch<<linkBatch
	if l.Checked {
		n |= 1
	}
	if l.Answers {
		n |= 1 << linkAnswers
	}
	return n
}

// UnpackLink is the inverse of packLink. Its error is damage.
func UnpackLink(n int64) (review.Link, error) {
	if state := n >> linkState & 3; n < 0 || state > int64(health.Inactive) {
		return review.Link{}, fmt.Errorf("%d is no state of a link: %w", n, review.ErrDamaged)
	}
	return review.Link{Checked: n&1 > 0, Flags: canon.CodeSet(n>>linkFlags&31) << firstFlag,
		State: health.State(n >> linkState & 3), Answers: n>>linkAnswers&1 > 0, Batch: n >> linkBatch}, nil
}

// openByLink reports whether an open item with that status waits for a person only because of its link.
func openByLink(s review.Status, flags canon.CodeSet) bool {
	return s != review.Pending && !flags.Has(canon.ChangedSinceApproval)
}

// LinkRecord unpacks the history of an item's link with health.Unpack or health.UnpackLast. Its error is damage.
func LinkRecord(item int64, body []byte, unpack func([]byte) (health.Record, error)) (*health.Record, error) {
	r, err := unpack(body)
	if err != nil {
		return nil, fmt.Errorf("URL %d: %w: %w", item, err, review.ErrDamaged)
	}
	return &r, nil
}
