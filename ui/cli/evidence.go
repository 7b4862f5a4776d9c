package cli

import (
	"context"
	"time"

	"visto/canon"
	"visto/review/read"
)

// loadEvidence reads a file of evidence, one JSON object a line. Without a path it returns nil.
func loadEvidence(ctx context.Context, path string, p *canon.Policy) (*read.EvidenceFile, error) {
	if path == "" {
		return nil, nil
	}
	f, err := openInput(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read.Evidence(ctx, path, f, p, time.Now())
}
