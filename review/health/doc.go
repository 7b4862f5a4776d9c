// Package health follows links over time: whether the page behind a URL still answers, and whether it is still the page
// that a person accepted. It knows no network, no clock and no database: a Record takes one Check after the other.
//
// # Tour
//
//   - A [Check] (check.go) is one request and its outcome, an [Observation] also has the [Page] that it read.
//   - A [Record] (record.go) holds the checks of one URL, its [State] and the page that was accepted last. Record.Add
//     takes the next check, moves the state, and raises flags where the page now differs from the accepted one; span.go
//     keeps since when, explain.go tells people. pack.go writes a Record as bytes.
//   - A [Sketch] (sketch.go) stands for a text. Two of them tell how much the text changed.
//   - A [Summary] (summary.go) counts many links by state and by [Domain] (domain.go), and lists their [Issue]s
//     (issue.go) with those that are new or resolved since an earlier time: moment.go has a link as it was then.
//   - [Settings] (schedule.go) are the keys of a policy for all this, and Record.Due tells when to ask next.
//
// Sources: section 16 of the specification and the link-checking document of Clara's team. The states are
//
//	active    the page answers, or failed less than 3 times in a row
//	degraded  3 failures in a row; one success ends it
//	inactive  no success for 7 calendar days from the first failure, or 410 Gone; only a person ends it, after a
//	          success
//
// An answer of 429 is no failure, and neither are a machine without network and a robots.txt that forbids asking. A
// robots.txt that answers 5xx is one: the server is down. A failure changes no result of a page that answered before.
//
// A flag compares the newest page with the accepted one: the page at the time of the last decision that approves the
// URL, or at the first check if that came later. So slow drift adds up until a person has seen it. A person who
// approves the URL again accepts the page as it is then.
package health
