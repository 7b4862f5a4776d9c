package health

import (
	"strconv"
	"strings"
)

// date is a date of a line, or several days of one month: the tokens from one index to another.
type date struct {
	from, to int
	text     string // in one form for all ways to write it
	term     bool   // the beginning or the end of a range
}

// dates returns the dates of a line, in order.
func (l *line) dates() (list []date) {
	if !l.has(month|monthShort) && !l.numeric {
		return nil
	}
	for i := 0; i < len(l.tokens); i++ {
		d, ok := l.dateAt(i)
		if !ok {
			continue
		}
		if n := len(list); n > 0 && l.isRange(list[n-1].to, d.from) {
			list[n-1].term, d.term = true, true
		}
		list = append(list, d)
		i = d.to - 1
	}
	return list
}

// isRange reports whether only "al", "hasta", "-" or the like stand between two dates.
func (l *line) isRange(from, to int) bool {
	if to-from > 3 || to == from {
		return false
	}
	for _, t := range l.tokens[from:to] {
		if !t.is(connector) && !isDash(t.text) {
			return false
		}
	}
	return true
}

func isDash(text string) bool { return text == "-" || text == "–" || text == "—" }

// dateAt reads the date that begins at a token.
func (l *line) dateAt(i int) (date, bool) {
	t := l.tokens[i]
	c := dateCursor{line: l, at: i}
	switch {
	case t.kind == numberToken && isNumericDate(t.text):
		return date{from: i, to: i + 1, text: numericDate(t.text)}, true
	case t.kind == numberToken && isYear(t.text):
		c.year = t.text
		c.at++
		c.skip()
		if !c.readMonth(month) || !c.readDays() {
			return date{}, false
		}
	case t.kind == numberToken:
		if !c.readDays() || !c.readMonth(month|monthShort) {
			return date{}, false
		}
		c.readYear()
	case t.is(month):
		c.readMonth(month)
		days := c.readDays()
		c.readYear()
		if !days && c.year == "" {
			return date{}, false
		}
	default:
		return date{}, false
	}
	text := strings.Join(c.days, ",") + "." + c.month + "." + c.year
	return date{from: i, to: c.at, text: text, term: len(c.days) > 1}, true
}

// dateCursor reads the parts of a date.
type dateCursor struct {
	line        *line
	at          int // behind the last part
	days        []string
	month, year string
}

// next returns the index of the next token that does not connect the parts of a date.
func (c *dateCursor) next() int {
	i := c.at
	for i < len(c.line.tokens) && i < c.at+4 {
		t := c.line.tokens[i]
		if !t.is(connector) && (t.kind != signToken || !strings.Contains("-–/.,'’", t.text)) {
			break
		}
		i++
	}
	return i
}

func (c *dateCursor) skip() { c.at = c.next() }

// maxDays is the number of days in a month: more are a list of numbers.
const maxDays = 31

// readDays reads days of a month: "14", "1 al 31".
func (c *dateCursor) readDays() bool {
	for i := c.at; i < len(c.line.tokens) && len(c.days) <= maxDays && isDay(c.line.tokens[i].text); i = c.next() {
		c.days = append(c.days, strings.TrimLeft(c.line.tokens[i].text, "0"))
		c.at = i + 1
		if c.at < len(c.line.tokens) && c.line.tokens[c.at].glued && c.line.tokens[c.at].is(connector) {
			c.at++ // "14tik", "5th"
		}
	}
	return len(c.days) > 0
}

// readMonth reads the name of a month and what stands before it: "de marzo".
func (c *dateCursor) readMonth(kind class) bool {
	i := c.next()
	if i == len(c.line.tokens) || !c.line.tokens[i].is(kind) {
		return false
	}
	c.month, c.at = words().lookup(c.line.tokens[i].text).month, i+1
	if i := c.next(); i < len(c.line.tokens) && c.line.tokens[c.at-1].is(month) && c.days == nil {
		c.at = i
	}
	return true
}

// readYear reads the year after a month, if it is there: "de 2025".
func (c *dateCursor) readYear() {
	if i := c.next(); c.year == "" && i < len(c.line.tokens) && isYear(c.line.tokens[i].text) {
		c.year, c.at = c.line.tokens[i].text, i+1
	}
}

func isDay(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && len(text) <= 2 && 1 <= n && n <= 31
}

func isYear(text string) bool {
	return len(text) == 4 && (text[:2] == "19" || text[:2] == "20") && strings.Trim(text, "0123456789") == ""
}

// isNumericDate reports whether a number is a date of three parts: "3/3/2025", "03-03-25", "2025-03-03".
func isNumericDate(text string) bool {
	parts := dateParts(text)
	if len(parts) != 3 {
		return false
	}
	if isYear(parts[0]) {
		return isDay(parts[1]) && isDay(parts[2])
	}
	return isDay(parts[0]) && isDay(parts[1]) && (isYear(parts[2]) || len(parts[2]) == 2)
}

func dateParts(text string) []string {
	if i := strings.IndexAny(text, "/-."); i >= 0 {
		return strings.Split(text, text[i:i+1])
	}
	return nil
}

// numericDate returns a date in numbers in the form of the others.
func numericDate(text string) string {
	parts := dateParts(text)
	if isYear(parts[0]) {
		parts[0], parts[2] = parts[2], parts[0]
	}
	if len(parts[2]) == 2 {
		parts[2] = "20" + parts[2]
	}
	return strings.TrimLeft(parts[0], "0") + "." + strings.TrimLeft(parts[1], "0") + "." + parts[2]
}

// dropDates removes the dates of a line that are no terms, and makes figures of the others. A date is a term in a
// range, or where the last word before it that tells is of terms, such as "hasta", not of updates, such as "publicado".
// Without such a word the one behind it tells, then the heading. Any other date is none: news and orders have dates.
func (l *line) dropDates() {
	for _, d := range l.dates() {
		term := l.isTerm(d)
		for i := d.from; i < d.to; i++ {
			l.tokens[i].drop, l.tokens[i].done = true, true
		}
		if term {
			l.figures = append(l.figures, d.text)
			l.terms = true
		} else {
			l.dated = true
		}
	}
}

func (l *line) isTerm(d date) bool {
	told := l.tellBefore(d.from)
	switch {
	case told&update != 0:
		return false
	case told&deadline != 0 || d.term || isBefore(l.at(d.to).text):
		return true
	}
	told = l.tellAfter(d.to)
	return told&update == 0 && (told&deadline != 0 || l.section&deadline != 0)
}

// isBefore reports whether a word after a date makes it a term in Basque.
func isBefore(word string) bool { return word == "arte" || word == "aurretik" || word == "bitartean" }

// tellBefore returns the class of the last word of the sentence before a token that tells of terms or updates.
func (l *line) tellBefore(i int) class {
	for i--; i >= 0 && !l.endsSentence(i); i-- {
		if t := l.tokens[i]; t.is(update | deadline) {
			return t.class & (update | deadline)
		}
	}
	return 0
}

func (l *line) tellAfter(i int) class {
	for ; i < len(l.tokens) && !l.endsSentence(i) && l.tokens[i].text != "|"; i++ {
		if t := l.tokens[i]; t.is(update | deadline) {
			return t.class & (update | deadline)
		}
	}
	return 0
}

// endsSentence reports whether a token is a full stop with a blank or nothing behind it.
func (l *line) endsSentence(i int) bool {
	return l.tokens[i].text == "." && (i+1 == len(l.tokens) || !l.tokens[i+1].glued)
}

// dropTimes removes times of a day, weekdays, and times that are told from now.
func (l *line) dropTimes() {
	hours := l.has(weekday) || l.has(schedule) || l.section&schedule != 0
	for i := range l.tokens {
		t := &l.tokens[i]
		switch {
		case t.is(weekday):
			t.drop = true
		case t.kind == numberToken && !t.done && l.isTime(i, hours):
			t.drop, t.done = true, true
			if next := l.at(i + 1); next.is(unit) || isHour(next.text) {
				l.tokens[i+1].drop = true
			}
		case t.is(ago) && t.kind == wordToken && !t.drop:
			l.dropAgo(i)
		}
	}
}

// at returns a token, the zero one beyond the ends of the line.
func (l *line) at(i int) token {
	if i < 0 || i >= len(l.tokens) {
		return token{kind: signToken}
	}
	return l.tokens[i]
}

func isHour(text string) bool {
	switch text {
	case "h", "hs", "hrs", "am", "pm", "horas", "hores", "ordu", "etan", "hora":
		return true
	}
	return false
}

// isTime reports whether a number is a time of the day: "8:30", "14.30 h", "8am", and in hours of opening "de 9 a 14".
func (l *line) isTime(i int, hours bool) bool {
	text := l.tokens[i].text
	next := l.at(i + 1)
	if h, m, ok := strings.Cut(text, ":"); ok {
		return isHourNumber(h) && len(m) >= 2
	}
	if h, m, ok := cutAny(text, ".,"); ok && len(m) == 2 {
		return isHourNumber(h) && (isHour(next.text) || hours && l.isBetween(i)) && !next.is(money)
	}
	if a, b, ok := cutAny(text, "-/"); ok {
		return isHourNumber(a) && isHourNumber(b) && (isHour(next.text) || hours && !next.is(unit|money))
	}
	if !isHourNumber(text) || next.is(money) {
		return false
	}
	switch before := l.at(i - 1).text; {
	case next.glued && (next.text == "h" || next.text == "am" || next.text == "pm"):
		return true
	case before == "las" || before == "les" || before == "ás":
		return true
	case isHour(next.text):
		return next.text == "h" || l.isBetween(i)
	default:
		return hours && l.isBetween(i) && (!next.is(unit) || isHour(next.text))
	}
}

// isBetween reports whether a number is one of two: "de 9 a 14".
func (l *line) isBetween(i int) bool {
	isJoint := func(j int) bool {
		t := l.at(j)
		return isDash(t.text) || t.text == "a" || t.text == "to" || t.text == "y" || t.text == "e" || t.text == "i"
	}
	return isJoint(i+1) && l.at(i+2).kind == numberToken || isJoint(i-1) && l.at(i-2).kind == numberToken ||
		isHour(l.at(i+1).text) && isJoint(i+2) && l.at(i+3).kind == numberToken
}

func isHourNumber(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && len(text) <= 2 && n <= 24
}

func cutAny(text, separators string) (string, string, bool) {
	i := strings.IndexAny(text, separators)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// dropAgo removes a time that is told from now: "hace 3 días", "3 days ago". "desde hace cinco años" is none, nor are
// years: they are of requirements.
func (l *line) dropAgo(i int) {
	from, to := i, i+3
	if l.tokens[i].text == "ago" {
		from, to = i-2, i+1
	}
	number, of := l.at(from+1), l.at(from+2)
	if l.tokens[i].text == "ago" {
		number, of = l.at(from), l.at(from+1)
	}
	counts := number.kind == numberToken || number.is(numeral)
	if l.at(i-1).text == "desde" || !counts || !of.is(unit) || isYears(of.text) {
		return
	}
	for j := max(0, from); j < min(to, len(l.tokens)); j++ {
		l.tokens[j].drop, l.tokens[j].done = true, true
	}
}

func isYears(text string) bool {
	return strings.HasPrefix(text, "ano") || strings.HasPrefix(text, "any") || strings.HasPrefix(text, "urte") ||
		strings.HasPrefix(text, "year")
}
