package lint

import (
	"cmp"
	"context"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// Linter judges URLs by decisions.
type Linter struct {
	Decisions Decisions
	File      string        // the full name of the file whose URLs are judged
	Flags     canon.CodeSet // the flags that count; a URL that waits only for others is no finding, and stays
}

// Judgement is the answer about one URL of a file.
type Judgement struct {
	Found    read.Found
	Findings []Finding
	Target   string           // the URL to cite; empty if that is not settled
	Approval *review.Decision // the newest on the way to the target; nil: no person decided
}

// Judge follows the decisions on a URL to their end.
func (l *Linter) Judge(ctx context.Context, f read.Found) (Judgement, error) {
	c := chain{Judgement: Judgement{Found: f}}
	cite := Citation{URL: canon.MaskUser(f.URL), Place: f.Place, Record: f.Record, File: cmp.Or(l.File, f.Place.File)}
	if err := c.follow(ctx, l.Decisions, cite); err != nil {
		return Judgement{}, err
	}
	switch {
	case c.Circle:
		c.find(Circle, "", circleMessage(c.URLs))
	case c.end.target() == "":
		c.unsettled(l.Flags)
	default:
		c.settled()
	}
	return c.Judgement, nil
}

// chain is the way from a URL over the decisions to the one to cite.
type chain struct {
	Judgement
	review.Chain
	end       Entry // of the last URL
	corrected *review.Decision
}

func (c *chain) follow(ctx context.Context, d Decisions, cite Citation) (err error) {
	for c.Chain = review.NewChain(cite.URL); ; cite.URL = c.End() {
		if c.end, err = d.Entry(ctx, cite); err != nil {
			return err
		}
		c.note(c.end)
		if !c.Follow(c.end.target()) {
			return nil
		}
	}
}

// note keeps the decisions of persons on the way.
func (c *chain) note(e Entry) {
	if !e.approved() {
		return
	}
	if c.corrected == nil && e.Decision.Kind.Corrects() && e.Canonical != c.End() {
		c.corrected = e.Decision
	}
	if c.Approval == nil || e.Decision.At.After(c.Approval.At) {
		c.Approval = e.Decision
	}
}

// settled compares the URL with the one to cite.
func (c *chain) settled() {
	c.Target = c.End()
	switch {
	case c.Target == c.Found.URL:
	case c.corrected != nil:
		c.find(DecidedOtherwise, c.Target, correctedMessage(c.URLs, c.corrected))
	default:
		c.find(NotCanonical, c.Target, canonicalMessage(c.URLs, c.Approval))
	}
}

// unsettled says why there is no URL to cite.
func (c *chain) unsettled(counted canon.CodeSet) {
	doubts, open := c.end.doubts()
	switch {
	case open && len(doubts) == 0:
		c.find(Undecided, "", openMessage(c.URLs, "a person opened it again"))
	case open:
		for _, f := range doubts {
			if counted.Has(f.Code) {
				c.find(Code(f.Code.String()), "", openMessage(c.URLs, flagText(f)))
			}
		}
	case c.end.unseen():
		c.find(PutOff, "", putOffMessage(c.URLs))
	case c.end.Status == review.Deferred:
		c.find(Deferred, "", decidedMessage(c.URLs, "deferred", c.end.Decision))
	case c.end.Decision != nil:
		c.find(Rejected, "", decidedMessage(c.URLs, "rejected", c.end.Decision))
	case c.end.Reason == string(Blocked):
		c.find(Blocked, "", rulesMessage(c.URLs, "blocked", c.end.Detail))
	default:
		c.find(Rejected, "", rulesMessage(c.URLs, "rejected", reasonText(&c.end)))
	}
}

func (c *chain) find(code Code, fix, message string) {
	f := Finding{Code: code, Place: c.Found.Place, Record: c.Found.Record, URL: c.URLs[0], Message: message, Fix: fix}
	c.Findings = append(c.Findings, f)
}
