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
func (s *session) copy(name, text string) tea.Cmd {
	s.say("copied the " + name + ": " + term.Safe(term.Clip(text, 300)))
	return tea.SetClipboard(text)
}

// browse opens the canonical URL in the browser, or the original one if there is none.
func (t *detailTab) browse() tea.Cmd {
	if it := t.subject(); it != nil {
		return t.browseURL(pane.Shown(it))
	}
	return nil
}

// browseURL opens a whole http or https URL in the browser. Where no browser opens, the URL is copied.
func (s *session) browseURL(url string) tea.Cmd {
	switch {
	case !term.Openable(url):
		return s.warn("only plain http and https URLs are opened")
	case s.opts.overSSH():
		return s.copyInstead("no browser is opened over SSH", url)
	case s.opts.OpenBrowser == nil:
		return s.copyInstead("there is no browser to open", url)
	}
	return ask(func() (string, error) { return url, s.opts.OpenBrowser(url) }, func(url string, err error) tea.Cmd {
		if err != nil {
			return s.copyInstead(wording.Error(err), url)
		}
		return s.say("opened " + wording.Safe(url))
	})
}

// copyInstead copies a URL that was not opened.
func (s *session) copyInstead(why, url string) tea.Cmd {
	return tea.Batch(s.warn(why+": copied the URL instead"), tea.SetClipboard(url))
}
