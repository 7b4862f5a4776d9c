// Package term is the one place that untrusted text passes through before it reaches a terminal.
//
// A URL, a page title or a note may hold escape sequences, carriage returns, bidirectional overrides, zero-width
// characters, tag characters and bytes that are not UTF-8. [Safe] turns each of them into a visible escape and leaves
// all other text unchanged:
//
//	NUL, ESC and the other ASCII controls   \x00 \x1b … and \t \n \r for the three that have a name
//	a byte that is not UTF-8                \x9b
//	any other rune that shows nothing       \u{202e}
//	a literal backslash                     \\
//
// The mapping is one to one. The width of safe text in cells is the same by every way in which terminals count, except
// syllables of Devanagari and scripts like it: what terminals draw of them takes as many cells as Width says, or fewer.
// [Mark] does the same and keeps the positions of pieces of the text, such as the matches of a search; its result can
// be cut, wrapped and drawn. [Truncate], [Middle] and [Wrap] cut safe text by cells; Wrap breaks URLs between their
// parts. [Clip] cuts untrusted text that is too long to read, before Safe.
//
// The text of a page goes to a renderer of Markdown, to which a backslash has a meaning: [Prose] makes it safe and
// leaves backslashes alone. [StyledLines] takes the lines that the renderer returns apart, so that nothing but its
// colours and attributes reaches the terminal, and [Highlight] marks matches in them.
//
// The renderer of Bubble Tea drops some escape sequences on its own but passes 8-bit controls, bidi and zero-width
// characters; nothing here relies on it.
package term
