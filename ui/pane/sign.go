package pane

import (
	"visto/canon"
	"visto/review"
	"visto/ui/diff"
	"visto/ui/theme"
)

// Sign is a character that stands for a state, with its meaning.
type Sign struct{ Sign, Name, Text string }

// The signs of a row beside those of its status and its change.
const (
	signCursor = "▌"
	signMarked = "*"
	signOthers = "●"
	signGone   = "-"
	signAgain  = "!"
	signHalf   = "½"
	signPages  = "→"

	signUnfinished = "…"
)

// Signs are all signs of a row, for the help.
var Signs = []Sign{
	{signCursor, "cursor", "the keys act on this row"},
	{signMarked, "marked", "one key decides all that is marked"},
	{signOthers, "others", "somebody else is on this URL"},
	{statusSigns[review.Pending], "pending", "waits for a decision"},
	{signAgain, "again", "was decided, and waits again; or a reason"},
	{signHalf, "1 of 2", "one person approved it, another one has to"},
	{statusSigns[review.Accepted], "accepted", "by the program, without a person"},
	{statusSigns[review.Approved], "approved", "by a person"},
	{statusSigns[review.Rejected], "rejected", "by a person, or by the program with a reason"},
	{statusSigns[review.Deferred], "deferred", "put off"},
	{signGone, "gone", "no file cites it any more"},
	{signUnfinished, "unfinished", "a change of many URLs is on its way to it"},
	{changeSigns[diff.Slash], "slash", "changes by a slash, scheme or upper case alone"},
	{changeSigns[diff.Query], "query", "changes behind ? or # alone"},
	{changeSigns[diff.Path], "path", "its path changes, and not its host"},
	{changeSigns[diff.Host], "host", "its host changes, or its user or port"},
	{"[-/-]", "change", "in a line of Causes: [-this-] goes, {+this+} comes"},
	{signPages + "2", "pages", "two pages to cite in its place were found"},
	{"+2", "more", "two more flags; behind a name: two more records"},
}

var changeSigns = [...]string{diff.Nothing: " ", diff.Slash: "/", diff.Query: "&", diff.Path: "~", diff.Host: "≠"}

// changeOf returns how an item's URL changes. Without a canonical URL nothing does.
func changeOf(it *review.Item) diff.Change {
	after := it.Canonical()
	if after == "" {
		return diff.Nothing
	}
	return diff.ChangeOf(it.Original, after)
}

func changeStyle(th *theme.Theme, c diff.Change) theme.Style {
	switch c {
	case diff.Host:
		return th.Error
	case diff.Path:
		return th.Warn
	}
	return th.Dim
}

// ofHost are the flags that doubt whose page it is. All others doubt its form or what is on it.
var ofHost = canon.SetOf(canon.OffAllowlist, canon.SuspiciousHost, canon.UnresolvedShortener)

// flagStyle returns the style of flags by what they risk.
func flagStyle(th *theme.Theme, flags canon.CodeSet) theme.Style {
	if flags&ofHost != 0 {
		return th.Error
	}
	return th.Warn
}
