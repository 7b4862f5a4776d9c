package extract

import (
	"strconv"
	"strings"
	"time"

	"visto/review/lazyregexp"
)

// zonedForms are the forms of a time with its zone, dateForms those without one, of which only the date counts: RFC
// 3339 has no time without a zone.
var (
	zonedForms = []string{
		time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00",
		"2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 -0700", time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 GMT",
	}
	dateForms = []string{
		time.DateOnly, "2006-1-2", "2006/1/2", "20060102", "2/1/2006", "2-1-2006", "2.1.2006", "January 2, 2006",
	}
)

// timeTail is the time of a day after a date, without a zone.
var timeTail = lazyregexp.New(`^(.{8,10}?)(?:T|,? +)(?:a las )?` +
	`\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:\.\d+)?)?(?: ?h\.?)?$`)

// readDate returns a date or a time in the form of RFC 3339, nothing if the text is none. The day of a date in numbers
// stands before its month, as in Spain.
func readDate(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 60 {
		return ""
	}
	for _, form := range zonedForms {
		if t, err := time.Parse(form, text); err == nil && isPlausible(t) {
			return t.Format(time.RFC3339)
		}
	}
	if m := timeTail().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	for _, form := range dateForms {
		if t, err := time.Parse(form, text); err == nil && isPlausible(t) {
			return t.Format(time.DateOnly)
		}
	}
	return readLongDate(text)
}

// isPlausible reports whether a page may have been written then. Templates state the year 1 or 1970.
func isPlausible(t time.Time) bool { return t.Year() > 1970 && t.Year() < 2200 }

// months are the names of the months in Spanish, Catalan, Galician and English, in lower case.
var months = func() map[string]time.Month {
	names := map[string]time.Month{}
	for i, list := range []string{
		"enero gener xaneiro january", "febrero febrer febreiro february", "marzo març march", "abril april",
		"mayo maig maio may", "junio juny xuño june", "julio juliol xullo july", "agosto agost august",
		"septiembre setiembre setembre setembro september", "octubre outubro october",
		"noviembre novembre novembro november", "diciembre desembre decembro december",
	} {
		for name := range strings.FieldsSeq(list) {
			names[name] = time.Month(i + 1)
		}
	}
	return names
}()

// longDate is a date such as "5 de marzo de 2024", "5 d'abril de 2024" or "5 March 2024".
var longDate = lazyregexp.New(`(?i)^(\d{1,2}) (?:de |d['’])?(\pL+) (?:del? )?(\d{4})$`)

func readLongDate(text string) string {
	m := longDate().FindStringSubmatch(strings.Join(strings.Fields(text), " "))
	if m == nil {
		return ""
	}
	day, _ := strconv.Atoi(m[1])
	year, _ := strconv.Atoi(m[3])
	month := months[strings.ToLower(m[2])]
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if month == 0 || t.Day() != day || !isPlausible(t) {
		return ""
	}
	return t.Format(time.DateOnly)
}

// pdfForm is a date of a PDF (ISO 32000-2 section 7.9.4): D:YYYYMMDDHHmmSSOHH'mm, from the end on optional.
var pdfForm = lazyregexp.New(`^(?:D:)?(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})(?:(Z)|([+-]\d{2})'?(\d{2})))?`)

// pdfDate returns a date of a PDF in the form of RFC 3339, nothing if it states no day.
func pdfDate(text string) string {
	m := pdfForm().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return ""
	}
	date := m[1] + "-" + m[2] + "-" + m[3]
	switch {
	case m[7] != "":
		date += "T" + m[4] + ":" + m[5] + ":" + m[6] + "Z"
	case m[8] != "":
		date += "T" + m[4] + ":" + m[5] + ":" + m[6] + m[8] + ":" + m[9]
	}
	return readDate(date)
}
