package term

import "strings"

// run is a piece of a line in one style: the SGR sequences since the last reset.
type run struct{ style, text string }

const reset = "\x1b[m"

func (r run) String() string {
	if r.style == "" || r.text == "" {
		return r.text
	}
	return r.style + r.text + reset
}

// StyledLines returns the lines of a text that a renderer has styled. All but colours and attributes (SGR) is escaped
// as [Prose] does it. A line is at most width cells wide, ends with no blanks, and styles itself whole.
func StyledLines(rendered string, width int) []string {
	var list []string
	style := ""
	for line := range strings.SplitSeq(rendered, "\n") {
		var runs []run
		runs, style = runsOf(line, style)
		for n := len(runs) - 1; n >= 0; n-- {
			if runs[n].text = strings.TrimRight(runs[n].text, " "); runs[n].text != "" {
				break
			}
		}
		list = append(list, Truncate(joinRuns(runs), width))
	}
	return list
}

// runsOf splits a line that begins in a style. It returns the style at its end.
func runsOf(line, style string) (list []run, end string) {
	for line != "" {
		if n := sgr(line); n > 0 {
			if style += line[:n]; line[:n] == reset || line[:n] == "\x1b[0m" {
				style = ""
			}
			line = line[n:]
			continue
		}
		n := len(line)
		if at := strings.IndexByte(line[1:], '\x1b'); at >= 0 {
			n = at + 1
		}
		list = append(list, run{style, proseEscape(line[:n])})
		line = line[n:]
	}
	return list, style
}

// sgr returns the length of the SGR sequence at the start of the text; 0: there is none.
func sgr(s string) int {
	rest, ok := strings.CutPrefix(s, "\x1b[")
	if !ok {
		return 0
	}
	rest = strings.TrimLeft(rest, "0123456789;:")
	if !strings.HasPrefix(rest, "m") {
		return 0
	}
	return len(s) - len(rest) + 1
}

func joinRuns(runs []run) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.String())
	}
	return b.String()
}

// Highlight draws byte ranges of the text of a line of [StyledLines] with another SGR sequence on top of its styles.
// The ranges are in order and disjoint.
func Highlight(line string, found [][]int, sequence string) string {
	runs, _ := runsOf(line, "")
	var list []run
	at := 0
	for _, r := range runs {
		from, end := at, at+len(r.text)
		for _, m := range found {
			if m[1] <= from || m[0] >= end {
				continue
			}
			start, stop := max(m[0], from), min(m[1], end)
			list = append(list, run{r.style, r.text[from-at : start-at]},
				run{r.style + sequence, r.text[start-at : stop-at]})
			from = stop
		}
		list = append(list, run{r.style, r.text[from-at:]})
		at = end
	}
	return joinRuns(list)
}
