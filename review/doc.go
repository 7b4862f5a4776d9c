// Package review is the review of URLs: how they come in, who decides about them, and what goes out.
//
// The tour, in the order in which a URL meets it:
//
//   - intake: review/read finds URLs in files. Desk.Add (intake.go) canonicalizes them and stores them, with their evidence if
//     there is any (evidence.go).
//   - queue: an Item (item.go) is a stored URL. Stand is the one rule for where its review stands. Filter, Query and Cursor
//     (queue.go) select and order items; review/cause groups those that one action would settle; Desk.Detail (detail.go) is all
//     that is known about one, with URLs that could be cited in its place (alternative.go); Desk.Around (around.go) adds its
//     neighbours and how its rules came about.
//   - decision: Desk.Decide, DecideAll and Note (decision.go) write what a person decided, as one batch; Desk.DecisionEffect
//     (decision_effect.go) says before what that would do. Desk.Undo and Redo
//     (undo.go) take batches back and bring them back.
//   - override: Desk.Effect and SaveOverrides (override.go) show and write what a rule does to all stored URLs; Amend (amend.go) merges
//     a rule into one that stands; effect.go does the counting, and recanon.go the same for another policy.
//   - probing: Desk.Asks says what to ask the network, Probing (probing.go) has a Prober ask it and stores each answer with what follows
//     from it; what an answer says of a host is spread over the other URLs on it (spread.go). A Seat (probing_seat.go) keeps other programs
//     from probing meanwhile. review/probe is the prober.
//   - export: a Record (record.go) is an item as it goes out; Desk.Export (export.go) writes many.
//
// Each URL of which a probe learns something new has a log entry of its own with that evidence, for from it its canonical URL
// follows; evidence that only confirms what was known is stored without one, or the log would grow with every look. What evidence
// says (said in evidence.go) is compared with the log by Check; how and when it was gathered is not.
//
// Whatever is written goes into the append-only log (log.go), which log_file.go writes to a file and verifies there, and Desk.Check (check.go)
// compares it with what is stored; Desk.Replay (replay.go) does all of it again in a fresh store. Desk.Stats (stats.go) counts, and says how
// fast the work went (pace.go).
//
// A Desk (desk.go) computes; a Store (store.go), of which this package owns the interface and no implementation, keeps. Canonicalizing
// a URL needs nothing but the URL, its evidence and the rules, so results are computed before a transaction begins, on all cores
// (stream.go), and the store refuses them if the rules have changed meanwhile.
//
// Texts are stored as they came, whatever bytes they hold, and printed nowhere in this package: what shows them escapes them.
package review
