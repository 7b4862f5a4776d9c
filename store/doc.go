// Package store is the tour of the stores and of the schema; the code is in its folders.
//
// review.Store is the contract of a store. A store decides nothing: review computes the consequences of a decision
// or a rule and hands them over whole, and each write has one entry in the append-only log. There are
// two implementations, and one suite that tests any implementation:
//
//   - sqlite is review.Store on one SQLite file. Start with sqlite/doc.go, and with sqlite/large_doc.go for changes
//     of very many URLs.
//   - postgres is review.Store on a PostgreSQL database. Start with postgres/doc.go.
//   - migrations runs the numbered SQL steps that make a schema and bring it up to date. Each store has its own,
//     embedded in the program. The last number is PRAGMA user_version in SQLite, and in PostgreSQL it is in the
//     table schema_version. Step 26 of SQLite drops goose_db_version, in which earlier programs kept it too. They
//     refuse the file from then on as one of a newer program.
//   - rows is the code of both stores. It has the forms of values, the walks over items, records and occurrences, the
//     writing of batches and rules, and the list of tables by which one is copied to the other.
//   - file writes files that appear whole or not at all: new databases, backups and exports.
//   - postgrestest starts a PostgreSQL for tests.
//   - storetest is the conformance suite, with a test for each promise of the interface. Its Corpus generates any
//     number of realistic URLs.
//
// # Damage that check finds
//
// One of these checks covers each byte of the file with a meaning:
//
//   - Pages and indexes: SQLite's integrity check. Schema: a comparison with a new database.
//   - The log: its chain of SHA-256 over all columns of an entry. Decisions, notes, batches, rules and policies:
//     each row against its log entry, and the number of rows against the log.
//   - The input, which no log and no rule can restore (original, source, title, evidence): a seal in each row against
//     damage, and against forgery a hash over the input of each transaction that adds items, in its log entry.
//   - The results of the rules (canonical URL, flags, hosts, status and so on): computed again and compared.
//   - The counts: against the rows.
//
// Not covered is data that no result depends on: an item's rev, saved views, assignments, suggestions, generations,
// due times, the memory of the prober, the contents of pages, and the content of the search index, where damage might
// hide a URL from a search. A content has a hash, which is verified when somebody reads it.
//
// The log covers of an occurrence its item, record and field by the hash of the transaction that added it. Its path,
// line and column may move whenever its file is read. So each entry that adds or moves occurrences has one sum over the
// places of all of them, and over the paths of all records (review.PlaceSum). Check tells that a place was changed, and
// not which one. The sum starts with the first entry of a program that knows it: it then has the places as they are.
//
// Place sets stay when no item has them any more. They are as many as combinations of files and fields that ever
// occurred, some bytes each; to remove one while others write would need a count of its items.
//
// check --replay proves the same by other means: it adds the input to a fresh store, repeats the whole log there,
// and compares both.
//
// # The write-ahead log
//
// Commits are in the -wal file until a checkpoint copies them into the database. Opening refuses a file and a -wal
// that do not belong together, for instance after another file was put over the path of a database that was not
// closed (sqlite/guard.go). Two kinds of damage stay unseen:
//
//   - Damage inside the -wal. SQLite reads it up to the first frame with a wrong checksum and takes the rest for
//     the remains of a crash: the last commits are gone without a message. The log is still an unbroken chain, only
//     shorter; an exported log, or a reviewer who remembers, can tell. If commits that are gone were already copied
//     into the database in part, visto check finds the contradiction.
//   - An older plain copy of the same file under a newer -wal, if SQLite can still read the log through both. visto
//     check finds the contradiction if other pages changed in between.
//
// A program that only reads leaves no -wal and -shm file beside a database that nobody else has open, except where it
// may not write.
//
// # Faults
//
// ui/cli.TestFaults runs the program as a process and injects faults, on a file and on a PostgreSQL server of its own
// behind a proxy. After each it looks for every log entry that was ever confirmed, and runs a check:
//
//	go test ./ui/cli -run 'TestFaults$' -v -timeout 0 -rounds 500
//
// # The schema
//
// Every table with its content, and below it every index with the question that it answers. One test keeps this
// list and the schema in step, another one the query plans.
//
// The work of people. The log is the truth; the other tables of this part can be made from it:
//
//	log                       every action in order, each entry with the hash of the one before; append-only
//	  log_run                 is there a newer entry of this intake?
//	batch                     one action of a person, and whether it is undone
//	  batch_reviewer          which batch of a reviewer would undo take?
//	  batch_undone            which batch would redo take?
//	  batch_proposed          which batches propose rules?
//	  batch_confirms          is there a batch that confirms this one?
//	decision                  every decision on an item, undone ones too; append-only; its key: the history of an item
//	  decision_batch          on which items did a batch decide? how many decisions does a batch have (stats)?
//	  decision_record         is there any decision for one record alone?
//	  decision_record_canonical  which of those approve this URL?
//	note                      the notes; append-only
//	  note_item               the notes of an item
//	  note_batch              the notes of a batch
//	override                  the rules in force, one for each host and path
//	batch_rule                the changes of a batch to the rules, for undo
//	  batch_rule_batch        which rules did a batch change?
//	policy                    every policy that results were ever computed under
//	meta                      one row: the current policy, and the generations of the rules and of host evidence
//
// The URLs, with their current results:
//
//	item                      a row for each URL: as it came, its result, its status
//	  item_original           is this URL there already? (the first 16 bytes of its SHA-256)
//	  item_page               which URLs have this comparison key (twins, URLs that a rule merges)?
//	  item_approved           which is the newest approval of this URL as a canonical one?
//	  item_in_host            which URLs come from this host, but lead to another?
//	  item_via                which URLs lead through this host?
//	  item_open               the queue by ID, filtered without reading rows
//	  item_open_host          the queue by host, and of a host
//	  item_host               the URLs of a host by ID; all URLs by host
//	  item_decided            the URLs by their decision; how many are still as a batch decided (stats)?
//	  item_status             the URLs of a status; all URLs by status
//	  item_path               the URLs by host and path, all or of a host; the URLs with this canonical URL
//	index_to_build            the indexes of item that are missing while many items are added to a new database
//	host                      names of hosts, each once; its key finds the ID of a name
//	file                      names of input files: absolute paths, or other names such as stdin
//	field                     names of input fields
//	record                    the objects of the files that cite, each with its texts, and the files as a whole
//	  record_match            the records of a file; the record with an ID or name
//	  record_name             the records by name; the URLs by the name of the record that cites them
//	occurrence                a row for each place where a URL stands, or stood
//	  occurrence_item         where does a URL stand?
//	  occurrence_record       which URLs stand in a record?
//	place                     fields, with paths in a record, that many occurrences share
//	place_set                 the sets of files and fields in which URLs stand, each once
//	place_set_member          their members
//	saved_view                filters and orders that reviewers named
//	assignment                the reviewer who has an item
//	  assignment_reviewer     which items has a reviewer?
//	item_count                the number of items by host, place set, verdict, status and flags
//	  item_count_in_host      how many come from this host, but lead to another?
//	  item_count_staged       the differences that the staged change makes
//	search                    which items and records have these three bytes in a row in their texts? (FTS5, trigrams)
//	search_state              one row: the last new item and the last new record in search
//	search_dirty              the items with a text that search lacks
//	record_dirty              the records with a text that search lacks
//
// A large change in progress (sqlite/large_doc.go):
//
//	stage                     one row: whether a large change is being staged, or is in force and being applied
//	staged                    the new results of the items of a change of rules
//	staged_item               a view: those items, column by column as in item
//	staged_decision           the new decision and status of each item of a large decision
//	  staged_decision_approved  which of them approves this URL as a canonical one?
//	staged_decision_item      a view: those items, column by column as in item
//
// The answers of the network:
//
//	evidence                  of an item, as JSON, with the time of the next look
//	  evidence_gen            which evidence is newer than this generation?
//	host_evidence             of a host
//	  host_evidence_gen       which hosts have evidence newer than this generation?
//	  host_evidence_pending   which hosts have URLs that are not computed with it yet?
//	content                   the contents of pages, compressed, each once
//	item_content              the last two versions of the content of an item's page
//	  item_content_content    has any item this content?
//	link_history              the checks of an item's link, packed, with the page that was accepted
//	link_report               the time of the last report on the links of a filter
//	postponed                 items that a probe may not ask before some time
//	robots                    the robots.txt of an origin
//	probed_host               the prober's memory of a host
//	lease                     one row at most: the running probe
//
// The suggestions:
//
//	mined                     one row at most: those found last, packed, with the log entry up to which they were mined
//	dismissed                 the suggestions that a person does not want
//
// There are no statistics for the planner (ANALYZE). Measured on a million URLs they change nothing, because each
// query that matters fixes its order by its joins, and statistics of a small table mislead SQLite once it has
// grown.
//
// # Figures
//
// testdata/store.txt has the results of the benchmarks in sqlite/bench_test.go and ui/cli/table_bench_test.go,
// and their commands. The first benchmark makes the database of a million URLs.
package store
