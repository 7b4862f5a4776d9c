package rows

import (
	"encoding/json"
	"fmt"

	"visto/canon"
)

// EvidenceText returns the evidence of an item as it is stored.
func EvidenceText(item int64, ev *canon.Evidence) (string, error) {
	body, err := json.Marshal(ev)
	if err != nil {
		return "", fmt.Errorf("storing the evidence of URL %d: %w", item, err)
	}
	return string(body), nil
}

// ParseEvidence reads an item's own evidence, nil if there is no text.
func ParseEvidence(item int64, body string) (*canon.Evidence, error) {
	if body == "" {
		return nil, nil
	}
	var ev canon.Evidence
	if err := json.Unmarshal([]byte(body), &ev); err != nil {
		return nil, fmt.Errorf("reading the evidence of URL %d: %w", item, err)
	}
	return &ev, nil
}

// WithHosts adds host evidence to an item's own evidence.
func WithHosts(ev *canon.Evidence, known canon.Hosts) *canon.Evidence {
	if len(known) == 0 {
		return ev
	}
	if ev == nil {
		ev = &canon.Evidence{}
	}
	ev.Hosts = known
	return ev
}
