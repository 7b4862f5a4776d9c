package console

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/wording"
)

// viewer shows, saves, renames and deletes views.
type viewer struct {
	*session
	desk  desk.Views
	queue *queueTab
}

// ask reads the saved views and opens the menu, unless a dialog has been opened meanwhile.
func (v *viewer) ask() tea.Cmd {
	now := v.opts.clock.now()
	views := func(ctx context.Context) ([]review.View, error) { return v.desk.Views(ctx, now) }
	return read(v.session, views, func(saved []review.View) tea.Cmd {
		if v.dialog != nil {
			return nil
		}
		return v.menu(saved)
	})
}

// menu lists the built-in views, the saved ones, and the actions on them.
func (v *viewer) menu(saved []review.View) tea.Cmd {
	menu := &dialog.Menu{Title: "Views", Hint: "show it"}
	for _, view := range append(review.BuiltinViews(v.who.Reviewer(), v.opts.clock.now()), saved...) {
		show := v.queue.showing(request{query: view.Query, view: view.Name, today: view.Today})
		menu.Rows = append(menu.Rows, viewRow(view, show))
	}
	add := func(name, text string, do action) {
		menu.Rows = append(menu.Rows, dialog.Row{Name: name, Text: text, Do: do})
	}
	save := func() tea.Cmd { return v.askName("Save view", "", v.save) }
	add("save…", "the current filter and order, under a name", save)
	if len(saved) > 0 {
		add("rename…", "a saved view", func() tea.Cmd { return v.pick(saved, "Rename view", "rename it", v.askRename) })
		add("delete…", "a saved view", func() tea.Cmd { return v.pick(saved, "Delete view", "delete it", v.remove) })
	}
	return v.openMenu(menu, 0)
}

func viewRow(view review.View, do action) dialog.Row {
	return dialog.Row{Name: wording.Safe(view.Name), Text: wording.View(view), Do: do}
}

func (v *viewer) askRename(name string) tea.Cmd {
	return v.askName("Rename view", name, func(to string) tea.Cmd { return v.rename(name, to) })
}

func (v *viewer) askName(title, name string, do func(name string) tea.Cmd) tea.Cmd {
	p := &dialog.Prompt{
		Title: title, Hint: "a name; the view is there for all who work on this database", Yes: "save it",
		Empty: "a view needs a name", About: v.queue.lasting().query.Filter.String(),
		Do: submit(do),
	}
	return v.open(p.With(name))
}

// pick lists the saved views for an action on one of them.
func (v *viewer) pick(saved []review.View, title, hint string, do func(name string) tea.Cmd) tea.Cmd {
	menu := &dialog.Menu{Title: title, Hint: hint}
	for _, view := range saved {
		menu.Rows = append(menu.Rows, viewRow(view, with(do, view.Name)))
	}
	return v.openMenu(menu, -1)
}

func (v *viewer) save(name string) tea.Cmd {
	shown := v.queue.lasting()
	view := review.View{Name: name, Query: shown.query, Today: shown.today}
	return v.change("saved as a view: "+wording.Safe(name), func() error { return v.desk.SaveView(v.ctx, view) })
}

func (v *viewer) rename(from, to string) tea.Cmd {
	return v.change("the view is called "+wording.Safe(to), func() error { return v.desk.RenameView(v.ctx, from, to) })
}

func (v *viewer) remove(name string) tea.Cmd {
	return v.change("the view is deleted: "+wording.Safe(name), func() error { return v.desk.DeleteView(v.ctx, name) })
}

// change writes to the saved views and tells the result.
func (v *viewer) change(done string, write func() error) tea.Cmd {
	return ask(func() (struct{}, error) { return struct{}{}, write() }, func(_ struct{}, err error) tea.Cmd {
		if err != nil {
			return v.fail(wording.Error(err))
		}
		v.closeDialog()
		return v.say(done)
	})
}
