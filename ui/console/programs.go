package console

import (
	"bytes"
	"cmp"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/ui/config"
	"visto/ui/dialog"
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

// programs runs the commands of the configuration.
type programs struct {
	*session
	writer *writer
	detail *detailTab
	causes *causesTab
	output *dialog.Reader // shown once no dialog is open and nothing is being written
	backAt time.Time      // when a program left the terminal
}

// placeScopes are the places of commands.
var placeScopes = map[string]scope{"queue": inQueue, "detail": inDetail | inPage, "causes": inCauses}

// commandBindings are the rows of commands in the table of actions.
func (p *programs) commandBindings(commands []config.Command) (list []binding) {
	for _, c := range commands {
		b := binding{keys: c.Keys, row: row{
			name: c.Name, text: "run " + term.Safe(strings.Join(c.Run, " ")), run: with(p.run, c),
		}}
		for _, place := range c.Where {
			b.in |= placeScopes[place]
		}
		list = append(list, b)
	}
	return list
}

// run runs a command on the URL or the cause under the cursor.
func (p *programs) run(c config.Command) tea.Cmd {
	args, err := c.Args(p.values())
	if err != nil {
		return p.warn(c.Name + ": " + wording.Error(err))
	}
	switch c.Output {
	case config.Terminal:
		cmd := p.command(args)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = p.opts.In, p.opts.Out, p.opts.Out
		return p.outside(cmd.Run, func(err error) tea.Cmd { return p.back(c, err) })
	case config.Reader:
		p.say(c.Name + ": running…")
		out := &limited{}
		cmd := p.command(args)
		cmd.Stdout, cmd.Stderr = out, out
		return ask(out.after(cmd), func(text string, err error) tea.Cmd {
			if text != "" {
				p.output = &dialog.Reader{Title: c.Name, Text: text}
			}
			return p.tell(c, err)
		})
	}
	p.say(c.Name + ": running…")
	cmd := exec.Command(args[0], args[1:]...) // a browser or an editor outlives the console
	cmd.Env = p.opts.Env
	return ask(func() (struct{}, error) { return struct{}{}, cmd.Run() },
		func(_ struct{}, err error) tea.Cmd { return p.tell(c, err) })
}

// back takes the terminal back from a command, and tells how it ended.
func (p *programs) back(c config.Command, err error) tea.Cmd {
	p.takeBack(c.Name + " has only just ended")
	return p.tell(c, err)
}

// takeBack takes the terminal back. Keys on their way were meant for what had it before, and do nothing.
func (p *programs) takeBack(why string) {
	p.backAt = p.opts.clock.now()
	p.detail.queue.came = arrived{p.backAt, why}
}

// command is a program that ends with the console.
func (p *programs) command(args []string) *exec.Cmd {
	cmd := exec.CommandContext(p.ctx, args[0], args[1:]...)
	cmd.Env = p.opts.Env
	cmd.WaitDelay = patience // its children may hold its output
	return cmd
}

// tell tells how a command ended.
func (p *programs) tell(c config.Command, err error) tea.Cmd {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return p.say(c.Name + ": done")
	case errors.As(err, &exit):
		return p.warn(c.Name + " failed: " + exit.Error())
	}
	return p.warn(c.Name + ": " + wording.Error(err))
}

// follow shows the output of a command where no dialog is in its way.
func (p *programs) follow() tea.Cmd {
	if p.output == nil || p.dialog != nil || p.writer.busy() {
		return nil
	}
	reader := p.output
	p.output = nil
	return p.open(reader)
}

// values are the values of the variables of a command here.
func (p *programs) values() map[string]string {
	if c, ok := p.causes.pane.Current(); ok && p.scope == inCauses {
		return map[string]string{"flag": c.Flag.String(), "host": c.Host, "path": c.Path,
			"param": strings.Join(c.Params.List(), ",")}
	}
	it := p.detail.subject()
	if it == nil || p.scope&onItem == 0 {
		return nil
	}
	values := map[string]string{
		"url": pane.Shown(it), "canonical": it.Canonical(), "original": it.Original, "title": it.Title,
		"id": strconv.FormatInt(it.ID, 10), "host": it.Computed.Host, "field": it.Source.Field, "file": it.Source.File,
	}
	citing := it.Citing()
	if len(citing) == 0 {
		return values
	}
	values["field"], values["file"] = citing[0].Field, citing[0].File
	if r := citing[0].Record; r != nil {
		values["record"], values["record-name"] = cmp.Or(r.ID, r.Name), cmp.Or(r.Name, r.ID)
	}
	return values
}

// limited keeps the first part of an output.
type limited struct {
	bytes.Buffer
	cut bool
}

// maxOutput is the length of an output in bytes above which the rest is left out.
const maxOutput = 1 << 20

func (l *limited) Write(data []byte) (int, error) {
	kept := data[:min(len(data), maxOutput-l.Len())]
	l.cut = l.cut || len(kept) < len(data)
	l.Buffer.Write(kept)
	return len(data), nil
}

// after returns the function that runs a command and returns its output without styles, in lines.
func (l *limited) after(cmd *exec.Cmd) func() (string, error) {
	return func() (string, error) {
		err := cmd.Run()
		text := strings.NewReplacer("\r\n", "\n", "\t", "    ").Replace(ansi.Strip(l.String()))
		if l.cut {
			text += "\n… (the rest is left out)"
		}
		return strings.TrimRight(text, "\n"), err
	}
}
