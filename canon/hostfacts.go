package canon

import "bytes"

// hostFacts is what the policy and the overrides say of a host.
type hostFacts struct {
	name               string
	allowed, shortener bool
	suspect            string  // why the host may be another than it seems; empty: it is not suspicious
	prefers            string  // the host that the domain map leads to; empty: the map has none
	rules              []*rule // overrides that match the host, whatever path they are for
	due                stepSet // rows that have something to do for every URL on it
}

// host returns what is known of the host under work.
func (r *run) host() *hostFacts {
	facts := r.hosts.get(r.u.ascii)
	if facts == nil {
		facts = r.newHostFacts(r.u.ascii)
	}
	return facts
}

// wireHost returns what is known of a host as it is written, nil if that is not its wire form, or if it cannot be a host.
func (r *run) wireHost(host []byte) *hostFacts {
	facts := r.hosts.get(host)
	if facts == nil {
		if ascii, bad := asciiHost(host); bad != nil || !bytes.Equal(ascii, host) {
			return nil
		}
		facts = r.newHostFacts(host)
	}
	return facts
}

func (r *run) newHostFacts(ascii []byte) *hostFacts {
	p := r.policy
	facts := &hostFacts{
		name: string(ascii), allowed: p.allowed.has(ascii), shortener: p.shortener[string(ascii)],
		suspect: p.suspect(ascii), prefers: p.prefers(ascii), rules: r.overrides.of(string(ascii)),
	}
	facts.due = p.triggers.ofHost(facts)
	r.hosts.put(facts.name, facts)
	return facts
}
