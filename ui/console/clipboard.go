package console

import (
	tea "charm.land/bubbletea/v2"

	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

func (t *detailTab) copyCanonical() tea.Cmd {
	it := t.subject()
	if it == nil || it.Canonical() == "" {
		return t.warn("there is no canonical URL to copy")
	}
	return t.copy("canonical URL", it.Canonical())
}

func (t *detailTab) copyOriginal() tea.Cmd {
	if it := t.subject(); it != nil {
		return t.copy("original URL", it.Original)
	}
	return nil
}

// copy asks the terminal to put a text into its clipboard.
func (t *detailTab) copy(name, text string) tea.Cmd {
	t.say("copied the " + name + ": " + term.Safe(term.Clip(text, 300)))
	return tea.SetClipboard(text)
}

// browse opens the canonical URL in the browser, or the original one if there is none. Only whole http and https URLs
// are opened.
func (t *detailTab) browse() tea.Cmd {
	it := t.subject()
	if it == nil {
		return nil
	}
	url := pane.Shown(it)
	switch {
	case t.opts.overSSH():
		return t.warn(t.keyed("no browser is opened over SSH: {copy-canonical} copies the URL"))
	case t.opts.OpenBrowser == nil:
		return t.warn(t.keyed("there is no browser to open: {copy-canonical} copies the URL"))
	case !term.Openable(url):
		return t.warn("only plain http and https URLs are opened")
	}
	return ask(func() (string, error) { return url, t.opts.OpenBrowser(url) }, func(url string, err error) tea.Cmd {
		if err != nil {
			return t.warn("opening the browser: " + wording.Error(err))
		}
		return t.say("opened " + wording.Safe(url))
	})
}
