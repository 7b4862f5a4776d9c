package cli

import (
	"context"

	"visto/canon"
	"visto/review"
)

// loadEvidence reads a file of evidence, one JSON object a line; nil for no file.
func loadEvidence(ctx context.Context, path string, p *canon.Policy) (*review.EvidenceFile, error) {
	if path == "" {
		return nil, nil
	}
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return review.ReadEvidence(ctx, path, f, p)
}
