package health

import "strings"

// content is the substance of a text.
type content struct {
	words   []uint64 // their hashes, in order
	figures []string // amounts, percentages, durations, counts, and dates of terms; in no order
	names   []string // numbers of articles, forms, files and the like; in no order
}

// line is a line of a text: a paragraph, an item of a list, a row of a table.
type line struct {
	tokens  []token
	class   class // all classes of its tokens
	section class // deadline and schedule, as the heading above says
	numeric bool  // it has numbers
	figures []string
	names   []string
	terms   bool // it has a date that is a term
	dated   bool // it had one that is none
	counter bool // it had a counter
}

func (l *line) has(c class) bool { return l.class&c != 0 }

// textReader reads the lines of a text in order.
type textReader struct {
	tokens  []token // of the last line: reused
	section class
	table   bool // the last line was of a table, whose first row is a heading
	rows    class
	label   bool // the last line was the heading of a notice
}

// minWords is the number of words of a text without its notices. A text with fewer is a notice itself, such as that a
// page is out of order.
const minWords = 8

// contentOf returns the substance of a text in Markdown.
func contentOf(text string) content {
	var r textReader
	var all, kept content
	for raw := range strings.SplitSeq(plainText(text), "\n") {
		l := r.read(raw)
		if len(l.tokens) == 0 {
			continue
		}
		notice := r.isNotice(l)
		l.reduce()
		l.appendTo(&all)
		if !notice {
			l.appendTo(&kept)
		}
	}
	if len(kept.words) < minWords {
		return all
	}
	return kept
}

// titleOf returns the words and numbers of a title without dates, times, counters and codes.
func titleOf(title string) (list []string) {
	var r textReader
	l := r.read(strings.ReplaceAll(plainText(title), "\n", " "))
	l.dropDates()
	l.dropTimes()
	l.dropCounters()
	for _, t := range l.tokens {
		if t.kind != signToken && !t.drop {
			list = append(list, t.text)
		}
	}
	return append(list, l.figures...)
}

// read returns a line and sets the section that it stands in.
func (r *textReader) read(raw string) *line {
	raw = strings.TrimSpace(raw)
	body := strings.TrimLeft(raw, "#>-+ ")
	r.tokens = appendTokens(r.tokens[:0], withoutTargets(body))
	l := &line{tokens: r.tokens}
	count := 0
	for _, t := range l.tokens {
		l.class |= t.class
		l.numeric = l.numeric || t.kind == numberToken
		if t.kind == wordToken {
			count++
		}
	}
	r.enter(raw, l, count)
	l.section = r.section | r.rows
	return l
}

// maxHeading is the number of words of a line that can be a heading without being marked as one.
const maxHeading = 4

// enter sets the section that a line begins, or stands in.
func (r *textReader) enter(raw string, l *line, count int) {
	row := strings.HasPrefix(raw, "|")
	switch {
	case row && !r.table:
		r.rows = l.class & (deadline | schedule)
	case !row:
		r.rows = 0
	}
	if raw != "" {
		r.table = row
	}
	marked := strings.HasPrefix(raw, "#") || strings.HasPrefix(raw, "**") && strings.HasSuffix(raw, "**")
	short := !row && count > 0 && count <= maxHeading && !l.numeric && !strings.HasPrefix(raw, "-") &&
		!strings.HasPrefix(raw, "[")
	if marked || short {
		r.section = l.class & (deadline | schedule)
		if l.has(update) {
			r.section &^= deadline
		}
	}
}

// reduce removes from a line all that changes without substance.
func (l *line) reduce() {
	if l.numeric || l.has(month|monthShort) {
		l.dropDates()
	}
	l.dropTimes()
	if l.numeric {
		l.dropCounters()
	}
	if l.numeric || l.has(numeral) {
		l.takeFigures()
	}
	if l.isEmptied() {
		l.tokens, l.figures, l.names = nil, nil, nil
	}
}

// maxLeft is the number of words that the date of an update or a counter leaves of a line that says nothing else.
const maxLeft = 8

// isEmptied reports whether a line said no more than a date or a counter.
func (l *line) isEmptied() bool {
	if l.terms || !l.dated && !l.counter {
		return false
	}
	left := 0
	for _, t := range l.tokens {
		if t.kind != signToken && !t.drop && !t.is(connector|update|counted|watched) {
			left++
		}
	}
	plain := len(l.figures) == 0
	if left <= 2 || plain && l.dated && left <= maxLeft/2 || plain && l.dated && l.has(update) && left <= maxLeft {
		return true
	}
	return l.counter && l.has(counted|watched) && left <= maxLeft && (plain || !l.has(substance|money))
}

// appendTo adds the words and figures of a line to the substance of its text.
func (l *line) appendTo(c *content) {
	for _, t := range l.tokens {
		switch {
		case t.kind == signToken || t.drop || t.is(money): // "€" and "euros" are the same
		case t.kind == numberToken:
			c.words = append(c.words, hashWord(placeholder))
		default:
			c.words = append(c.words, hashWord(t.text))
		}
	}
	c.figures = append(c.figures, l.figures...)
	c.names = append(c.names, l.names...)
}
