package rows

import (
	"encoding/json"
	"fmt"
	"strings"

	"visto/canon"
	"visto/review"
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
	ev.SetHosts(known)
	return ev
}

// ReadEvidence reads the evidence of an item, and that of its hosts and of those it leads to. hosts reads the evidence
// of named hosts.
func ReadEvidence(each Each, id int64, hosts func(names []string) (canon.Hosts, error)) (*canon.Evidence, error) {
	var inHost, host, via, body string
	found := false
	err := each(`SELECT ih.name, h.name, i.via, coalesce(e.body, '') FROM item i JOIN host ih ON ih.id = i.in_host_id
		JOIN host h ON h.id = i.host_id LEFT JOIN evidence e ON e.item_id = i.id WHERE i.id = ?`, []any{id},
		func(scan Scan) error {
			found = true
			return scan(&inHost, &host, &via, &body)
		})
	if err == nil && !found {
		err = review.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	ev, err := ParseEvidence(id, body)
	if err != nil {
		return nil, err
	}
	known, err := hosts(review.RelatedHosts(ev, append(strings.Fields(via), inHost, host)...))
	return WithHosts(ev, known), err
}

// ReadHosts reads the host evidence known of hosts h. from is the query behind FROM.
func ReadHosts(each Each, from string, args []any) (canon.Hosts, error) {
	hosts := canon.Hosts{}
	err := each("SELECT h.name, known.https, known.preferred FROM "+from, args, func(scan Scan) error {
		var name string
		var known canon.HostEvidence
		if err := scan(&name, &known.HTTPS, Preferred(&known.PreferredHost, &known.Reached)); err != nil {
			return err
		}
		hosts[name] = known
		return nil
	})
	return hosts, err
}

// PutEvidence stores the evidence of an item, and that of its hosts. gen is its generation.
func (in *Interner) PutEvidence(inHost string, e review.ItemEvidence, gen int64) error {
	body, err := EvidenceText(e.ID, e.Evidence)
	if err != nil {
		return err
	}
	err = in.Exec("INSERT INTO evidence (item_id, body, due, gen, seal) VALUES (?, ?, ?, ?, ?) ON CONFLICT (item_id) "+
		"DO UPDATE SET body = excluded.body, due = excluded.due, gen = excluded.gen, seal = excluded.seal",
		e.ID, body, Millis(e.Due), gen, Seal(body))
	if err != nil {
		return err
	}
	next, err := in.NextGen()
	if err != nil {
		return err
	}
	// The host evidence is apart from the item: the newest evidence of a host goes for all its items.
	for host, h := range e.Evidence.Hosts {
		if err := in.writeHost(host, h, next); err != nil {
			return err
		}
	}
	return in.writeHost(inHost, e.Evidence.OwnHost(), next)
}

// writeHost merges new evidence of a host, and notes whether it changed. Facts that the new evidence lacks stay.
func (in *Interner) writeHost(host string, h canon.HostEvidence, gen int64) error {
	if known := in.Hosts[host]; host == "" || known.Update(h).Same(known) {
		return nil // by the evidence that was written before
	}
	id, err := in.ID("host", host)
	if err != nil {
		return err
	}
	// A name without a record takes that of the same name back no more than no name does.
	const replaces = "excluded.preferred <> '' AND substr(known.preferred, 1, length(excluded.preferred) + 1) <> " +
		"excluded.preferred || ' '"
	const changed = "(excluded.https <> coalesce(known.https, NOT excluded.https) OR " + replaces + " AND " +
		"excluded.preferred <> known.preferred)"
	var isChanged bool
	var merged canon.HostEvidence
	err = in.Get(`INSERT INTO host_evidence AS known (host_id, https, preferred, gen, propagated)
		VALUES (?1, ?2, ?3, ?4, false) ON CONFLICT (host_id) DO UPDATE
		SET https = coalesce(excluded.https, known.https),
		preferred = CASE WHEN `+replaces+` THEN excluded.preferred ELSE known.preferred END,
		gen = CASE WHEN `+changed+` THEN excluded.gen ELSE known.gen END,
		propagated = known.propagated AND `+changed+` IS NOT TRUE
		RETURNING gen = ?4, https, preferred`, []any{id, h.HTTPS,
		preferredText(h.PreferredHost, h.Reached), gen},
		&isChanged, &merged.HTTPS, Preferred(&merged.PreferredHost, &merged.Reached))
	in.Hosts[host] = merged
	if isChanged {
		in.Changed[host] = in.Changed[host].Update(h)
	}
	return err
}

// WriteEvidence stores the evidence of an item, or deletes it if it is nil, as part of the generation that it starts.
func (in *Interner) WriteEvidence(inHost string, e review.ItemEvidence) error {
	if e.Evidence == nil {
		return in.Exec("DELETE FROM evidence WHERE item_id = ?", e.ID)
	}
	next, err := in.NextGen()
	if err == nil {
		err = Unpostpone(in, e.ID)
	}
	if err != nil {
		return err
	}
	return in.PutEvidence(inHost, e, next)
}

// ReplaceEvidence is WriteEvidence for an item that is there, with its link and the content of its page, which keep
// stores.
func (in *Interner) ReplaceEvidence(e review.ItemEvidence, keep func(review.ItemEvidence) error) error {
	var inHost string
	found, err := in.Find("SELECT h.name FROM item i JOIN host h ON h.id = i.in_host_id WHERE i.id = ?", []any{e.ID},
		&inHost)
	if err == nil && !found {
		err = NoItem(e.ID)
	}
	if err == nil {
		err = in.WriteEvidence(inHost, e)
	}
	if err != nil {
		return err
	}
	return keep(e)
}

// Refresh replaces the evidence of an item by one with the same content and a new date. No result changes.
func Refresh(t Tx, e review.ItemEvidence, keep func(review.ItemEvidence) error) error {
	body, err := EvidenceText(e.ID, e.Evidence)
	if err == nil {
		err = hit(t, NoItem(e.ID), "UPDATE evidence SET body = ?, due = ?, seal = ? WHERE item_id = ? RETURNING 1",
			body, Millis(e.Due), Seal(body), e.ID)
	}
	if err == nil {
		err = Unpostpone(t, e.ID)
	}
	if err != nil {
		return err
	}
	return keep(e)
}

// Unpostpone deletes the postponement of an item: there is new evidence.
func Unpostpone(t Tx, item int64) error {
	return t.Exec("DELETE FROM postponed WHERE item_id = ?", item)
}

// ReplacedInputs returns the titles and evidence, as they were read, that a change replaces.
func ReplacedInputs(t Tx, c *Change) ([]review.ReplacedInput, error) {
	if c.Inputs != nil {
		return c.Inputs, nil
	}
	var list []review.ReplacedInput
	err := ForEach(c.Evidence, func(e review.ItemEvidence) error {
		var title, body string
		found, err := t.Find("SELECT i.title, coalesce(e.body, '') FROM item i LEFT JOIN evidence e ON e.item_id = i.id "+
			"WHERE i.id = ? AND coalesce(e.gen, 0) = 0", []any{e.ID}, &title, &body)
		if err != nil || !found {
			return err // replaced before, or not there
		}
		ev, err := ParseEvidence(e.ID, body)
		list = append(list, review.NewReplacedInput(e.ID, title, ev))
		return err
	})
	return list, err
}
