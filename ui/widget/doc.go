// Package widget holds the parts of panes and dialogs: a [List] with a cursor that scrolls, a text [Input] and an
// [Area] of lines that draw only safe text, a [Box] around a dialog. It knows nothing of URLs or reviews.
package widget
