package cli

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"visto/review"
)

func newLogVerify(a *app) *cobra.Command {
	var against bool
	cmd := command("verify FILE", "Verify an exported log, alone or against the database", cobra.ExactArgs(1),
		func(cmd *cobra.Command, args []string) error {
			f, err := openInput(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			if err = a.verifyLog(cmd.Context(), bufio.NewReaderSize(f, 64<<10), against); err != nil {
				err = fmt.Errorf("verifying %s: %w", args[0], err)
			}
			return err
		})
	cmd.Flags().BoolVar(&against, "against-database", false, "compare it with the log of the database")
	return cmd
}

func (a *app) exportLog(ctx context.Context, desk *review.Desk, output string) error {
	var head review.LogHead
	err := a.writeFile(ctx, output, func(w io.Writer) (err error) {
		buf := bufio.NewWriterSize(w, 64<<10)
		if head, err = desk.ExportLog(ctx, buf); err == nil {
			err = buf.Flush()
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("writing %s: %w", output, err)
	}
	a.warn("wrote %s to %s, up to %s\n", countEntries(head.Entries), safe(output), hex.EncodeToString(head.Hash[:]))
	return nil
}

// verdictJSON is the output of log verify with --json.
type verdictJSON struct {
	Entries  int64  `json:"entries"`
	Hash     string `json:"hash"`
	Database *int64 `json:"database_entries,omitempty"`
}

func (a *app) verifyLog(ctx context.Context, r io.Reader, against bool) error {
	if !against {
		head, err := review.VerifyLog(r)
		if err != nil {
			return withHint(err, "the file was changed after it was written; export the log again")
		}
		return a.printVerdict(head, nil)
	}
	return a.withDesk(ctx, uses, func(desk *review.Desk) error {
		head, own, err := desk.CompareLog(ctx, r)
		if errors.Is(err, review.ErrOtherLog) {
			return withHint(err,
				"the database is another one, was set back, or was changed; visto check says whether it is sound")
		}
		if err != nil {
			return err
		}
		return a.printVerdict(head, &own)
	})
}

func (a *app) printVerdict(head review.LogHead, own *review.LogHead) error {
	v := verdictJSON{Entries: head.Entries, Hash: hex.EncodeToString(head.Hash[:])}
	if own != nil {
		v.Database = &own.Entries
	}
	return a.print(func(w *printer) error {
		w.line(v, "the chain of %s holds, up to %s\n", countEntries(head.Entries), v.Hash)
		if own != nil && !a.json {
			fmt.Fprintf(w, "the log of the database begins with them and has %d more\n", own.Entries-head.Entries)
		}
		return nil
	})
}

func countEntries(n int64) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
