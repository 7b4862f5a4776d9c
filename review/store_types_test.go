package review_test

import (
	"os"
	"reflect"
	"regexp"
	"testing"

	"visto/review"
)

// maxFields is the number of fields that a reader of a type can keep in mind.
const maxFields = 12

// wide are the types that may have more, because nobody fills in or reads all fields at once.
var wide = map[reflect.Type]string{
	reflect.TypeFor[review.Filter]():    "conditions, of which a query sets one or two",
	reflect.TypeFor[review.Item]():      "a stored URL, of which each view shows some parts",
	reflect.TypeFor[review.EntryBody](): "the format of the log, a part for each action",
}

// changes has one of each type of review.Change.
var changes = []review.Change{review.Decide{}, review.AddNotes{}, review.ChangeRules{}, review.ProposeRules{},
	review.Recanon{}, review.AddEvidence{}, review.Revert{}, review.Forget{}}

// No type of this package that crosses the interface of the store has too many fields.
func TestStoreTypesAreSmall(t *testing.T) {
	w := typeWalk{T: t, seen: map[reflect.Type]bool{}}
	w.walk(reflect.TypeFor[review.Replayer]())
	for _, c := range changes {
		w.walk(reflect.TypeOf(c))
	}
	for p := range wide {
		if !w.seen[p] {
			t.Errorf("%s does not cross the interface", p)
		}
	}
	source, err := os.ReadFile("change.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(regexp.MustCompile(`(?m)^func \(\w+\) isChange\(`).FindAll(source, -1)); n != len(changes) {
		t.Errorf("%d types of changes are judged, of %d", len(changes), n)
	}
}

// typeWalk finds all types that a type is made of.
type typeWalk struct {
	*testing.T
	seen map[reflect.Type]bool
}

func (w *typeWalk) walk(p reflect.Type) {
	if w.seen[p] {
		return
	}
	w.seen[p] = true
	switch p.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		w.walk(p.Elem())
	case reflect.Map:
		w.walk(p.Key())
		w.walk(p.Elem())
	case reflect.Func:
		for in := range p.Ins() {
			w.walk(in)
		}
		for out := range p.Outs() {
			w.walk(out)
		}
	case reflect.Interface:
		for m := range p.Methods() {
			w.walk(m.Type)
		}
	case reflect.Struct:
		w.judge(p)
	}
}

func (w *typeWalk) judge(p reflect.Type) {
	if p.PkgPath() != reflect.TypeFor[review.Item]().PkgPath() {
		return
	}
	if n := p.NumField(); n > maxFields && wide[p] == "" {
		w.Errorf("%s has %d fields", p, n)
	}
	for field := range p.Fields() {
		w.walk(field.Type)
	}
}
