package review

import (
	"context"
	"fmt"

	"visto/canon"
)

// refuseDoors returns a *canon.DoorError for a change after which a rule accepts flags of hosts that its author cannot
// know, and did not accept them before. Undo and replay do not ask: what is stored keeps working, and comes back.
func refuseDoors(changes []OverrideChange) error {
	for _, c := range changes {
		if c.After == nil {
			continue
		}
		doors := c.After.Doors()
		if c.Before != nil {
			doors &^= c.Before.Doors()
		}
		if doors != 0 {
			return &canon.DoorError{Match: c.After.Match, Flags: doors}
		}
	}
	return nil
}

// Doors returns a problem for each stored rule that could not be written any more, because it accepts flags of hosts
// that its author cannot know. The database is sound all the same.
func (d ruleDesk) Doors(ctx context.Context) (problems []Problem, err error) {
	err = d.store.EachOverride(ctx, func(o StoredOverride, _ string) error {
		if doors := o.Override.Doors(); doors != 0 {
			door := &canon.DoorError{Match: o.Override.Match, Flags: doors}
			problems = append(problems, Problem{"rule", fmt.Sprintf("rule %d, by %s: %v", o.ID, o.Reviewer, door)})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for rules that trust any host: %w", err)
	}
	return problems, nil
}
