// Package term is the one place that untrusted text passes through before it reaches a terminal.
//
// A URL, a page title or a note may hold anything: escape sequences, carriage returns, bidirectional overrides,
// zero-width characters, tag characters, bytes that are not UTF-8. [Safe] turns each of them into a visible
// escape and leaves the rest as it is:
//
//	NUL, ESC and the other ASCII controls   \x00 \x1b … and \t \n \r for the three that have a name
//	a byte that is not UTF-8                \x9b
//	any other rune that shows nothing       \u{202e}
//	a literal backslash                     \\
//
// So what is shown can be told from what was there, one for one, and its width in cells is the same by every way
// of counting that terminals use. [Mark] does the same and keeps where pieces of the text, such as what a search found, have
// come to stand; what it returns can be cut and wrapped, too, and drawn. [Truncate], [Middle] and [Wrap] cut such text by cells;
// Wrap breaks URLs where a person would. [Clip] cuts untrusted text that is too long to be read before it is made safe.
//
// The renderer of Bubble Tea drops some escape sequences on its own but passes 8-bit controls, bidi and zero-width
// characters; nothing here relies on it.
package term
