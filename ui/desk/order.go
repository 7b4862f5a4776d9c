package desk

import (
	"fmt"
	"strings"

	"visto/review"
)

// Order is an order of the queue with its name.
type Order struct {
	Name string
	Sort review.Sort
	Desc bool
}

// Orders are the orders of the queue, as a menu lists them.
var Orders = []Order{
	{"as they were added", review.ByID, false}, {"last added first", review.ByID, true},
	{"host", review.ByHost, false}, {"host, from the end", review.ByHost, true},
	{"canonical URL", review.ByURL, false}, {"canonical URL, from the end", review.ByURL, true},
	{"status", review.ByStatus, false}, {"status, from the end", review.ByStatus, true},
	{"flags", review.ByFlags, false}, {"flags, from the end", review.ByFlags, true},
	{"first decided first", review.ByDecided, false}, {"last decided first", review.ByDecided, true},
	{"reviewer", review.ByDecider, false}, {"reviewer, from the end", review.ByDecider, true},
	{"record", review.ByRecord, false}, {"record, from the end", review.ByRecord, true},
	{"surest first", review.ByDoubt, false}, {"most doubtful first", review.ByDoubt, true},
	{"shortest first", review.ByLength, false}, {"longest first", review.ByLength, true},
}

// OrderName names the order of a query. The order of the IDs, in which nothing is sorted, has no name.
func OrderName(q review.Query) string {
	for _, o := range Orders {
		if o.Sort == q.Sort && o.Desc == q.Desc && (o.Sort != review.ByID || o.Desc) {
			return o.Name
		}
	}
	return ""
}

// ParseOrder reads the word for an order. A leading - reverses it.
func ParseOrder(word string) (sort review.Sort, desc bool, err error) {
	name, desc := strings.CutPrefix(word, "-")
	sort, ok := review.ParseSort(name)
	if !ok {
		err = fmt.Errorf("there is no order %q: %s", word, OrderWords())
	}
	return sort, desc, err
}

// OrderWords lists the words that [ParseOrder] reads.
func OrderWords() string {
	var list []string
	for _, s := range review.Sorts() {
		list = append(list, s.String())
	}
	return strings.Join(list, ", ")
}
