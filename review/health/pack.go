package health

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"visto/canon"
)

// packVersion is the first byte of a packed record.
const packVersion = 1

// errPacked is the error for bytes that Pack did not write.
var errPacked = errors.New("the history of a link is damaged")

// maxTime is the end of the year 9999 in seconds since 1970: RFC 3339 has no later time.
const maxTime = 253402300799

// Pack returns the record as bytes: numbers as varints (encoding/binary), texts with their length, times in seconds
// since 1970, and of a check only the fields that differ from those of the check before.
func (r *Record) Pack() []byte {
	p := packer{packVersion}
	p.number(uint64(r.State), uint64(r.Failures), uint64(r.Flags), uint64(r.Batch))
	p.flag(r.Answers)
	p.time(r.Since, r.FailedAt, r.Certificate, r.NotBefore)
	p.spans(&r.Spans)
	p.accepted(&r.Accepted)
	same := r.Accepted.Page.same(&r.Page)
	if p.flag(same); !same {
		p.page(&r.Page)
	}
	p.number(uint64(len(r.Others)))
	for i := range r.Others {
		p.accepted(&r.Others[i])
	}
	p.number(uint64(len(r.Checks)))
	var before Check
	for _, c := range r.Checks {
		p.check(before, c)
		before = c
	}
	return p
}

// Unpack reads a record that Pack wrote.
func Unpack(body []byte) (Record, error) {
	u := unpacker{rest: body}
	return u.record()
}

// UnpackLast reads the part of a packed record that Due and Known need: the last check alone, and no texts. It takes a
// fraction of the time of Unpack.
func UnpackLast(body []byte) (Record, error) {
	u := unpacker{rest: body, brief: true}
	return u.record()
}

func (u *unpacker) record() (r Record, err error) {
	if v := u.byte(); v > packVersion {
		return r, fmt.Errorf("the history of a link has version %d, and this program reads version %d", v, packVersion)
	} else if v != packVersion {
		return r, errPacked
	}
	r.State, r.Failures = State(u.number()), int(u.number())
	r.Flags, r.Batch = canon.CodeSet(u.number()), int64(u.number())
	r.Answers = u.flag()
	r.Since, r.FailedAt, r.Certificate, r.NotBefore = u.time(), u.time(), u.time(), u.time()
	r.Spans = u.spans()
	r.Accepted = u.accepted()
	if r.Page = r.Accepted.Page; !u.flag() {
		r.Page = u.page()
	}
	for range u.count() {
		r.Others = append(r.Others, u.accepted())
	}
	var before Check
	n := u.count()
	if !u.brief {
		r.Checks = slices.Grow(r.Checks, min(n, len(u.rest)/minCheck))
	}
	for range n {
		before = u.check(before)
		if u.brief {
			r.Checks = r.Checks[:0]
		}
		r.Checks = append(r.Checks, before)
	}
	if u.failed || len(u.rest) > 0 || r.State >= stateCount || r.Flags&^Flags != 0 || len(r.Checks) == 0 {
		return Record{}, errPacked
	}
	return r, nil
}

// same reports whether two pages are equal.
func (p *Page) same(o *Page) bool {
	var a, b packer
	a.page(p)
	b.page(o)
	return string(a) == string(b)
}

type packer []byte

func (p *packer) number(list ...uint64) {
	for _, n := range list {
		*p = binary.AppendUvarint(*p, n)
	}
}

func (p *packer) flag(b bool) {
	if b {
		*p = append(*p, 1)
	} else {
		*p = append(*p, 0)
	}
}

// time writes seconds, 0 for the zero time.
func (p *packer) time(list ...time.Time) {
	for _, t := range list {
		if t.IsZero() {
			p.number(0)
		} else {
			p.number(uint64(max(1, t.Unix())))
		}
	}
}

// spans writes the set of the flags that have a span, and their spans.
func (p *packer) spans(list *Spans) {
	var set uint64
	for i, span := range list {
		if !span.From.IsZero() {
			set |= 1 << i
		}
	}
	p.number(set)
	for i, span := range list {
		if set&(1<<i) != 0 {
			p.time(span.From, span.To)
		}
	}
}

func (p *packer) text(s string) {
	p.number(uint64(len(s)))
	*p = append(*p, s...)
}

func (p *packer) page(g *Page) {
	p.text(g.Title)
	p.number(uint64(len(g.Hops)))
	for _, hop := range g.Hops {
		p.text(hop)
	}
	p.text(g.Canonical)
	p.text(string(g.Sketch))
}

func (p *packer) accepted(a *Accepted) {
	p.number(uint64(a.Batch), uint64(a.State))
	p.flag(a.Answers)
	p.flag(a.Seen)
	p.flag(a.Ended)
	p.time(a.Certificate)
	p.page(&a.Page)
}

// The bits of the first byte of a check: the outcome, and which fields differ from those of the check before.
const (
	newStatus = 1 << (iota + 2)
	newError
	newHops
	newText
	newCertificate
)

// minCheck is the least number of bytes of a check.
const minCheck = 3

func (p *packer) check(before, c Check) {
	head := byte(c.Outcome)
	differs := func(yes bool, bit byte) {
		if yes {
			head |= bit
		}
	}
	differs(c.Status != before.Status, newStatus)
	differs(c.Error != before.Error, newError)
	differs(c.Hops != before.Hops, newHops)
	differs(c.Text != before.Text, newText)
	differs(!c.Certificate.Equal(before.Certificate), newCertificate)
	*p = append(*p, head)
	p.number(uint64(c.At.Unix()-unixOf(before.At)), uint64(c.Took/time.Millisecond))
	if head&newStatus != 0 {
		p.number(uint64(c.Status))
	}
	if head&newError != 0 {
		p.text(c.Error)
	}
	if head&newHops != 0 {
		p.number(uint64(c.Hops))
	}
	if head&newText != 0 {
		*p = binary.BigEndian.AppendUint64(*p, c.Text)
	}
	if head&newCertificate != 0 {
		p.time(c.Certificate)
	}
}

// unixOf returns the seconds since 1970, 0 for the zero time.
func unixOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// unpacker reads the bytes of a packer. After the first fault every value is zero.
type unpacker struct {
	rest   []byte
	failed bool
	brief  bool // for UnpackLast
}

func (u *unpacker) take(n uint64) []byte {
	if u.failed || n > uint64(len(u.rest)) {
		u.failed = true
		return nil
	}
	taken := u.rest[:n]
	u.rest = u.rest[n:]
	return taken
}

func (u *unpacker) byte() byte {
	if b := u.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (u *unpacker) flag() bool { return u.byte() != 0 }

func (u *unpacker) number() uint64 {
	n, size := binary.Uvarint(u.rest)
	if size <= 0 {
		u.failed = true
		return 0
	}
	u.take(uint64(size))
	return n
}

// count returns the length of a list, each element of which takes a byte at least.
func (u *unpacker) count() int {
	n := u.number()
	if u.failed || n > uint64(len(u.rest)) {
		u.failed = true
		return 0
	}
	return int(n)
}

func (u *unpacker) time() time.Time {
	n := u.number()
	if u.failed = u.failed || n > maxTime; u.failed || n == 0 {
		return time.Time{}
	}
	return time.Unix(int64(n), 0).UTC()
}

func (u *unpacker) spans() (list Spans) {
	set := u.number()
	for i := range list {
		if set&(1<<i) == 0 {
			continue
		}
		if span := (Span{From: u.time(), To: u.time()}); !span.From.IsZero() {
			list[i] = span
		}
	}
	return list
}

// text returns "" for UnpackLast.
func (u *unpacker) text() string {
	taken := u.take(u.number())
	if u.brief {
		return ""
	}
	return string(taken)
}

func (u *unpacker) page() (g Page) {
	g.Title = u.text()
	for range u.count() {
		if hop := u.text(); !u.brief {
			g.Hops = append(g.Hops, hop)
		}
	}
	g.Canonical = u.text()
	if sketch := u.text(); sketch != "" {
		g.Sketch = Sketch(sketch)
	}
	return g
}

func (u *unpacker) accepted() (a Accepted) {
	a.Batch, a.State = int64(u.number()), State(u.number())
	a.Answers, a.Seen, a.Ended = u.flag(), u.flag(), u.flag()
	a.Certificate = u.time()
	a.Page = u.page()
	u.failed = u.failed || a.State >= stateCount
	return a
}

func (u *unpacker) check(before Check) Check {
	c, head := before, u.byte()
	c.Outcome = Outcome(head & 3)
	c.At = time.Unix(unixOf(before.At)+int64(u.number()), 0).UTC()
	took := u.number()
	c.Took = time.Duration(took) * time.Millisecond
	if head&newStatus != 0 {
		c.Status = int(u.number())
	}
	if head&newError != 0 {
		c.Error = u.text()
	}
	if head&newHops != 0 {
		c.Hops = int(u.number())
	}
	if head&newText != 0 {
		if b := u.take(8); b != nil {
			c.Text = binary.BigEndian.Uint64(b)
		}
	}
	if head&newCertificate != 0 {
		c.Certificate = u.time()
	}
	u.failed = u.failed || c.Outcome >= outcomeCount || !c.At.After(before.At) || c.At.Unix() > maxTime ||
		took > uint64(math.MaxInt64/time.Millisecond)
	return c
}
