// Package suggest proposes overrides that nobody has written yet, from stored facts: different URLs with similar text
// (DUST, seed 002), redirects, canonical links and the decisions of people. It writes no rule.
//
// # Tour
//
//	evidence -> observations -> templates -> tallies -> suggestions
//
// Mine (mine.go) reads a desk, and counts the stored URLs that each suggestion changes (reach.go). Find (suggest.go) is
// the same for pages alone. List (result.go) mines everything that is stored, and stores the result; Last returns it
// with its age. A dismissed suggestion is in the list, with its dismissal.
//
//   - A Page (page.go) is a stored URL in its base form, the canonical URL without evidence of its own, with the facts
//     that its evidence and its decision state about it. Two URLs of one base form are one under the current rules
//     already, so nothing that the rules do is ever suggested. Error pages, and texts under more than maxPaths paths of
//     a host, state nothing, but some that no page is there.
//   - A Template (template.go) is one smallest difference between two URLs, such as a parameter, a path segment or the
//     host. derive (derive.go, capture.go) finds those of a pair, propose (propose.go) the pairs to look at.
//     Suggestion.Override is the rule that a template is.
//   - A Vote (vote.go) says that a pair of URLs speaks for or against a template, by its Signal. Each template of a
//     host is tried on all pages of the host, not only on those that it comes from.
//   - A Suggestion (suggest.go) is a template on a host, below the path where votes support it, with its Tally of
//     distinct pages for and against (scope.go). The same parameter or extension on minHosts hosts is one for all of
//     them (hosts.go), unless too many others oppose it (oppose.go).
//   - Offers (Offer, offer.go) are suggestions that no vote is about. They only name URLs to ask about.
//
// Weigh (weigh.go) counts the same votes about templates that come from elsewhere: from the fixes of a cause (package
// cause), and from files of rules that others share (Import; shared.go, shared_pattern.go, segments.go). States
// (states.go) is the one notion of evidence that states something; whoever takes evidence for a reason asks it.
//
// The age of a result is the number of log entries since its mining began. A check of a link writes no entry, nor does a
// page that only has another text: the age does not tell of them, and the next mining reads them.
//
// Counted are distinct pages, not URLs: thousands of URLs that all show one page say as much as two of them.
//
// Sources: Schonfeld, Bar-Yossef and Keidar, "Do not crawl in the DUST" (2006); Wilson, "Probable inference" (1927).
package suggest
