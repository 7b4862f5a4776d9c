// Package store is the tour of the stores and of the schema; the code is in its folders.
//
// review.Store says what a store has to do. There is one implementation, and one suite that says whether an
// implementation does it:
//
//   - migrations holds the schema as numbered SQL files that only ever go forward, embedded in the program.
//   - sqlite is review.Store on one SQLite file. Start with sqlite/doc.go.
//   - file writes files that appear whole or not at all: new databases, backups and exports.
//   - storetest is the conformance suite: every promise of the interface as a test, run by each implementation; and Corpus,
//     which makes as many realistic URLs as one asks for.
//
// # What check finds
//
// Each byte of the file that means something is covered by one of these, whichever of them it is that changed:
//
//   - the pages, and every index against its table: SQLite's own integrity check; the schema: a comparison with that of a
//     new database. Free space means nothing.
//   - the log: the chain of SHA-256 over all that an entry has. decision, note, batch, batch_rule, policy and override: each row
//     against the entry that left it, and the number of rows against the log.
//   - what came in with files, which no log and no rule can give again (the original, its source, title and evidence): seals,
//     a checksum in each row. What was added under schema 1, which had none but that of the original, is sealed as it is stored when
//     the database is first tended after the upgrade: its seals say that nothing has changed since.
//   - what the machine made of that (canonical URL, flags, hosts, status and so on): computed anew and compared.
//   - what is counted: against the rows.
//   - the write-ahead log: a database is refused, before anything is read or written, if not all of the log can be read that was
//     on disk whole when a program was killed. After a power cut less is known: see sqlite/wal.go for what then cannot be told from
//     what the power cut short; an exported log can tell.
//
// Not covered is what nothing is concluded from: an item's rev, which guards work that is under way; saved views, which are nobody's decision; generations and times at which
// to look at a page again; what a prober remembers; and the search index beyond its structure, out of which a search might
// miss a URL.
//
// check --replay proves the same once more by other means: what came in is added to a fresh store, all that the log says is
// done again there, and both are compared.
//
// # What faults leave
//
// ui/cli.TestFaults runs the program as a process and makes faults, each followed by a look for every entry that was ever found
// and by a check:
//
//	go test ./ui/cli -run 'TestFaults$' -v -timeout 0 -rounds 500
//
// A store decides nothing. What follows from a decision or a rule is computed by review and handed over whole, and each
// write has one entry in the append-only log.
//
// # The schema
//
// Every table with what is in it, and below it every index with the question it answers. A test keeps this list and the schema in
// step, and another one the plans of the questions.
//
// What people did. The log is the truth; the rest of this part can be made anew from it:
//
//	log                       what was done, in order, each entry with the hash of the one before it; only ever appended to
//	batch                     what a person did at once, and whether it is undone
//	  batch_reviewer          which batch of a reviewer would undo take?
//	  batch_undone            which batch would redo bring back?
//	decision                  every decision on an item, undone ones too; only ever appended to. Its key: an item's history
//	  decision_batch          which items did a batch decide on? how many did who decide, and how many at once (stats)?
//	note                      the notes; only ever appended to
//	  note_item               the notes of an item
//	  note_batch              which items did a batch note?
//	override                  the rules that stand, one for each host and path
//	batch_rule                how a batch changed the rules, for undo
//	  batch_rule_batch        which rules did a batch change?
//	policy                    every policy that the results were ever computed under
//	meta                      one row: the policy of now, and the generations of the rules and of what is known of hosts
//
// The URLs, with what the machine makes of them now:
//
//	item                      a row for each URL: as it came, as it is computed, how it stands
//	  item_original           is this URL there already? (the first 16 bytes of its SHA-256)
//	  item_page               which URLs have this comparison key? (twins, URLs that a rule makes one)
//	  item_approved           which URL was approved as this one?
//	  item_in_host            which URLs come from this host, but end up on another?
//	  item_via                which URLs stood on this host in between?
//	  item_open               the queue, in the order of the IDs, filtered without reading rows
//	  item_open_host          the queue by host, and of a host
//	  item_host               the URLs of a host, in the order of the IDs; all URLs by host
//	  item_decided            the URLs in the order of the decisions on them; how many stand as a batch decided (stats)?
//	  item_status             the URLs of a status; all URLs by status
//	  item_path               the URLs by host and path, all or of a host, and those with this canonical URL
//	  item_unsealed           what was added before there were seals, and has none yet?
//	host                      names of hosts, each once; its key finds the ID of a name
//	file                      names of the files that URLs came from
//	field                     names of the fields that URLs came from
//	saved_view                filters and orders that reviewers named
//	tally                     how many items there are of each kind, for the facets and the status line
//	  tally_in_host           how many come from this host, but end up on another?
//	  tally_staged            what would the staged change add to the tally?
//	staged_decision           where a decision on very many items will leave each of them
//	redecided                 a view: those items, column by column as in item
//	stage                     one row: whether a large change is being written, or stands and is being folded
//	staged                    the items of that change as they will be
//	restated                  a view: the staged items, column by column as in item
//	search                    which items have these three bytes in a row in one of their texts? (FTS5, trigrams)
//	search_state              one row: the last new item in search
//	search_dirty              the items with a text that search does not have yet
//
// What the network said:
//
//	evidence                  of an item, as JSON, and when to look again
//	  evidence_gen            which evidence came since this generation?
//	host_evidence             of a host
//	  host_evidence_gen       of which hosts did something become known since this generation?
//	  host_evidence_unspread  which hosts have URLs that were not computed with it yet?
//	postponed                 items that cannot be asked before some time
//	robots                    robots.txt of an origin, as it was read
//	probed_host               what a prober remembers of a host
//	lease                     one row at most: who is probing
//
// There are no statistics for the planner (ANALYZE): measured on a million URLs they change nothing, for each query that matters
// says by its joins in which order to go, and those that were made of a small table have SQLite scan it when it has grown.
//
// # Bulk work
//
// Adding URLs, indexing them and writing a large change are done in pieces, each a transaction of its own. A piece ends after some
// 10 ms of work if anybody else, another program or another part of this one, has written in the last seconds; else it goes on for
// up to 300 ms, or until somebody waits, for then the pages of the indexes that its rows share are written once: see
// sqlite/piece.go. Before each piece bulk work stands back for whoever waits to write a decision: see sqlite/turn.go. No decision
// has to do what is left over from others: segments of the search's index are merged in pieces too (sqlite/search.go), and the
// write-ahead log is copied into the database beside the work (sqlite/checkpoint.go).
//
// # A change of very many URLs
//
// A rule for a host may change 100,000 URLs. Written in one transaction they would keep everybody else from deciding for
// seconds. Therefore such a change, and the undo of one, is written in three steps:
//
//  1. Staging. The rows as they will be are written to staged, in pieces. Nobody reads them yet. Somebody else's decision on a
//     staged item is written to the item, and what is staged of the item is derived anew in the same transaction; what was added
//     meanwhile is staged too.
//  2. Standing. One short transaction writes the log entry, the batch and the rule, and sets stage.state. From then on the change
//     stands, for everybody, and is confirmed.
//  3. Folding. The staged rows are moved to item, again in short transactions. As long as that goes on every snapshot reads the
//     name item as the items without anything staged, and the staged ones (sqlite/overlay.go): no one can tell how far it is. A
//     decision on an item that is still staged folds that item first.
//
// A decision on more than 500 URLs is written like that too, and so are its undo and its redo: what is staged of each URL is the
// decision and where it leaves the URL, in staged_decision. It is one batch and one entry of the log. Whoever writes to one of its
// URLs before it stands comes first, and that decision is a conflict as any other. While it is folded the name decision stands
// for the staged ones too. See sqlite/stage_decision.go.
//
// The tally does the same: what a staged change adds to it is in rows of its own (staged = 1) that count from step 2 on.
//
// If the program ends during step 1 nothing has happened: the rows that are left mean nothing, and the next large change
// removes them. If it ends during step 3 the change stands, and whoever changes a rule next, adds URLs or opens the console
// folds the rest. Changes of the rules come one after the other: one waits while another is staged, then finds that what it
// computed is stale, and computes it anew. Decisions, notes and additions wait for one short transaction at most.
//
// # Figures
//
// testdata/store.txt has what the benchmarks in sqlite/bench_test.go, and those of the console in ui/cli/console_bench_test.go, last
// said, and the commands that say it. The first of them that runs makes the database of a million URLs.
package store
