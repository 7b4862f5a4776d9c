package health

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// placeholder stands in the words of a text for each number: the figures tell numbers apart.
const placeholder = "0"

// dropCounters removes the numbers that count visits, results and the like, file sizes, temperatures and codes of
// sessions.
func (l *line) dropCounters() {
	paged := l.has(shown)
	defer l.dropRatings()
	for i := range l.tokens {
		t := &l.tokens[i]
		switch {
		case t.done:
		case t.kind == numberToken && l.isCounter(i, paged):
			t.drop, t.done, l.counter = true, true, true
		case t.kind == numberToken && (l.at(i+1).is(size) || l.at(i+1).text == "°" || l.isFacet(i)):
			t.drop, t.done = true, true
		case t.is(session) && isCodeSign(l.at(i+1).text):
			t.drop = true
			l.dropCode(i + 2)
		case t.text == "©" || t.text == "copyright":
			l.dropYears(i)
		}
	}
	l.dropLongCodes()
}

// isCounter reports whether a number is that of a counter: "1.234 visitas", "Visitas: 1.234", "visto 12 veces",
// "Mostrando 1 a 10 de 234 resultados".
func (l *line) isCounter(i int, paged bool) bool {
	for group := 1; group < maxGroups && l.isGroup(i+1); group++ {
		i++ // "1 234 visitas"
	}
	next, before := l.at(i+1), l.at(i-1)
	switch {
	case before.text == "quedan" || before.text == "restan":
		return true
	case next.is(unit) && (before.is(watched) || l.at(i-2).is(watched) && before.is(connector|unit)):
		return true // "leído por 12 personas"
	}
	if next.is(unit) && !next.is(times) && next.text != "por" && !l.isReading(i) {
		return false
	}
	switch {
	case next.is(money):
		return false
	case next.is(counted), l.isReading(i), before.is(counted) && !isYear(l.tokens[i].text):
		return true
	case next.is(times) && before.is(counted):
		return true
	case before.text == ":" && l.hasBefore(i-1, counted|watched):
		return true
	case paged:
		return l.isShown(i)
	}
	return l.at(i+2).is(counted) && next.kind == wordToken && !next.is(connector)
}

// maxGroups is the number of groups of three digits in a number: more are a list.
const maxGroups = 5

// isGroup reports whether a token can be three digits more of the number before it.
func (l *line) isGroup(i int) bool {
	t := l.at(i)
	return t.kind == numberToken && !t.glued && len(t.text) == 3
}

// isReading reports whether a number is the time that reading takes, or waiting: "3 minutos de lectura".
func (l *line) isReading(i int) bool {
	for j := max(0, i-4); j < min(i+5, len(l.tokens)); j++ {
		switch l.tokens[j].text {
		case "lectura", "reading", "irakurketa", "read", "espera":
			return strings.HasPrefix(l.at(i+1).text, "min")
		}
	}
	return false
}

// maxPhrase is the number of tokens between the name of a counter and its colon: "Consultas en el último mes: 12".
const maxPhrase = 10

// hasBefore reports whether one of the tokens of the sentence before one has a class.
func (l *line) hasBefore(i int, c class) bool {
	for j := i - 1; j >= max(0, i-maxPhrase) && !l.endsSentence(j); j-- {
		if l.tokens[j].is(c) && l.tokens[j].text != "entradas" && l.tokens[j].text != "citas" {
			return true
		}
	}
	return false
}

// dropRatings removes the other numbers of a line about counters, such as "3,9 sobre 5", unless they have a unit.
func (l *line) dropRatings() {
	for i := range l.tokens {
		if t := &l.tokens[i]; l.counter && t.kind == numberToken && !t.done && !l.isMeasured(i) && !l.has(substance) {
			t.drop, t.done = true, true
		}
	}
}

// isShown reports whether a number tells which part of a list is shown: "página 2 de 9", "mostrando 1-10 de 234".
func (l *line) isShown(i int) bool {
	for j := i - 1; j >= max(0, i-8); j-- {
		t := l.tokens[j]
		if t.is(shown) {
			return t.text != "pag" && t.text != "pagina" || i-j <= 3
		}
		if t.kind == wordToken && !t.is(connector) && !t.is(counted) {
			return false
		}
	}
	return false
}

// isFacet reports whether a number stands alone in parentheses, as the number of entries behind a link does: "Becas
// (23)". "quince (15) días" is none.
func (l *line) isFacet(i int) bool {
	return l.at(i-1).text == "(" && l.at(i+1).text == ")" && !l.isMeasured(i+1) && !l.at(i-2).is(numeral)
}

func isCodeSign(text string) bool { return text == ":" || text == "=" || text == "#" }

// dropCode removes the glued tokens of a code.
func (l *line) dropCode(i int) {
	for ; i < len(l.tokens) && l.tokens[i].text != ")" && l.tokens[i].text != "|"; i++ {
		l.tokens[i].drop, l.tokens[i].done = true, true
		if !l.at(i + 1).glued {
			return
		}
	}
}

// dropYears removes the years after a copyright sign.
func (l *line) dropYears(i int) {
	for j := i + 1; j < min(i+4, len(l.tokens)); j++ {
		if t := &l.tokens[j]; t.kind == numberToken {
			t.drop, t.done = true, true
		}
	}
}

// minCode is the length of a code that no person would write.
const minCode = 12

// dropLongCodes removes glued letters and digits that change between each other often, as in a code of a session. An
// account has few letters.
func (l *line) dropLongCodes() {
	for i := 0; i < len(l.tokens); {
		end, changes, length := i+1, 0, len(l.tokens[i].text)
		for ; end < len(l.tokens) && l.tokens[end].glued && l.tokens[end].kind != signToken; end++ {
			length += len(l.tokens[end].text)
			changes++
		}
		if changes >= 3 && length >= minCode {
			for j := i; j < end; j++ {
				l.tokens[j].drop, l.tokens[j].done = true, true
			}
		}
		i = end
	}
}

// takeFigures makes figures of the numbers that are left, and of numerals before a unit. Numbers that name something,
// such as an article or a form, are names. Those of telephones are neither.
func (l *line) takeFigures() {
	for i := 0; i < len(l.tokens); i++ {
		t := &l.tokens[i]
		switch {
		case t.done || t.drop:
		case t.kind == numberToken:
			if end := l.phoneEnd(i); end > i {
				i = end - 1
			} else if l.isName(i) {
				l.names = append(l.names, t.text)
			} else {
				l.figures = append(l.figures, plainNumber(t.text))
			}
		case t.is(numeral):
			i = l.takeNumeral(i)
		}
	}
}

// phoneEnd returns the index behind a telephone number, or i if there is none: nine digits in groups, or digits after
// the word.
func (l *line) phoneEnd(i int) int {
	isPhone := func(t token) bool { return t.is(phone) }
	named := slices.ContainsFunc(l.tokens[max(0, i-4):i], isPhone)
	end, digits := i, 0
	for ; end < len(l.tokens) && l.tokens[end].kind == numberToken && !l.tokens[end].done; end++ {
		if digits += countDigits(l.tokens[end].text); digits > maxPhone && !named {
			return i
		}
	}
	if named || digits >= minPhone && digits <= maxPhone && !l.isMeasured(end-1) {
		return end
	}
	return i
}

// The digits of a telephone number, with those of its country.
const (
	minPhone = 9
	maxPhone = 12
)

func countDigits(text string) (n int) {
	for _, r := range text {
		if isDigit(r) {
			n++
		}
	}
	return n
}

// isName reports whether a number names something: an article, a form, an entry of a list, a law, a postal code.
func (l *line) isName(i int) bool {
	text := l.tokens[i].text
	if l.isMeasured(i) {
		return false
	}
	before := l.at(i - 1)
	switch {
	case i == 0 && (l.at(1).text == "." || l.at(1).text == ")"):
		return true
	case l.tokens[i].glued && (before.kind == wordToken || before.text == "-" && l.at(i-2).kind == wordToken):
		return true // "EX-15", "C2"
	case isLaw(text):
		return true
	case len(text) >= 5 && countDigits(text) == len(text):
		return true // a postal code, the number of a file
	}
	for j := i - 1; j >= max(0, i-3); j-- {
		switch t := l.tokens[j]; {
		case t.is(reference):
			return true
		case t.kind == wordToken && !t.is(connector):
			return l.at(j-1).is(reference) && l.at(j-1).text != "a"
		}
	}
	return false
}

// isLaw reports whether a number has a year as that of a law: "39/2015". "2024/2025" is a period.
func isLaw(text string) bool {
	number, year, ok := strings.Cut(text, "/")
	return ok && isYear(year) && !isYear(number)
}

// isMeasured reports whether a number or a numeral has a unit: "25 %", "30 días hábiles", "diez días".
func (l *line) isMeasured(i int) bool {
	for j := i + 1; j <= i+2; j++ {
		t := l.at(j)
		if t.is(unit|money) && !t.is(reference) {
			return true
		}
		if !t.is(unitMiddle) && t.text != ")" && t.text != "(" {
			break
		}
	}
	return l.at(i - 1).is(money)
}

// takeNumeral makes a figure of the numerals that begin at a token, if a unit follows: "treinta y cinco días". It
// returns the index of the last token that it read.
func (l *line) takeNumeral(i int) int {
	sum, end := 0, i
	for j := i; j < len(l.tokens); j++ {
		t := l.tokens[j]
		if t.is(numeral) {
			n, _ := strconv.Atoi(words().lookup(t.text).value)
			if n == 1000 {
				sum = max(1, sum) * n
			} else {
				sum += n
			}
			end = j
		} else if t.text != "y" && t.text != "i" && t.text != "-" || !l.at(j+1).is(numeral) {
			break
		}
	}
	basque := l.at(i-1).is(unit) && l.tokens[i].text == "bat"
	if !basque && (!l.isMeasured(end) || l.at(end+1).text == "por" && l.at(end+2).text != "ciento") {
		return end
	}
	l.figures = append(l.figures, strconv.Itoa(sum))
	for j := i; j <= end; j++ {
		l.tokens[j].drop = true
	}
	l.tokens[end].text, l.tokens[end].drop, l.tokens[end].kind = placeholder, false, numberToken
	l.tokens[end].done = true
	return end
}

// plainNumber returns a number without separators of thousands and zeros that add nothing, with a decimal point:
// "1.200,50" is "1200.5", "480,00" is "480".
func plainNumber(text string) string {
	separators := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
	if strings.Trim(separators, ".,'") != "" {
		return text
	}
	last := strings.LastIndexAny(text, ".,'")
	if last < 0 {
		return strings.TrimLeft(text, "0")
	}
	whole, fraction := text[:last], text[last+1:]
	// a dot, or a sign that stands twice, separates thousands; so does any before three digits
	if len(fraction) == 3 || strings.Count(separators, separators[len(separators)-1:]) > 1 {
		whole, fraction = whole+fraction, ""
	}
	whole = strings.TrimLeft(strings.NewReplacer(".", "", ",", "", "'", "").Replace(whole), "0")
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		return whole + "." + fraction
	}
	return whole
}
