package review

import (
	"context"

	"visto/canon"
)

// Cites returns the numbers of occurrences in a file that are there, and of the items that nothing else cites.
func (d *Desk) Cites(ctx context.Context, file string) (occurrences, items int, err error) {
	err = d.store.EachCited(ctx, Filter{Files: []string{file}}, func(it Item, _ *canon.Evidence) error {
		elsewhere := false
		for _, o := range it.Occurrences {
			if o.File == file && !o.Gone {
				occurrences++
			}
			elsewhere = elsewhere || o.File != file && !o.Gone
		}
		if !elsewhere {
			items++
		}
		return nil
	})
	annotate(&err, "reading the places in a file")
	return occurrences, items, err
}

// Forget marks all occurrences in a file as gone, as if the file were read again and empty. It is one batch. The file
// has its name of Files. Error: ErrNotFound if nothing in the file cites a URL.
func (d *Desk) Forget(ctx context.Context, file string) (receipt Receipt, err error) {
	defer annotate(&err, "forgetting a file")
	files, err := d.Files(ctx)
	if err != nil {
		return receipt, err
	}
	receipt, err = d.store.Commit(ctx, Change{Reviewer: d.reviewer, Action: ActForget,
		Summary: "forget " + cleanText(files[file]), Forget: file})
	if err == nil && receipt.Batch == 0 {
		err = ErrNotFound
	}
	return receipt, err
}
