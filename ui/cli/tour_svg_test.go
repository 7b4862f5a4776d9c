package cli_test

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// shot is one screen, with its styling as a terminal gets it, and a line about it.
type shot struct{ screen, says string }

// The measures of the picture. A cell is cellWidth by cellHeight units; every piece of text is drawn to the width of
// its cells, in any font of the viewer.
const (
	cellWidth, cellHeight = 8, 16
	margin                = 12
	captionHeight         = 34
	seconds               = 4 // how long a screen stands

	ground, ink, captionInk = "#16161e", "#c8ccd8", "#7dcfff"
)

// svgFont is the font of the picture.
const svgFont = `font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13.2"`

// svg draws the shots as one picture that shows them in turn, endlessly. A viewer without animation shows the first.
// Lines that several screens have in common are drawn once.
func svg(width, height int, shots []shot) string {
	p := picture{lines: map[string]int{}, width: width, height: height}
	for i, s := range shots {
		p.shot(i, s)
	}
	w, h := width*cellWidth+2*margin, height*cellHeight+2*margin+captionHeight
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		svgFont+` fill="%s">
%s<rect width="%d" height="%d" rx="8" fill="%s"/>
<defs>
%s</defs>
%s</svg>
`, w, h, w, h, ink, animation(len(shots)), w, h, ground, p.defs.String(), p.shots.String())
}

// animation returns the style that shows so many screens in turn; one screen stands still.
func animation(screens int) string {
	if screens == 1 {
		return ""
	}
	return fmt.Sprintf(`<style>
g.s{visibility:hidden;animation:show %ds step-end infinite}
g.s:first-of-type{visibility:visible}
@keyframes show{0%%{visibility:visible}%.4f%%{visibility:hidden}100%%{visibility:hidden}}
</style>
`, seconds*screens, 100/float64(screens))
}

// picture collects the lines, and the shots made of them.
type picture struct {
	lines         map[string]int // the number of a line, by its drawing
	defs, shots   strings.Builder
	width, height int
}

func (p *picture) shot(i int, s shot) {
	cells := uv.NewScreenBuffer(p.width, p.height)
	uv.NewStyledString(s.screen).Draw(cells, cells.Bounds())
	fmt.Fprintf(&p.shots, "<g class=\"s\" style=\"animation-delay:%ds\">\n", i*seconds)
	for y := range p.height {
		if line := drawLine(cells, y); line != "" {
			fmt.Fprintf(&p.shots, "<use href=\"#l%d\" y=\"%d\"/>\n", p.line(line), margin+y*cellHeight)
		}
	}
	fmt.Fprintf(&p.shots, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n</g>\n",
		margin+cellWidth, margin+p.height*cellHeight+captionHeight*2/3, captionInk, html.EscapeString(s.says))
}

// line returns the number of a line, which is defined when it is met first.
func (p *picture) line(drawn string) int {
	n, known := p.lines[drawn]
	if !known {
		n = len(p.lines)
		p.lines[drawn] = n
		fmt.Fprintf(&p.defs, "<g id=\"l%d\">%s</g>\n", n, drawn)
	}
	return n
}

// drawLine draws one line of cells, run by run of one style.
func drawLine(cells uv.ScreenBuffer, y int) string {
	var b strings.Builder
	for x := 0; x < cells.Width(); {
		from, style, text := x, cells.CellAt(x, y).Style, strings.Builder{}
		for x < cells.Width() {
			c := cells.CellAt(x, y)
			if !c.Style.Equal(&style) {
				break
			}
			text.WriteString(c.Content)
			x += max(c.Width, 1)
		}
		drawRun(&b, from, x-from, text.String(), style)
	}
	return b.String()
}

// drawRun draws the text of one style, on its background if it has one. Viewers make one space of many, except of
// no-break spaces.
func drawRun(b *strings.Builder, x, width int, text string, style uv.Style) {
	fg, bg := hex(style.Fg, ink), hex(style.Bg, "")
	if style.Attrs&uv.AttrReverse != 0 {
		fg, bg = hex(style.Bg, ground), hex(style.Fg, ink)
	}
	left, wide := margin+x*cellWidth, width*cellWidth
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%d" width="%d" height="%d" fill="%s"/>`, left, wide, cellHeight, bg)
	}
	lead := len(text) - len(strings.TrimLeft(text, " "))
	word := strings.TrimSpace(text)
	if word == "" {
		return
	}
	tail := len(text) - lead - len(word)
	fmt.Fprintf(b, `<text x="%d" y="12" textLength="%d"`, left+lead*cellWidth, wide-(lead+tail)*cellWidth)
	if fg != ink {
		fmt.Fprintf(b, ` fill="%s"`, fg)
	}
	for _, a := range []struct {
		on   bool
		attr string
	}{
		{style.Attrs&uv.AttrBold != 0, ` font-weight="bold"`},
		{style.Attrs&uv.AttrFaint != 0, ` opacity="0.6"`},
		{style.Attrs&uv.AttrItalic != 0, ` font-style="italic"`},
		{style.Underline != 0, ` text-decoration="underline"`},
		{style.Attrs&uv.AttrStrikethrough != 0, ` text-decoration="line-through"`},
	} {
		if a.on {
			b.WriteString(a.attr)
		}
	}
	fmt.Fprintf(b, ">%s</text>", html.EscapeString(strings.ReplaceAll(word, " ", "\u00a0")))
}

// hex writes a colour as CSS does, and the fallback for a missing one.
func hex(c color.Color, missing string) string {
	if c == nil {
		return missing
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
