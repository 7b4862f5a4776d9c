package console

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// askView lists the views: those that everybody has, those that were saved, and what can be done with them.
func (m *Model) askView() tea.Cmd { return m.withViews((*Model).viewMenu) }

// withViews reads the saved views and goes on with them.
func (m *Model) withViews(then func(m *Model, saved []review.View)) tea.Cmd {
	now := m.opts.clock.now()
	return func() tea.Msg {
		list, err := m.desk.Views(m.ctx, now)
		return viewsAnswer{list, err, then}
	}
}

type viewsAnswer struct {
	saved []review.View
	err   error
	then  func(m *Model, saved []review.View)
}

func (a viewsAnswer) take(m *Model) tea.Cmd {
	switch {
	case a.err != nil:
		m.warn(plainError(a.err))
	case m.dialog == nil:
		a.then(m, a.saved)
	}
	return nil
}

// The things to do with views, each an action of the menu.
type (
	nameView   struct{} // save what is shown
	pickView   struct{ rename bool }
	renameView struct{ name string }
	deleteView struct{ name string }
	storeView  struct{ name string }
	movedView  struct{ from, to string }
)

func (m *Model) viewMenu(saved []review.View) {
	menu := &dialog.Menu{Title: "Views", Hint: "show it"}
	for _, v := range append(review.BuiltinViews(m.desk.Reviewer(), m.opts.clock.now()), saved...) {
		menu.Rows = append(menu.Rows, dialog.Row{Name: safeText(v.Name), Text: viewText(v), Do: setQuery{query: v.Query, view: v.Name, today: v.Today}})
	}
	menu.Rows = append(menu.Rows, dialog.Row{Name: "save…", Text: "what is shown now, as a view with a name", Do: nameView{}})
	if len(saved) > 0 {
		menu.Rows = append(menu.Rows, dialog.Row{Name: "rename…", Text: "a saved view", Do: pickView{rename: true}},
			dialog.Row{Name: "delete…", Text: "a saved view", Do: pickView{}})
	}
	m.openMenu(menu, 0)
}

// viewText says what a view shows, and whose it is.
func viewText(v review.View) string {
	text := safeText(v.Query.Filter.String())
	if name := orderName(v.Query); name != "" {
		text += "; " + name
	}
	if v.Reviewer != "" {
		text += fmt.Sprintf(" (%s, %s)", safeText(v.Reviewer), pane.Stamp(v.At))
	}
	return text
}

// orderName names the query's order; that of the IDs, in which nothing is sorted, has none.
func orderName(q review.Query) string {
	for _, o := range orders {
		if o.sort == q.Sort && o.desc == q.Desc && (o.sort != review.ByID || o.desc) {
			return o.name
		}
	}
	return ""
}

// viewAction does what the menu of views, or what it led to, wants done.
func (m *Model) viewAction(a dialog.Action) tea.Cmd {
	switch a := a.(type) {
	case nameView:
		m.askViewName("Save view", "", func(name string) dialog.Action { return storeView{name} })
	case pickView:
		m.closeDialog()
		return m.withViews(func(m *Model, saved []review.View) { m.pickView(saved, a.rename) })
	case renameView:
		m.askViewName("Rename view", a.name, func(to string) dialog.Action { return movedView{a.name, to} })
	case deleteView:
		return m.changeViews("the view is deleted: "+safeText(a.name), func() error { return m.desk.DeleteView(m.ctx, a.name) })
	case storeView:
		v := review.View{Name: a.name, Query: m.shownQuery().query, Today: m.shownQuery().today}
		return m.changeViews("saved as a view: "+safeText(a.name), func() error { return m.desk.SaveView(m.ctx, v) })
	case movedView:
		return m.changeViews("the view is called "+safeText(a.to), func() error { return m.desk.RenameView(m.ctx, a.from, a.to) })
	}
	return nil
}

func (m *Model) askViewName(title, name string, do func(string) dialog.Action) {
	p := &dialog.Prompt{
		Title: title, Hint: "a name; the view is there for all who work on this database", Yes: "save it", Empty: "a view needs a name",
		About: m.shownQuery().query.Filter.String(), Do: do,
	}
	m.open(p.With(name))
}

func (m *Model) pickView(saved []review.View, rename bool) {
	menu := &dialog.Menu{Title: "Delete view", Hint: "delete it"}
	if rename {
		menu = &dialog.Menu{Title: "Rename view", Hint: "rename it"}
	}
	for _, v := range saved {
		row := dialog.Row{Name: safeText(v.Name), Text: viewText(v), Do: deleteView{v.Name}}
		if rename {
			row.Do = renameView{v.Name}
		}
		menu.Rows = append(menu.Rows, row)
	}
	m.openMenu(menu, -1)
}

// shownQuery is what the queue shows, without the view of what is marked.
func (m *Model) shownQuery() setQuery {
	if m.before != nil {
		return *m.before
	}
	return m.now()
}

// now is what the queue shows, to be shown again.
func (m *Model) now() setQuery { return setQuery{query: m.query, cause: m.cause, today: m.today} }

// changeViews writes to the saved views, and tells that it did.
func (m *Model) changeViews(done string, write func() error) tea.Cmd {
	return func() tea.Msg { return viewChanged{done, write()} }
}

type viewChanged struct {
	done string
	err  error
}

func (a viewChanged) take(m *Model) tea.Cmd {
	if a.err != nil {
		m.failed(plainError(a.err))
		return nil
	}
	m.closeDialog()
	m.say(a.done)
	return nil
}
