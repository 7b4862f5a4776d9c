package canon

import "bytes"

// queryTriggers: any query, if the policy filters, escapes or sorts queries.
func queryTriggers(r *registrar) {
	doc := &r.policy.doc
	r.when(len(doc.Allowed)+len(doc.Defaults) > 0 || doc.PlusIsSpace || doc.EscapeValues || doc.Sort != "none",
		&r.query)
}

// stepQuery filters, escapes and sorts the remaining parameters, for policies that ask for it. A "+" becomes a space
// (application/x-www-form-urlencoded of the WHATWG URL standard) before names and values are compared.
func (r *run) stepQuery() {
	if !r.u.hasQuery {
		return
	}
	doc := &r.policy.doc
	if doc.PlusIsSpace {
		r.u.query = bytes.ReplaceAll(r.u.query, []byte("+"), []byte("%20"))
	}
	if len(doc.Allowed) > 0 || len(doc.Defaults) > 0 {
		r.u.filterQuery(r.isWanted)
	}
	if len(doc.Allowed) > 0 {
		r.u.query = dropEmptyPairs(r.u.query)
	}
	if doc.EscapeValues {
		r.u.query = escapeValues(r.u.query)
	}
	if doc.Sort != "none" {
		r.u.query = sortQuery(r.u.query, doc.Sort == "key-value")
	}
	r.endQuery()
}

// isWanted reports whether the pair is allowed and does not merely repeat a default (seed 002, "Removing arbitrary" and
// "default querystring variables"; seed 004, step 5). Allowed names are compared with their case, because a site knows
// its own. An override may keep a parameter.
func (j *judge) isWanted(p pair) bool {
	facts := j.named(p.name)
	name := facts.lower
	if j.rules.action(name) == isKept {
		return true
	}
	if len(j.policy.doc.Allowed) > 0 && j.policy.keepOnly.kind([]byte(facts.name)) == 0 {
		j.noteParam([]byte(facts.name), "is not one of the parameters of this site")
		return false
	}
	if value, ok := j.policy.defaults[string(name)]; ok && value == string(decode(nil, p.value)) {
		j.noteParam(name, "has its default value")
		return false
	}
	return true
}

// escapeValues encodes reserved characters in values (seed 002, "Standardizing character encoding"): "foo/bar+baz"
// becomes "foo%2Fbar%2Bbaz".
func escapeValues(query []byte) []byte {
	escaped := make([]byte, 0, len(query)+16)
	for i, text := range bytes.Split(query, []byte{'&'}) {
		if i > 0 {
			escaped = append(escaped, '&')
		}
		name, value, ok := cut(text, '=')
		escaped = append(escaped, name...)
		if ok {
			value, _ = normalize(new([]byte), value, unreserved, asTheyCame)
			escaped = append(append(escaped, '='), value...)
		}
	}
	return escaped
}
