// Package cause groups open URLs by the cause that keeps them open, and proposes fixes for it.
//
// A [Cause] is a flag that many open URLs share together with a host, fields or a path (cause.go). [List] counts all
// causes in two passes over the store: count.go counts by host, field.go by the fields of one meaning, path.go by
// parameter and path across hosts, advertising.go all identifiers of advertising on any host. Parameters are one cause if they occur on the same URLs of the host or the path: a
// hash of each URL is added up. A host with and without "www." is one cause if the flag is on both (www.go). A [Site]
// (site.go) says that most of a domain fails.
//
// The best cause comes first: that which concerns most URLs, where those that it settles by itself count twice. A cause
// all of whose URLs another one settles with the same result comes after it, for it has fewer, and folds into it
// (fold.go).
//
// [Examine] looks at one cause and returns a [Study] (study.go): samples, path prefixes, parameters, fields or hosts to
// narrow the cause to, and the possible fixes. A [Fix] is overrides, for each host or each field, or one decision about
// all URLs of the cause (fix.go). Some fixes can only be found in the URLs (more.go). Each fix carries the reasons for
// it, taken from evidence, from earlier decisions and from overrides elsewhere (reason.go). Those about parameters are
// the votes of package suggest (votes.go), whose minimum support all evidence needs. The only fix that its reasons
// support is recommended. Nothing is ever written because of it.
//
// [WithSuggestions] adds the rules that visto/review/suggest proposes as causes of their own kind (suggestion.go), and
// [OfSuggestion] is the study of one.
//
// The package reads through the [Desk] interface, which a review.Desk implements.
package cause
