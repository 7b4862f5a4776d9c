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
// are opened. Where no browser opens, the URL is copied.
func (t *detailTab) browse() tea.Cmd {
	it := t.subject()
	if it == nil {
		return nil
	}
	url := pane.Shown(it)
	switch {
	case !term.Openable(url):
		return t.warn("only plain http and https URLs are opened")
	case t.opts.overSSH():
		return t.copyInstead("no browser is opened over SSH", url)
	case t.opts.OpenBrowser == nil:
		return t.copyInstead("there is no browser to open", url)
	}
	return ask(func() (string, error) { return url, t.opts.OpenBrowser(url) }, func(url string, err error) tea.Cmd {
		if err != nil {
			return t.copyInstead(wording.Error(err), url)
		}
		return t.say("opened " + wording.Safe(url))
	})
}

// copyInstead copies a URL that was not opened.
func (t *detailTab) copyInstead(why, url string) tea.Cmd {
	return tea.Batch(t.warn(why+": copied the URL instead"), tea.SetClipboard(url))
}
