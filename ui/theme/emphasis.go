package theme

import (
	"github.com/charmbracelet/x/ansi"

	"visto/ui/term"
)

// Emphasis is how words of a page stand out. Each does so without colour too.
type Emphasis uint8

// The kinds of emphasis, which add up.
const (
	Strong Emphasis = 1 << iota
	Italic
	Struck
	Linked // in a link
	Headed // in a heading
)

// Emphasise renders safe text of a page.
func (th *Theme) Emphasise(e Emphasis, text string) string {
	if e == 0 {
		return text
	}
	style := ansi.NewStyle()
	for _, attr := range []struct {
		of Emphasis
		is ansi.Attr
	}{
		{Strong | Headed, ansi.AttrBold}, {Italic, ansi.AttrItalic}, {Linked, ansi.AttrUnderline},
		{Struck, ansi.AttrStrikethrough},
	} {
		if e&attr.of != 0 {
			style = append(style, ansi.NewStyle(attr.is)...)
		}
	}
	if e&(Linked|Headed) != 0 {
		style = ink(style, th.accent)
	}
	return style.Styled(text)
}

// FoundIn draws the matches of a search in a line of a rendered page, over its styles.
func (th *Theme) FoundIn(line string, found [][]int) string {
	return term.Highlight(line, found, th.found.String())
}
