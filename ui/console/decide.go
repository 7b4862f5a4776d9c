package console

import (
	"cmp"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"errors"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

// decisionDesk is the part of the desk that the decider uses.
type decisionDesk interface {
	desk.Decisions
	queueDesk
}

// decider decides on the URL that keys are about, and writes the decisions of other controllers.
type decider struct {
	*session
	desk   decisionDesk
	writer *writer
	queue  *queueTab
	detail *detailTab
}

// decision is a choice about some items.
type decision struct {
	choice  review.Choice
	targets []review.Target
	all     *review.Filter // instead of targets: all items that it selects when the decision is written
	bulk    bool           // the result is told as a number of URLs
	citers  []review.Citer // of one item: if there are several, the reviewer is asked for which the decision is
	alone   string         // the name of the only one that the decision is for
	accepts string         // the findings that an approval accepts besides the URL; see wording.Accepts
	page    *probe.Report  // of a correction: the answer of the page to cite, which is stored; nil: none
}

func targetOf(it *review.Item) []review.Target { return []review.Target{{ID: it.ID, Rev: it.Rev}} }

func idsOf(targets []review.Target) []int64 {
	ids := make([]int64, len(targets))
	for i, t := range targets {
		ids[i] = t.ID
	}
	return ids
}

// onCurrent runs fn on the item that keys are about, or says that there is none.
func (d *decider) onCurrent(fn func(it review.Item) tea.Cmd) tea.Cmd {
	it := d.detail.subject()
	if it == nil {
		return d.warn(d.detail.noSubject())
	}
	return fn(*it)
}

// onSeen is onCurrent, but refuses while the URL is too new on screen to have been read: the key may have been meant for
// the URL before it.
func (d *decider) onSeen(fn func(it review.Item) tea.Cmd) tea.Cmd {
	return d.onCurrent(func(it review.Item) tea.Cmd {
		shown, rev := d.detail.pane.ID()
		switch {
		case d.scope == inQueue && d.queue.reading.waiting:
			return d.warn("not so fast: the list you asked for is still being read")
		case d.early(d.queue.came.at), d.scope&opened != 0 && (shown != it.ID || rev < it.Rev):
			return d.tooEarly(d.pressed, "URL", "")
		}
		return fn(it)
	})
}

// decideSeen decides at one key on a URL that could be read.
func (d *decider) decideSeen(c review.Choice) tea.Cmd {
	return d.onSeen(func(it review.Item) tea.Cmd {
		if c.Kind == review.Approve && it.Computed.Canonical == "" {
			const text = "this URL has no canonical form to approve: {correct} enters one, {reject} rejects it"
			return d.warn(d.keyed(text))
		}
		about := d.about(&it)
		if about.choice = c; c.Kind != review.Reject {
			about.citers = nil
		}
		if c.Kind == review.Approve {
			about.choice, about.accepts = c.Within(&it), wording.Accepts(&it)
			about.alone = wording.CiterName(it.Citers(nil), about.choice.Record)
			if it.Computed.Flags.Has(canon.OffAllowlist) {
				about.accepts += d.keyed("; {undo}, then {override} accepts all of ") + wording.Safe(it.Computed.Host)
			}
		}
		return d.decide(about)
	})
}

// about returns the decision on an item, to be made for all of its citers or for one.
func (d *decider) about(it *review.Item) decision {
	var files map[string]string
	if data := d.detail.data(); data != nil {
		files = data.Files
	}
	return decision{targets: targetOf(it), citers: it.Citers(files)}
}

// askForWhom asks whether a decision is for all that cite the URL or for one of them alone.
func (d *decider) askForWhom(dec decision) tea.Cmd {
	behind := d.dialog
	row := func(key int, text string, record int64) dialog.Row {
		chosen := dec
		chosen.citers, chosen.choice.Record = nil, record
		return dialog.Row{Key: strconv.Itoa(key), Name: text, Do: action(func() tea.Cmd {
			d.dialog, d.behind = d.behind, nil
			return d.decide(chosen)
		})}
	}
	rows := []dialog.Row{row(0, "for all of them", 0)}
	for i, by := range dec.citers {
		dec.alone = by.Name
		rows = append(rows, row(i+1, "for "+term.Safe(term.Clip(by.Name, 300))+" alone", by.Number))
	}
	title := fmt.Sprintf("%d records cite this URL: for all, or for one alone?", len(dec.citers))
	cmd := d.openMenu(&dialog.Menu{Title: title, Hint: "decide", Rows: rows}, 0)
	d.behind = behind
	return cmd
}

func (d *decider) approve() tea.Cmd   { return d.decideSeen(review.Choice{Kind: review.Approve}) }
func (d *decider) deferItem() tea.Cmd { return d.decideSeen(review.Choice{Kind: review.Defer}) }
func (d *decider) reopen() tea.Cmd    { return d.decideSeen(review.Choice{Kind: review.Reopen}) }

func (d *decider) rejectWith(reason string) tea.Cmd {
	return d.decideSeen(review.Choice{Kind: review.Reject, Note: reason})
}

func (d *decider) askReject() tea.Cmd {
	return d.onCurrent(func(it review.Item) tea.Cmd {
		return d.promptReject("Reject", pane.Shown(&it), draftOf("reject", it.ID), d.about(&it))
	})
}

// promptReject asks for the reason of a rejection, with the draft of a key.
func (d *decider) promptReject(title, about, key string, rejection decision) tea.Cmd {
	return d.askReason(title, about, "reject", key, func(reason string) tea.Cmd {
		rejection.choice = review.Choice{Kind: review.Reject, Note: reason}
		return d.decide(rejection)
	})
}

func (d *decider) askNote() tea.Cmd {
	return d.onCurrent(func(it review.Item) tea.Cmd {
		return d.promptNote("Note", pane.Shown(&it), draftOf("note", it.ID), decision{targets: targetOf(&it)})
	})
}

// promptNote asks for the text of a note, with the draft of a key.
func (d *decider) promptNote(title, about, key string, noted decision) tea.Cmd {
	return d.openPrompt(&dialog.Prompt{
		Title: title, About: about, Yes: "add the note", Empty: "the note is empty",
		Key: key, Choices: d.opts.Notes, Recent: d.recent["note"],
		Do: submit(d.remembering("note", func(text string) tea.Cmd { return d.note(text, noted) })),
	})
}

func (d *decider) askCorrect() tea.Cmd {
	return d.onCurrent(func(it review.Item) tea.Cmd {
		text, _ := d.drafts[draftOf("correct", it.ID)].(string)
		return d.openCorrect(&it, cmp.Or(text, term.Clip(pane.Shown(&it), 4096)))
	})
}

// correctTo opens the correction with a URL in it, so that its stored form is seen before it is approved.
func (d *decider) correctTo(url string) tea.Cmd {
	return d.onCurrent(func(it review.Item) tea.Cmd { return d.openCorrect(&it, url) })
}

func (d *decider) openCorrect(it *review.Item, text string) tea.Cmd {
	from := cmp.Or(it.Computed.Canonical, it.Original)
	c := dialog.NewCorrect(from, text, draftOf("correct", it.ID), d.correcting(it))
	d.open(c)
	return d.check(c.First())
}

// correcting makes the action that approves another URL for an item.
func (d *decider) correcting(it *review.Item) dialog.Corrected {
	about := d.about(it)
	return func(kind review.Kind, url string) dialog.Action {
		about.choice = review.Choice{Kind: kind, Canonical: url}
		return with(d.decide, about)
	}
}

// askChoose offers the known URLs that could replace the canonical one.
func (d *decider) askChoose() tea.Cmd {
	return d.onCurrent(func(it review.Item) tea.Cmd {
		data := d.detail.data()
		if data == nil {
			return d.warn("this URL is still being read")
		}
		if len(data.Alternatives) == 0 {
			return d.warn(d.keyed("nothing else is known that could be cited: {correct} enters a URL"))
		}
		var options []dialog.Option
		for _, a := range data.Alternatives {
			options = append(options, dialog.Option{Text: a.Label, URL: a.URL})
		}
		c := dialog.NewChoose(data.Result.Canonical, options, d.correcting(&it))
		d.open(c)
		return d.check(c.First())
	})
}

// check computes the result of the text in an open correction. One on a host off the allowlist needs a rule first.
func (d *decider) check(a dialog.Action) tea.Cmd {
	text := a.(dialog.Check).Text
	return func() tea.Msg {
		result, err := d.desk.Correction(d.ctx, text)
		return answer(func() tea.Cmd {
			if err != nil {
				return d.warn(wording.Error(err))
			}
			if res := &result.Result; res.Reason == canon.LeftAllowlist {
				res.Detail = res.Host + d.keyed(" is not on the allowlist: a rule for that host has to accept it first: "+
					"esc, then {override} writes one")
			}
			if v, ok := d.dialog.(dialog.CorrectionViewer); ok {
				v.SetCorrection(text, result)
			}
			return nil
		})
	}
}

// decide writes a decision; the reviewer is asked first for whom it is. The cursor goes on to the next URL that waits.
func (d *decider) decide(dec decision) tea.Cmd {
	if len(dec.citers) > 1 {
		return d.askForWhom(dec)
	}
	place, besides := d.next(), d.besides(&dec)
	return d.writer.write(func() (outcome, error) {
		out := outcome{undoable: true, leave: true, place: place, unmark: idsOf(dec.targets), unmarkAll: dec.all != nil}
		var err error
		switch {
		case dec.all != nil:
			out.receipt, err = d.desk.DecideAll(d.ctx, dec.choice, *dec.all)
		case dec.page != nil:
			one := review.Citation{Choice: dec.choice, Target: dec.targets[0], Page: *dec.page}
			out.receipt, err = d.desk.Cite(d.ctx, d.opts.clock.now, one)
		default:
			out.receipt, err = d.desk.Decide(d.ctx, dec.choice, dec.targets...)
		}
		var single int64
		if !dec.bulk {
			single = dec.targets[0].ID
			out.place.NextOpen = place.NextOpen && len(out.receipt.Conflicts) == 0 // a refused one may still wait
		}
		out.settles = dec.alone == "" && (dec.choice.Kind.Approves() || dec.choice.Kind == review.Reject)
		if out.text = wording.Decided(dec.choice, out.receipt, single, dec.alone); out.text != "" {
			out.text += dec.accepts + besides
		}
		return out, err
	})
}

// besides says that a decision on the URL under the cursor leaves the marked ones as they are.
func (d *decider) besides(dec *decision) string {
	words := map[review.Kind]string{review.Approve: "{approve-marked} approves", review.Reject: "{reject-marked} rejects",
		review.Defer: "{defer-marked} puts off"}[dec.choice.Kind]
	if d.scope != inQueue || dec.bulk || words == "" || d.queue.pane.MarksBesides(dec.targets[0].ID) == 0 {
		return ""
	}
	return d.keyed("; " + words + " the marked ones")
}

// next is the place after a decision: the next URL that waits. From a cause or a visited URL the queue stays.
func (d *decider) next() pane.Place {
	place := d.queue.pane.Here()
	place.NextOpen = d.detail.ofQueue()
	return place
}

func (d *decider) noteWith(text string) tea.Cmd {
	return d.onCurrent(func(it review.Item) tea.Cmd { return d.note(text, decision{targets: targetOf(&it)}) })
}

// note adds a note. It changes the revisions of the items, which the marks on them must know.
func (d *decider) note(text string, about decision) tea.Cmd {
	place := d.queue.pane.Here()
	return d.writer.write(func() (outcome, error) {
		if about.all != nil {
			r, err := d.desk.NoteAll(d.ctx, text, *about.all)
			return outcome{text: "noted on all that is marked", receipt: r, place: place}, err
		}
		ids := idsOf(about.targets)
		noted := fmt.Sprintf("noted on URL %d", ids[0])
		if about.bulk {
			noted = "noted on " + wording.URLs(len(ids))
		}
		r, err := d.desk.Note(d.ctx, text, ids...)
		if err != nil {
			return outcome{}, err
		}
		seen, err := desk.Targets(d.ctx, d.desk, review.Filter{IDs: ids})
		return outcome{text: noted, receipt: r, place: place, seen: seen}, err
	})
}

// undo takes the reviewer's last write back.
func (d *decider) undo() tea.Cmd {
	undo := d.writer.lastUndoer()
	if undo == nil {
		return d.undoBatch(0)
	}
	here := d.queue.pane.Here()
	return d.writer.run(func() (outcome, error) {
		text, err := undo()
		return outcome{text: "took back: " + text, undone: true, place: here}, err
	})
}

// undoBatch reverts a batch; 0 is the reviewer's last.
func (d *decider) undoBatch(batch int64) tea.Cmd {
	return d.revert("took back", true, func() (review.Batch, review.Receipt, error) {
		return d.desk.Undo(d.ctx, batch)
	})
}

func (d *decider) redo() tea.Cmd {
	return d.revert("brought back", false, func() (review.Batch, review.Receipt, error) {
		return d.desk.Redo(d.ctx)
	})
}

// revert undoes or redoes a batch and goes to its first item.
func (d *decider) revert(done string, undone bool, do func() (review.Batch, review.Receipt, error)) tea.Cmd {
	here := d.queue.pane.Here()
	return d.writer.run(func() (outcome, error) {
		b, r, err := do()
		if errors.Is(err, review.ErrNotFound) {
			nothing := "there is nothing to bring back"
			if undone {
				nothing = "there is nothing to take back"
			}
			return outcome{text: nothing, nothing: true, place: here}, nil
		}
		text := done + ": " + wording.Batch(b)
		return outcome{text: text, undone: undone, receipt: r, place: d.placeOf(b, here), unmark: b.Items}, err
	})
}

// placeOf is the place of the first item of a batch, or here if the batch has none.
func (d *decider) placeOf(b review.Batch, here pane.Place) pane.Place {
	if len(b.Items) > 0 {
		if data, err := d.desk.Detail(d.ctx, b.Items[0]); err == nil {
			return pane.Place{Anchor: &data.Item, Jump: true}
		}
	}
	return here
}
