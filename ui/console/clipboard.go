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
		t.warn("there is no canonical URL to copy")
		return nil
	}
	return t.copy("canonical URL", it.Canonical())
}

func (t *detailTab) copyOriginal() tea.Cmd {
	it := t.subject()
	if it == nil {
		return nil
	}
	return t.copy("original URL", it.Original)
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
		t.warn(t.keyed("no browser is opened over SSH: {copy-canonical} copies the URL"))
		return nil
	case t.opts.OpenBrowser == nil:
		t.warn(t.keyed("there is no browser to open: {copy-canonical} copies the URL"))
		return nil
	case !term.Openable(url):
		t.warn("only plain http and https URLs are opened")
		return nil
	}
	return ask(func() (string, error) { return url, t.opts.OpenBrowser(url) }, func(url string, err error) tea.Cmd {
		if err != nil {
			t.warn("opening the browser: " + wording.Error(err))
			return nil
		}
		t.say("opened " + wording.Safe(url))
		return nil
	})
}
