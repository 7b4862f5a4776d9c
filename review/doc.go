// Package review is the domain of visto: URLs that come in, reviewers who decide about them, and results that go out.
//
// # Tour
//
// A [Desk] (desk.go) serves one reviewer. It computes and validates under the rules of the store (rules.go); a
// [Store] (store.go) keeps. A [Change] (change.go) is everything that one transaction writes. This package owns the
// Store interface and no implementation. The Desk is made of parts, each named after the file of its noun: itemDesk,
// queueDesk, decisionDesk, ruleDesk and linkDesk. A URL passes these stations:
//
//   - intake: the package read finds URLs in files, with the records that cite them. [Desk.Add] (intake.go)
//     canonicalizes them with their evidence (evidence.go) and stores each place as an [Occurrence] (occurrence.go).
//     A place that a file read again no longer has is gone; [Desk.Forget] says so of a whole file.
//   - queue: an [Item] (item.go) is a stored URL with its [Computed] result (computed.go). [ResolveStatus] is the
//     only rule for its status. [Filter] and [Query] (filter.go, queue.go, find.go) select and order items, a [View]
//     (view.go) gives both a name, and [Group] (stats.go) counts items. The package cause groups open URLs by cause
//     and proposes fixes. [Desk.Detail] (detail.go) and [Desk.Surroundings] collect the information
//     about one item; a [Lookup] (lookup.go) finds the decisions about a URL as it stands in a file, for the package
//     lint. [Desk.Shares] and [Desk.Assign] (assignment.go) share items out among reviewers.
//   - decision: [Desk.Decide], [Desk.DecideAll] and [Desk.Note] (decision.go) write one batch each. A corrected URL
//     is checked and computed like any other ([Desk.Correction], correction.go); [Desk.Cite] also stores the page
//     that was read. The package candidate proposes such pages. [Desk.DecisionEffect] computes the effect first.
//     A policy may ask for the approvals of two persons (second_look.go). [Desk.Undo] and [Desk.Redo] (undo.go) revert
//     a [Batch].
//   - override: [Desk.Effect] and [Desk.SaveOverrides] (override.go) compute and write the effect of overrides on all
//     URLs, and [Desk.Recanon] those of another policy. [Desk.Amend] merges a rule into a stored one. effect.go runs
//     the trial. The package suggest proposes overrides from the stored evidence and decisions.
//   - probing: [Desk.ProbeJobs] lists the URLs to fetch, [Probing] (probing.go) stores the reports of a prober with
//     the contents of pages, which [Desk.Contents] returns for people to read. [Desk.DueLinks] (schedule.go) lists
//     the links that are due, and [ProbeLease] keeps other programs from probing meanwhile. [Desk.Propagate]
//     (propagate.go) applies host evidence to all URLs on the host. The package probe is the prober, the package
//     watch probes whenever a link is due.
//   - link: each report is also a check. The package health keeps the history of a link, and raises flags where the
//     page is no longer the one that was accepted. The [Link] of an item (link.go, link_check.go) holds them until a
//     person approves it.
//   - export: an [Exported] (exported.go) is an item as it goes out. [Desk.Export] (export.go) writes all.
//
// [Desk.Stats] counts everything (stats.go).
//
// # Invariants
//
// Results depend on the original, its evidence, the fields that cite it and the rules alone, or on the URL that a
// correction put in the place of the original. An [Engine] (rules.go) applies the rules of fields to the result of
// package canon; the store computes an item again whose fields change. A Desk computes results on all cores before a
// transaction (stream.go). The store refuses them with ErrStale if the rules have changed meanwhile, and the Desk
// starts again.
//
// Every decision, note and rule is an entry of the append-only log (log.go); log_file.go exports and verifies it.
// [Desk.Check] (check.go) compares the stored state with the log, and [Desk.Replay] (replay.go, replay_compare.go)
// rebuilds that state in a fresh store. The log holds evidence only if its content is new (evidenceContent), for a
// refresh changes no result.
//
// Texts are stored byte by byte as they came, but user and password of a URL are masked first (canon.MaskUser). This
// package prints nothing; a program escapes texts before it shows them.
//
// # Glossary
//
//   - item: a stored URL with its result, status, decision and evidence.
//   - original: the URL exactly as it came in.
//   - record: the object in a file that cites URLs, such as one source of a registry.
//   - occurrence: a place where a URL stands: file, record, field and path.
//   - citer: a record that cites an item, or a file as a whole that has no records.
//   - gone: a gone item is one that no file cites any more: all of its occurrences went.
//   - canonical URL: the form of a URL under which its page is cited.
//   - policy: the versioned settings of all canonicalization steps (package canon).
//   - override: a rule of a reviewer that changes canonicalization for matching hosts, paths and fields.
//   - rules: the policy and all overrides.
//   - match: the host pattern, path prefix and field to which an override applies.
//   - result: the outcome of canonicalizing an item; Computed is its stored part.
//   - verdict: the decision of the machine: accepted, flagged or rejected.
//   - flag: a doubt of the machine about a result, such as home-page.
//   - comparison key: a hash that URLs of the same page share.
//   - status: the state of an item: pending, accepted, approved, rejected or deferred.
//   - open: an open item waits for a person; it is pending, its result has changed since its approval, or its link
//     has flags.
//   - settled: a settled item was open and no longer is: by a decision on it, by new rules, or by the approval of
//     another item, whose canonical URL is its original.
//   - assigned: an item that is assigned to a reviewer is there for that person to decide. Anybody else still may.
//   - queue: all items, of which a query shows a part in an order.
//   - decision: the choice of a person about an item: approve, correct, reject, defer or reopen. It is for all
//     records that cite the item, or for one alone (Decision.Record).
//   - second look: the approval of a URL by another person, where the policy asks for two. The first one waits for it
//     and settles nothing.
//   - batch: everything that one action of a reviewer writes, and that undo takes back as a whole.
//   - receipt: the result of writing a batch.
//   - conflict: a decision that was not written because its item had changed.
//   - effect: the consequences of a change for all items, counted before it is made.
//   - trial: the run that computes an effect.
//   - generation: a number that rises with every change of policy, overrides or evidence.
//   - stale: computed under an older generation than the current one.
//   - revision: a number that rises with every write to an item.
//   - cause: a flag that many open URLs share with a host, field or path (package cause).
//   - fix: overrides, or a decision, that settle a cause (package cause).
//   - study: the information about one cause, with its fixes and their reasons (package cause).
//   - evidence: facts from the network about a URL or a host.
//   - content: the main text, the title and the links of a page as a probe read them (StoredContent). No result
//     depends on it.
//   - version: of a content: one of the last two different ones of an item.
//   - due: evidence is due when its time to live has passed.
//   - link: the URL of an item over time: its checks, and its state active, degraded or inactive (package health).
//   - probe job: a URL to fetch, with all items that its answer is for.
//   - lease: the exclusive right of one program to probe the URLs of a store.
//   - propagate: to recompute the stored URLs on a host with new host evidence.
//   - log entry: one entry of the append-only log: a batch, an undo or a redo.
//   - chain: of the log: each entry contains the hash of the entry before it. Of decisions: the way from a URL to the
//     one to cite in its place, and on to the end (lookup.go).
//   - seal: a stored hash by which the store notices a changed row.
//   - replay: to apply all log entries again in a fresh store.
//   - exported form: an item as it goes out, with its result, decision and notes.
package review
