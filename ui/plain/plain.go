// Package plain is the review as line prompts, for screen readers and dumb terminals.
//
// [Run] tells one URL in words, a fact a line, reads a command, does it through the desk, and goes on to the next URL
// that waits. [Text] prints the queue where there is no terminal. Each command of the table in command.go does an
// action of the console, under its name.
//
// The position (position.go) is where the reviewer is: it goes from URL to URL and tells about them. The prompts around
// it ask questions, decide and write.
package plain

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"visto/review"
	"visto/review/cause"
	"visto/review/suggest"
	"visto/ui/desk"
	"visto/ui/term"
	"visto/ui/wording"
)

// Options are the surroundings of a review.
type Options struct {
	In     io.Reader
	Out    io.Writer
	Prober desk.Prober // nil: there is no network

	Reasons []string        // to choose from for a rejection, by their numbers; none: the usual ones
	Notes   []string        // to choose from for a note
	Columns []review.Column // of list until others are chosen; none: the usual ones
}

// Run reviews line by line until the reviewer quits or the input ends.
func Run(ctx context.Context, d desk.Desk, opts Options) error {
	opts.Reasons = wording.Reasons(opts.Reasons)
	p := &prompts{in: bufio.NewReader(opts.In), position: position{
		ctx: ctx, desk: desk.OwnWork(d), opts: opts, out: &errWriter{w: opts.Out}, marks: marks{},
	}}
	p.query.Filter.Open = true
	p.out.printf("visto, line by line. Type help and enter for the commands.\n")
	if d.ReadOnly() {
		p.out.printf("The database is open read-only: nothing can be changed.\n")
	}
	if err := p.run(); err != nil {
		return fmt.Errorf("reviewing: %w", err)
	}
	return p.out.err
}

// prompts is the state of one review: the position in it, and the answers that later commands refer to.
type prompts struct {
	position

	in        *bufio.Reader
	causes    []cause.Cause         // as last told
	dismissed []*suggest.Suggestion // since the last batch, the newest last
	untold    untold
	searched  []int64 // items of causes for which pages were looked for
	offered   offered
	quit      bool
}

func (p *prompts) run() error {
	if err := p.next(nil); err != nil {
		return err
	}
	for !p.quit && p.out.err == nil {
		p.out.printf("\n> ")
		line, err := p.line()
		if err != nil {
			p.out.printf("\n")
			return ended(err)
		}
		if err := p.command(line); err != nil {
			p.out.printf("Not done: %s\n", wording.Error(err))
		}
	}
	return p.ctx.Err()
}

// command runs one line of input.
func (p *prompts) command(line string) error {
	word, arg, _ := strings.Cut(line, " ")
	if word == "" {
		return nil
	}
	for _, c := range commands() {
		if word != c.id && word != c.short {
			continue
		}
		arg = c.offered(p, strings.TrimSpace(arg))
		if err := c.check(p, arg); err != nil {
			return err
		}
		return c.run(p, arg)
	}
	p.out.printf("There is no command %s. Type help and enter for the commands.\n", term.Safe(term.Clip(word, 40)))
	return nil
}

// sure asks a question about a write and reports whether the answer is yes.
func (p *prompts) sure(question string) bool {
	p.out.printf("%s? yes or no: ", question)
	answer, err := p.line()
	if err == nil && slices.Contains([]string{"yes", "y"}, strings.ToLower(answer)) {
		return true
	}
	p.out.printf("Nothing was written.\n")
	return false
}

// agreed asks about a write, and about the batch that can no longer be redone after it.
func (p *prompts) agreed(question string) bool { return p.sure(question) && p.redoLost() }

// pick returns the row of a list that was told with numbers from 1. question is the error, with the last number in it.
func pick[T any](list []T, number, question string) (row T, err error) {
	i, err := strconv.Atoi(number)
	if err != nil || i < 1 || i > len(list) {
		return row, fmt.Errorf(question, len(list))
	}
	return list[i-1], nil
}
