package console

import (
	"strings"
	"testing"
)

// pen is how a character is drawn: attributes, and colours as SGR names them.
type pen struct {
	bold, italic, underline, reverse, struck bool
	fg, bg                                   string
}

// String names the attributes and colours, for people.
func (p pen) String() string {
	var list []string
	for _, attr := range []struct {
		on   bool
		name string
	}{{p.bold, "bold"}, {p.italic, "italic"}, {p.underline, "underline"}, {p.reverse, "reverse"},
		{p.struck, "struck"}, {p.fg != "", "text " + p.fg},
		{p.bg != "", "ground " + p.bg}} {
		if attr.on {
			list = append(list, attr.name)
		}
	}
	if list == nil {
		return "plain"
	}
	return strings.Join(list, ", ")
}

// cell is a character of a screen.
type cell struct {
	char rune
	pen
}

// cells takes a screen apart line by line, without the blank cells at the ends of lines.
func cells(t *testing.T, content string) (lines [][]cell) {
	t.Helper()
	var p pen
	for line := range strings.SplitSeq(content, "\n") {
		row := []cell{}
		for i, part := range strings.Split(line, "\x1b[") {
			if i > 0 {
				var sgr string
				sgr, part, _ = strings.Cut(part, "m")
				p.take(t, strings.Split(sgr, ";"))
			}
			for _, r := range part {
				c := cell{r, p}
				if r == ' ' && !p.reverse && !p.underline && p.bg == "" {
					c.pen = pen{} // nothing is seen of it
				}
				row = append(row, c)
			}
		}
		for len(row) > 0 && row[len(row)-1] == (cell{char: ' '}) {
			row = row[:len(row)-1]
		}
		lines = append(lines, row)
	}
	return lines
}

func chars(row []cell) string {
	var b strings.Builder
	for _, c := range row {
		b.WriteRune(c.char)
	}
	return b.String()
}

// take changes the pen as a terminal does.
func (p *pen) take(t *testing.T, params []string) {
	t.Helper()
	for i := 0; i < len(params); i++ {
		switch n := params[i]; {
		case n == "" || n == "0":
			*p = pen{}
		case n == "1" || n == "22":
			p.bold = n == "1"
		case n == "3" || n == "23":
			p.italic = n == "3"
		case n == "9" || n == "29":
			p.struck = n == "9"
		case n == "4" || n == "24":
			p.underline = n == "4"
		case n == "7" || n == "27":
			p.reverse = n == "7"
		case n == "38" || n == "48":
			length := map[string]int{"2": 5, "5": 3}[params[i+1]]
			p.paint(n[:1], strings.Join(params[i:i+length], ";"))
			i += length - 1
		case n == "39" || n == "49":
			p.paint(n[:1], "")
		case strings.HasPrefix(n, "3"), strings.HasPrefix(n, "9"), strings.HasPrefix(n, "4"),
			strings.HasPrefix(n, "10"):
			p.paint(n[:len(n)-1], n)
		default:
			t.Fatalf("SGR %q", n)
		}
	}
}

// paint sets a colour. The first digits of its parameter tell foreground from background.
func (p *pen) paint(kind, colour string) {
	if kind == "4" || kind == "10" {
		p.bg = colour
	} else {
		p.fg = colour
	}
}
