// Package lint finds URLs in a file that are not canonical, corrected, rejected or not decided. It reads no file and
// prints nothing.
//
// [Linter.Judge] (lint.go) judges one URL that package read has found. It asks [Decisions] (entry.go) for the decision
// on the URL, then for that on the URL to cite, and so on to the end of the chain. Each answer is an [Entry]. The
// [Judgement] has the URL to cite in the end, or a [Finding] (finding.go) that says why there is none. message.go has
// the words.
//
// A [Plan] (plan.go) has the edits that put a file in order, for read.Rewrite: URLs, and fields of records as each
// [Setting] says.
//
// There are three sources of decisions: [Stored] (stored.go) asks a database, [Registry] (registry.go) an export of
// one, and [Rules] (rules.go) the policy and overrides alone. The first two ask the rules about URLs that they lack. A
// source is asked with the URL, the file, the record and the field, so that a decision for one record alone has its
// place there.
package lint
