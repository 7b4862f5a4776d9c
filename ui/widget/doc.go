// Package widget holds the parts that panes and dialogs are made of: a [List] cursor that scrolls, a text [Input] and an [Area] of lines
// that show only what is safe to show, a [Box] around a dialog. They know nothing of URLs or reviews.
package widget
