package theme

import (
	"strings"

	"charm.land/glamour/v2/ansi"
	"github.com/charmbracelet/colorprofile"

	"visto/ui/term"
)

// Markdown returns the styles of a rendered page. Signs tell its parts without colour: # of a heading, • of an item, │
// of a quotation, ` of code. Bold, italic, underlined and struck text tells words from those beside them.
func (th *Theme) Markdown() ansi.StyleConfig {
	yes := ref(true)
	level := func(n int) (b ansi.StyleBlock) {
		b.Prefix = strings.Repeat("#", n) + " "
		return b
	}
	return ansi.StyleConfig{
		Heading: ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{BlockSuffix: "\n", Color: th.accent, Bold: yes}},
		H1:      level(1), H2: level(2), H3: level(3), H4: level(4), H5: level(5), H6: level(6),
		BlockQuote:     ansi.StyleBlock{Indent: ref(uint(1)), IndentToken: ref("│ ")},
		List:           ansi.StyleList{LevelIndent: 2},
		Item:           ansi.StylePrimitive{BlockPrefix: "• "},
		Enumeration:    ansi.StylePrimitive{BlockPrefix: ". "},
		Task:           ansi.StyleTask{Ticked: "[x] ", Unticked: "[ ] "},
		Emph:           ansi.StylePrimitive{Italic: yes},
		Strong:         ansi.StylePrimitive{Bold: yes},
		Strikethrough:  ansi.StylePrimitive{CrossedOut: yes},
		LinkText:       ansi.StylePrimitive{Color: th.accent, Underline: yes},
		Code:           ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: "`", Suffix: "`"}},
		CodeBlock:      ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{Margin: ref(uint(2))}},
		HorizontalRule: ansi.StylePrimitive{Format: "\n────────\n"},
		Table: ansi.StyleTable{
			CenterSeparator: ref("┼"), ColumnSeparator: ref("│"), RowSeparator: ref("─"),
		},
		DefinitionDescription: ansi.StylePrimitive{BlockPrefix: "\n  "},
	}
}

func ref[T any](v T) *T { return &v }

// name returns the colour as a text; nil: the terminal has none.
func (t Terminal) name(c tone) *string {
	hues := c.dark
	if t.Light {
		hues = c.light
	}
	switch t.Profile {
	case colorprofile.ANSI:
		return &hues[0]
	case colorprofile.ANSI256:
		return &hues[1]
	case colorprofile.TrueColor:
		return &hues[2]
	}
	return nil
}

// FoundIn draws the matches of a search in a line of a rendered page, over its styles.
func (th *Theme) FoundIn(line string, found [][]int) string {
	return term.Highlight(line, found, th.found.String())
}
