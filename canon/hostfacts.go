package canon

import "bytes"

// hostFacts holds the findings of policy and overrides about one host.
type hostFacts struct {
	name               string
	allowed, shortener bool
	suspect            string  // why it may deceive; empty: not suspicious
	prefers            string  // the host that the policy prefers; empty: none
	rules              []*rule // overrides for the host, whatever their path
	due                stepSet // steps with work to do for every URL on it
}

// host returns the facts about the present host.
func (r *run) host() *hostFacts {
	facts := r.hosts.get(r.u.ascii)
	if facts == nil {
		facts = r.newHostFacts(r.u.ascii)
	}
	return facts
}

// wireHost returns the facts about a host in wire form. It returns nil if the host is not in wire form, or is refused.
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
