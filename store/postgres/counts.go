package postgres

import (
	"cmp"
	"maps"
	"slices"

	"visto/review"
	"visto/store/rows"
)

// countKey holds the columns by which items are counted. Host 0 stands for all hosts together.
type countKey struct {
	host, inHost, set int64 // set is the place set
	verdict, status   int64
	open, wasOpen     bool
	flags             int64
}

// countColumns are the columns of a countKey in item.
const countColumns = "i.host_id, i.in_host_id, i.place_set_id, i.verdict, i.status, i.open, i.was_open, i.flags"

func (k *countKey) into() []any {
	return []any{&k.host, &k.inHost, &k.set, &k.verdict, &k.status, &k.open, &k.wasOpen, &k.flags}
}

// resolve returns the key of the item with that result and those decisions.
func (k countKey) resolve(
	c review.Computed, link review.Link, d *review.Decision, by []review.RecordDecision,
) countKey {
	status, flags := review.ResolveStatus(c, link, d, by...)
	it := review.Item{Status: status, Computed: review.Computed{Flags: flags}, Presence: rows.Presence(k.set)}
	k.verdict, k.status, k.flags, k.open = int64(c.Verdict), int64(status), int64(flags), it.Open()
	k.wasOpen = k.wasOpen || k.open && !rows.OpenByLink(status, flags)
	return k
}

// countDeltas are the changes of a transaction to the counts.
type countDeltas map[countKey]int

// move notes that an item changed its key.
func (m countDeltas) move(from, to countKey) {
	m[from]--
	m[to]++
}

// compare puts keys in the order in which every transaction writes them: none waits for one that waits for it.
func (k countKey) compare(o countKey) int {
	return cmp.Or(cmp.Compare(k.host, o.host), cmp.Compare(k.inHost, o.inHost), cmp.Compare(k.set, o.set),
		cmp.Compare(k.verdict, o.verdict), cmp.Compare(k.status, o.status), compareBool(k.open, o.open),
		compareBool(k.wasOpen, o.wasOpen), cmp.Compare(k.flags, o.flags))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

const (
	addCount = `INSERT INTO item_count (host_id, in_host_id, place_set_id, verdict, status, open, was_open, flags, n)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (host_id, in_host_id, place_set_id, verdict, status, open,
		was_open, flags) DO UPDATE SET n = item_count.n + excluded.n`
	dropCount = `DELETE FROM item_count WHERE (host_id, in_host_id, place_set_id, verdict, status, open, was_open,
		flags) = (?, ?, ?, ?, ?, ?, ?, ?) AND n = 0`
)

// writeCounts adds the deltas of the transaction to the counts, by host and for all hosts together.
func (t *tx) writeCounts() error {
	t.noteStaleHosts()
	all := maps.Clone(t.deltas)
	for k, n := range t.deltas {
		k.host, k.inHost = 0, 0
		all[k] += n
	}
	for _, k := range slices.SortedFunc(maps.Keys(all), countKey.compare) {
		n := all[k]
		if n == 0 {
			continue
		}
		args := []any{k.host, k.inHost, k.set, k.verdict, k.status, k.open, k.wasOpen, k.flags}
		if err := t.exec(addCount, append(args, n)...); err != nil {
			return err
		}
		if n > 0 {
			continue
		}
		if err := t.exec(dropCount, args...); err != nil {
			return err
		}
	}
	return nil
}

// noteStaleHosts notes the hosts whose counts the transaction changed.
func (t *tx) noteStaleHosts() {
	for k := range t.deltas {
		t.stale[k.host], t.stale[k.inHost] = true, true
	}
}

// writeStale marks the hosts of the items that the transaction changed.
func (t *tx) writeStale() error {
	if !t.head.mined || len(t.stale) == 0 {
		return nil
	}
	return t.exec(`INSERT INTO stale_host (host_id, marks) SELECT unnest(?::bigint[]), 1
		ON CONFLICT (host_id) DO UPDATE SET marks = stale_host.marks + 1`, slices.Sorted(maps.Keys(t.stale)))
}
