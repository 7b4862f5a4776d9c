package cli

import (
	"context"
	"maps"
	"slices"
	"time"

	"visto/canon"
	"visto/review/read"
)

// loadEvidence reads a file of evidence, one JSON object a line. Without a path it returns nil. It warns of fields that
// were not read.
func (a *app) loadEvidence(ctx context.Context, path string, p *canon.Policy) (*read.EvidenceFile, error) {
	if path == "" {
		return nil, nil
	}
	f, err := openInput(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := read.Evidence(ctx, path, f, p, time.Now())
	if err != nil {
		return nil, withHint(err, "visto help evidence has the fields of a line")
	}
	unread := file.Unread()
	for _, name := range slices.Sorted(maps.Keys(unread)) {
		a.warn("%s: %q not read in %s of link checks: they say it by fields of their own, or it is of another type\n",
			safe(path), name, count(unread[name], "line"))
	}
	return file, nil
}
