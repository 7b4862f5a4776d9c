package read

import (
	"errors"
	"fmt"
	"iter"
	"slices"
)

// differsError says that a result is another document than it should be, from a part of the file on.
type differsError struct {
	begin int64 // of the part; 0: not known
	why   string
}

func (e *differsError) Error() string { return e.why }

// culprit returns the change because of which the result differs: of those up to there the last one that alone is
// enough, or else the last one. nil: there is none, or the file cannot be read.
func (w *rewriter) culprit(err error) *change {
	differs, ok := errors.AsType[*differsError](err)
	if !ok || len(w.changes) == 0 {
		return nil
	}
	n := slices.IndexFunc(w.changes, func(c *change) bool { return differs.begin > 0 && c.begin > differs.begin })
	if n <= 0 {
		n = len(w.changes)
	}
	for _, c := range slices.Backward(w.changes[:n]) {
		alone := *w
		alone.changes = []*change{c}
		if alone.compare(alone.splice()) != nil {
			return c
		}
	}
	return w.changes[n-1]
}

// compare returns a differsError unless the result has the parts of the file with the changes, and no others.
func (w *rewriter) compare(out []byte) error {
	values := map[int]string{}
	for _, c := range w.changes {
		for _, n := range c.at {
			values[n] = c.value
		}
	}
	next, stop := iter.Pull2(w.parts(out))
	defer stop()
	n, begin := -1, int64(0)
	for old, err := range w.parts(w.data) {
		if err != nil {
			return err
		}
		n++
		begin = max(begin, old.begin)
		now, err, ok := next()
		if err != nil {
			return w.unreadable(begin, err)
		}
		if value, changed := values[n]; changed {
			old.text = value
			if old.kind == kindNull {
				old.kind = now.kind
			}
		}
		if !ok || !old.same(now) {
			return &differsError{begin, "the file would not be the same" + atKey(old.key)}
		}
	}
	now, err, more := next()
	switch {
	case err != nil:
		return w.unreadable(0, err)
	case more:
		return &differsError{0, "the file would have more" + atKey(now.key)}
	}
	return nil
}

// unreadable returns the error for a result that cannot be read from a part on.
func (w *rewriter) unreadable(begin int64, err error) error {
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	return &differsError{begin, fmt.Sprintf("the file could not be read any more: %v", err)}
}

// atKey names the place of a part, if it has a name.
func atKey(key string) string {
	if key == "" {
		return ""
	}
	return fmt.Sprintf(" at %q", key)
}

func (p part) same(q part) bool {
	return p.key == q.key && p.kind == q.kind && p.text == q.text && p.alias == q.alias
}
