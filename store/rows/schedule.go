package rows

import (
	"fmt"

	"visto/review"
	"visto/review/health"
)

// ScheduleColumns are the columns of a review.Scheduled that Schedule reads, in a row for each of its occurrences that
// are there. ScheduleJoins adds their tables to item i with the decision d in force.
const (
	ScheduleColumns = `i.id, i.original, i.page_key, i.in_host_id, d.kind, i.settled_by, p.until, l.body, r.attributes,
		d.canonical, d.seen, d.batch_id`
	ScheduleJoins = ` LEFT JOIN postponed p ON p.item_id = i.id LEFT JOIN link_history l ON l.item_id = i.id
		LEFT JOIN occurrence o ON o.item_id = i.id AND o.gone = 0 LEFT JOIN record r ON r.id = o.record_id`
)

// Schedule reads rows of ScheduleColumns, in the order of the items, into one item after another.
type Schedule struct {
	row   Row
	hosts *HostNames
	each  func(review.Scheduled) error
	it    review.Scheduled
}

// NewSchedule returns a Schedule that calls each for every item.
func NewSchedule(hosts *HostNames, each func(review.Scheduled) error) *Schedule {
	return &Schedule{row: NewRow("URL", 12, ScheduleColumns), hosts: hosts, each: each}
}

// Read reads a row.
func (s *Schedule) Read(scan Scan) error {
	r := &s.row
	if err := r.Scan(scan); err != nil {
		return err
	}
	if s.it.ID != r.Number(0) {
		if err := s.Flush(); err != nil {
			return err
		}
		if err := s.begin(); err != nil {
			return err
		}
	}
	s.it.Citing = append(s.it.Citing, r.Text(8))
	return r.Err
}

// begin reads the first row of an item.
func (s *Schedule) begin() (err error) {
	r := &s.row
	s.it = review.Scheduled{ID: r.Number(0), Original: r.Text(1)}
	if r.Number(5) == 0 && review.Kind(r.upTo(4, maxKind)).Corrects() {
		s.it.Cited = r.Text(9)
	}
	moved := s.it.Cited != "" && s.it.Cited != r.Text(10)
	r.fill(s.it.Key[:], 2)
	if until := r.Number(6); until > 0 {
		s.it.Until = r.time(6)
	}
	if !r.IsNull(7) {
		if s.it.History, err = LinkRecord(s.it.ID, r.Bytes(7), health.UnpackLast); err != nil {
			return err
		}
		if moved && r.Number(11) > s.it.History.Known() {
			s.it.History = nil
		}
	}
	s.it.InHost, err = s.hosts.Name(r.Number(3))
	return err
}

// Flush passes on the last item, if there is one.
func (s *Schedule) Flush() error {
	if s.it.ID == 0 {
		return nil
	}
	return s.each(s.it)
}

// HostNames finds the names of hosts, and keeps them.
type HostNames struct {
	each  Each
	names map[int64]string
}

// NewHostNames returns HostNames that ask with each.
func NewHostNames(each Each) *HostNames { return &HostNames{each, map[int64]string{}} }

// hostsAtOnce is the number of hosts with neighbouring IDs that are read at once.
const hostsAtOnce = 128

// Name returns the name of a host.
func (n *HostNames) Name(id int64) (string, error) {
	if name, ok := n.names[id]; ok {
		return name, nil
	}
	first := id / hostsAtOnce * hostsAtOnce
	err := n.each("SELECT id, name FROM host WHERE id >= ? AND id < ?", []any{first, first + hostsAtOnce},
		func(scan Scan) error {
			var id int64
			var name string
			if err := scan(&id, &name); err != nil {
				return err
			}
			n.names[id] = name
			return nil
		})
	name, ok := n.names[id]
	if !ok && err == nil {
		err = fmt.Errorf("there is no host %d: %w", id, review.ErrDamaged)
	}
	return name, err
}
