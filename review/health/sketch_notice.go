package health

// notices are the notices that come and go, each as groups of meanings: a line is one if it has a word of each group.
var notices = [][]class{
	{cookie},
	{maintenance, site, outage | apology | closed},
	{maintenance, works, outage | site | weekday | month},
	{outage, site, apology | weekday | demand},
	{outage, works, maintenance | weekday},
	{apology},
	{survey, opinion},
	{telling, opinion},
	{useful, pageWord, opinion | useful},
	{app, download},
	{subscribe, newsletter},
	{social, follow},
	{fraud},
	{browser, script},
	{assistant, opinion | follow},
	{welcome, renewed, site},
	{weather, label},
	{demand, delay},
	{closed, site | weekday, weekday | month},
	{translated, machine},
	{language, outage},
	{thirdParty, consent},
	{schedule, special},
	{mistake, pageWord},
	{wishes},
}

// excuse is the meanings by which a line about a payment or a signature is a notice after all: it does not work today.
const excuse = maintenance | apology | incident | fraud

// isNotice reports whether a line is a notice that comes and goes, or a button. A line about amounts, terms or
// requirements is none, nor is one about a thing to hand in, to sign or to pay, unless it has an excuse.
func (r *textReader) isNotice(l *line) bool {
	headed := r.label
	r.label = l.isLabel()
	if r.label || l.isButtons() {
		return true
	}
	if l.has(cookie) {
		return true
	}
	if l.has(strongSubstance | money) {
		return false
	}
	if l.has(procedure) && !l.has(excuse) {
		return false
	}
	if (headed || l.isLabelled()) && !l.has(substance) {
		return true
	}
	for _, groups := range notices {
		if l.hasAll(groups) {
			return true
		}
	}
	return false
}

func (l *line) hasAll(groups []class) bool {
	for _, group := range groups {
		if !l.has(group) {
			return false
		}
	}
	return true
}

// isLabel reports whether a line is the heading of a notice and no more: "Aviso importante".
func (l *line) isLabel() bool {
	if len(l.tokens) > 4 {
		return false
	}
	for _, t := range l.tokens {
		if t.kind == wordToken && !t.is(label) {
			return false
		}
	}
	return l.has(label)
}

// maxLabel is the number of tokens of the name of a notice and its colon: "Aviso a las personas usuarias:".
const maxLabel = 7

// isLabelled reports whether a line begins with the name of a notice and a colon or a full stop: "Aviso:".
func (l *line) isLabelled() bool {
	named := false
	for _, t := range l.tokens[:min(maxLabel, len(l.tokens))] {
		switch {
		case t.text == ":", t.text == ".":
			return named
		case t.is(label):
			named = true
		}
	}
	return false
}

// isButtons reports whether a line has only names of buttons.
func (l *line) isButtons() bool {
	for _, t := range l.tokens {
		if t.kind == numberToken || t.kind == wordToken && !t.is(button|connector) {
			return false
		}
	}
	return l.has(button)
}
