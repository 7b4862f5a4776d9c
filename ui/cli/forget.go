package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"visto/review"
)

func newForget(a *app) *cobra.Command {
	var yes bool
	cmd := command("forget FILE", "Take back the places of a file that is no longer there", cobra.ExactArgs(1),
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, args []string) error {
			file, err := a.storedFile(cmd, desk, args[0])
			if err != nil {
				return err
			}
			if !yes {
				if yes, err = a.askForget(cmd, desk, file); err != nil || !yes {
					return err
				}
			}
			r, err := desk.Forget(cmd.Context(), file)
			if done, ok := errors.AsType[*review.DoneError](err); ok {
				return a.printDone(done)
			}
			if err != nil {
				return err
			}
			return a.print(func(w *printer) error {
				return w.line(receiptData(r), "forgot %s (batch %d)\n", safe(file), r.Batch)
			})
		}))
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// printDone prints that a batch has done already what a command asks for.
func (a *app) printDone(done *review.DoneError) error {
	b := &done.Batch
	return a.print(func(w *printer) error {
		return w.line(receiptData(review.Receipt{Batch: b.ID}), "already done by %s: %s (batch %d)\n", safe(b.Reviewer),
			safe(b.Summary), b.ID)
	})
}

// storedFile returns the full name of the one stored file that an argument names: by its path, or a tail of it.
func (a *app) storedFile(cmd *cobra.Command, desk *review.Desk, name string) (string, error) {
	files, err := desk.Files(cmd.Context())
	if err != nil {
		return "", err
	}
	for _, exact := range []string{name, fullName(name)} { // an older version stored names as they were given
		if _, ok := files[exact]; ok {
			return exact, nil
		}
	}
	var found []string
	for file, short := range files {
		if short == name || strings.HasSuffix(file, "/"+filepath.ToSlash(name)) {
			found = append(found, file)
		}
	}
	switch len(found) {
	case 0:
		return "", withHint(fmt.Errorf("no URL was read from %s", name), "visto list --json names the files")
	case 1:
		return found[0], nil
	}
	return "", usage(cmd, fmt.Errorf("%s names %d files: give more of the path", name, len(found)))
}

// askForget asks on the terminal whether to forget the file.
func (a *app) askForget(cmd *cobra.Command, desk *review.Desk, file string) (bool, error) {
	if !isTerminal(a.err) {
		return false, usage(cmd, fmt.Errorf("forgetting %s takes an answer on a terminal, or --yes", file))
	}
	places, urls, err := desk.Cites(cmd.Context(), file)
	if err != nil {
		return false, err
	}
	return a.confirm(cmd.Context(), "forget %s: %s, and %s that nothing else cites? [y/N] ", safe(file),
		count(places, "place"), count(urls, "URL"))
}

// confirm asks a question on the terminal, and reports whether the answer is y.
func (a *app) confirm(ctx context.Context, question string, args ...any) (bool, error) {
	a.warn(question, args...)
	answer, err := bufio.NewReader(interruptible(ctx, a.in)).ReadString('\n')
	if err != nil && answer == "" {
		return false, err
	}
	return strings.EqualFold(strings.TrimSpace(answer), "y"), nil
}
