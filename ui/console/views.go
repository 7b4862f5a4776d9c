package console

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
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
	for _, view := range review.BuiltinViews(v.who.Reviewer(), v.opts.clock.now()) {
		menu.Rows = append(menu.Rows, viewRow(view, v.queue.showing(requestOf(view))))
	}
	for _, view := range saved {
		menu.Rows = append(menu.Rows, viewRow(view, v.queue.closing(func() tea.Cmd {
			v.queue.setColumns(view.Columns)
			return v.queue.show(requestOf(view))
		})))
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

// requestOf is the request of a view.
func requestOf(view review.View) request {
	return request{query: view.Query, view: view.Name, today: view.Today}
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
	view := review.View{Name: name, Query: shown.query, Today: shown.today, Columns: v.queue.chosen}
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

// setColumns shows columns in the list; none: those of the configuration.
func (q *queueTab) setColumns(list []review.Column) tea.Cmd {
	q.chosen = list
	q.pane.SetColumns(q.columns())
	return nil
}

// columns are the columns on screen; none: the usual ones.
func (q *queueTab) columns() []review.Column {
	if len(q.chosen) > 0 {
		return q.chosen
	}
	return q.opts.Columns
}

// askColumns opens the choice of columns. Those of the configuration count as the usual ones.
func (q *queueTab) askColumns() tea.Cmd {
	d := dialog.NewColumns(q.columns(), q.pane.Attributes())
	d.Usual = pane.ColumnWidth
	d.Show = func(list []review.Column) dialog.Action { return with(q.setColumns, list) }
	d.Done = func(list []review.Column) dialog.Action {
		if slices.Equal(list, q.opts.Columns) {
			list = nil
		}
		return q.closing(with(q.setColumns, list))
	}
	return q.open(d)
}

// columnsAs shows the columns that a text names.
func (q *queueTab) columnsAs(text string) tea.Cmd {
	if text == usualColumns {
		return q.setColumns(nil)
	}
	list, err := review.ParseColumns(text)
	if err != nil {
		return q.warn(wording.Error(err))
	}
	return q.setColumns(list)
}

// usualColumns is the word for the columns of the configuration, or those that follow the width.
const usualColumns = "usual"
