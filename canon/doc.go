// Package canon turns a URL into the one form under which it is cited, and explains each change.
//
// Canonicalize is a pure function of four values: the URL, a Policy, the reviewers' Overrides and recorded Evidence. It
// uses no network, no clock and no database. So a stored URL can be explained again at any time, and a rule can be
// tried on a million URLs before it is saved.
//
//	policy, err := canon.Builtin(canon.DefaultPolicy) // or ParsePolicy
//	…
//	c := canon.New(policy, overrides) // one for each goroutine; overrides may be nil
//	res := c.Canonicalize(raw, nil)   // or Explain, for a trace; the second argument is the evidence
//	switch res.Verdict {
//	case canon.Accepted: // use res.Canonical; no person needs to look
//	case canon.Flagged:  // res.Canonical is a proposal; res.Flags tell a person the open questions
//	case canon.Rejected: // there is no canonical URL; see res.Reason
//	}
//
// Canonicalize never fails. It accepts any bytes, and a rejection is a result. A canonical URL is ASCII.
//
// # The pipeline
//
// The pipeline (step.go) is one ordered table. A row has an id, the rule of the policy document that it carries out,
// the conditions under which it is due, and a function. Each step stands in the file step_<id>.go.
//
//	parse       splits the text, and rejects text that is no public http(s) URL (parse.go, host.go)
//	scheme      https
//	host        lower case, IDNA, without default port and the dot at the end
//	session     removes session identifiers from path and query
//	tracking    removes tracking parameters, flags unknown parameters
//	fragment    removes and notes the fragment
//	path        percent-encoding in normal form (escape.go), dot segments, trailing slash
//	redirects   goes to the final URL of the evidence, and cleans it with the steps scheme to path
//	www         moves to the host that the domain prefers
//	override    applies preferred host and rewrites of the overrides
//	language    goes to the Spanish version
//	pagination  removes and notes the page number
//	query       allowed parameters, defaults, order: for policies that ask for it
//	classify    informative page, section or home page
//
// A run (run.go) holds the parts of the URL (parse.go) as byte slices of scratch memory, and steps edit them in place.
// It embeds a judge of single parts: the facts about hosts and names (facts.go), the overrides that apply
// (overrides.go), and the report of flags and trace (trace.go).
// Nothing goes through net/url, whose Query drops pairs with a ";" or a bad "%", and nothing is decoded twice. At the
// end, finish makes the Result.
//
// Most URLs need few steps. So the first step tries a fast scan (fastscan.go): one pass over the bytes that splits a
// URL of the usual form and looks up which steps are due (triggers.go). A semicolon makes the session step due, a
// capital in the host the host step, a parameter of a list the step for that list. An escape counts as the byte that it
// stands for: "%3B" makes the session step due, "%20" none. The scan keeps the facts about the names of the query for
// the tracking step. The slow parser reads all other text; path, query and fragment of that are scanned for due steps. With
// evidence or overrides every step is due. The tests compare with a Canonicalizer that has no fast scan and runs every
// step; testdata/bench/REPORT.md has the speed.
//
// Each Canonicalizer remembers facts about hosts and parameter names from URL to URL, in a memory of bounded size
// (facts.go). A list of links has a new host on every second line. So hosts share their facts: all without a label that
// a list may know (labelSet), and all below one domain that a list may know. Any other new host is looked up by its
// labels, in tables of the blocklist, of the allowlist and of the hosts that look like those (allowlist.go).
//
// A new step is a row in step.go, a file step_<id>.go with its triggers and its function, a line in the list above, and
// an archive testdata/canon/<id>.txtar. A new switch is a field of document (policy_file.go) and a row of the table
// below; a switch of several words, or with a form of its own, is also a row in policy_keys.go. A new flag is a code
// with its row in flag.go. The flags of a review, changed-since-approval and those of package health, stand there too:
// they share the stored set and the names, and no step raises them.
//
// # Guarantees
//
//   - The same input gives the same bytes, in any process.
//   - Without evidence, a canonical URL canonicalizes to itself, byte for byte, under every policy, and under all
//     overrides that CheckFixedPoint passes.
//   - The trace replays: its first Before is the original, each After is the next Before, and the last After is the
//     canonical URL.
//   - No result has a user or password of a URL: MaskUser takes them out of the input and the evidence first. Words
//     (notes, details) have no value of a secret parameter either; see Policy.MaskText.
//   - Bytes keep their value: bytes that are not UTF-8 are percent-encoded one by one, never replaced.
//
// # Normalizations
//
// The rules come from five documents, the seeds: 000 is the canonicalization policy of Clara, an assistant that cites
// Spanish government pages; 001 the URL normalization v0 of Curious Now; 002 the encyclopedia's article on URL
// normalization; 003 guidelines for fetching URLs; 004 the normalizer of seoslug.
//
// Every normalization of the seeds is a switch of the policy. The columns are the key in a policy file, with the value
// that switches it on; the built-in policies that do (A aggressive, C clara, F fetch-guidelines, N curious-now-v0, R
// rfc3986, S seoslug); whether it is safe or may change the meaning of a URL; and its source. Scheme and host in lower
// case, IDNA and dropping the default port are safe, and part of every policy (RFC 3986 sections 6.2.2.1 and 6.2.3). So
// is dropping the one dot at the end of a host: it only tells a whole name from a local one (section 3.2.2), and no
// local name is a public site. With canonical_host or public_base_url, text without a scheme is a path of that site.
//
//	key                                   policies      safe?    source
//	scheme: https                         C S           changes  seed 000 rule 1; seed 004 step 1
//	scheme: http                          A             changes  seed 002, limiting protocols
//	scheme: known-https                   F             safe     seed 003 step 7 (through evidence)
//	scheme: base                          -             changes  seed 004 step 1
//	max_length: 2048                      A C F N R S   -        seed 003, reasonable length
//	max_hops: 5                           A C F N R S   -        seed 000 rule 7; seed 003
//	redirects: follow                     C F           changes  seed 000 rule 7 (through evidence)
//	canonical_host                        -             changes  seed 004 step 2
//	public_base_url                       -             changes  seed 004
//	needs_canonical_host: true            S             -        seed 004 step 2
//	www: map                              C             changes  seed 000 rule 5
//	www: strip                            A             changes  seed 002, www as the first label, also "www2."
//	www: add                              -             changes  seed 002, www as the first label
//	www_mappings                          C             changes  seed 000 rule 5
//	ip_to_name: true                      A             changes  seed 002, removing IP (through evidence)
//	percent_encoding: normal              A C F R       safe     RFC 3986 sections 6.2.2.1, 6.2.2.2; seed 003
//	resolve_dot_segments: true            A C F R       safe     RFC 3986 section 6.2.2.3
//	collapse_duplicate_slashes: true      A N S         changes  seed 001 step 5; seed 002; seed 004 step 3
//	lowercase_paths: true                 S             changes  seed 004 step 3
//	remove_index_pages: true              A             changes  seed 002, directory index
//	trailing_slash: never                 C             changes  seed 000 rule 2
//	trailing_slash: never-but-root        A F N S       changes  seed 001 step 5; seed 003 step 4; seed 004 step 4
//	trailing_slash: always                -             changes  seed 004 step 4
//	trailing_slash: preserve              R             safe     RFC 3986 section 6.2.3 (the root gets its slash)
//	fragment: drop                        A C N S       changes  seed 000 rule 4; seed 001 step 2; seed 002
//	tracking_params_strip                 C F N S       changes  000 rule 3; 001 section 2; 003 step 3; 004 step 5
//	content_params_preserve               C             -        seed 000 rule 3
//	session_params_strip                  A C           changes  seed 000 rule 8
//	session_params_regex                  A C           changes  seed 000 rule 8
//	session_segments: true                A C           changes  ASP.NET cookieless sessions
//	allowed_query_params                  -             changes  seed 002, arbitrary query variables; seed 004 step 5
//	default_values                        -             changes  seed 002, default querystring variables
//	empty_query: drop                     A C N S       changes  seed 002
//	sort_query: key                       A F           changes  seed 002, sorting; seed 003 step 5
//	sort_query: key-value                 N             changes  seed 001 step 6
//	plus_is_space: true                   A             changes  seed 002, standardizing character encoding
//	escape_query_values: true             A             changes  seed 002, standardizing character encoding
//	pagination_params                     C             changes  seed 000 rule 9
//	language_params                       C             changes  seed 000 rule 10 (through evidence and overrides)
//	languages                             C             changes  seed 000 rule 10
//	leading_languages                     C             -        codes that are words too
//	path_words                            C             -        codes that are only words
//	identifier_params                     C             -        seed 000, informative link
//	index_pages                           A C           -        seed 000, informative link; seed 002, directory index
//	document_extensions                   C             -        seed 000, informative link
//	procedure_terms                       C             -        seed 000, informative link
//	shorteners                            C             -        seed 000, URL shorteners
//	allowlist                             C             -        seed 000 rule 7
//	blocklist                             -             -        hosts that are never cited
//	flag_unknown_params: true             C             -        seed 000 rule 3
//	flag_pasted_text: true                C             -        seed 000, broken encoding
//	classify: true                        C             -        seed 000, classification
//
// The keys check_days, drift_similarity and time_zone are for the checks of links (package visto/review/health).
// second_look names flags for which an approval takes two persons (package visto/review). error_pages holds the patterns
// by which a probe tells pages that stand in the place of others (error_page.go, package visto/review/probe).
//
// # Policies, overrides, evidence
//
// A Policy is data: YAML files, embedded in policies/ or read with ParsePolicy, which also reads Clara's own
// canonical_rules.yaml, allowlist.yaml and blocklist.yaml. document (policy_file.go) lists the keys.
//
// An Override is a reviewer's rule for one host, a host pattern, or a path on any host. A Rewrite of it replaces a
// prefix, or a whole URL with captures (rewrite.go compiles it, step_override.go finds those that match). Overrides are
// looked up for the host of the input, and again when a step changes host or path. The URL then goes through the
// pipeline once more, until nothing changes. An Override with Match.Field accepts flags of the URLs that files cite in
// a field. A URL does not tell where it stands, so this package only reads, checks and writes such rules.
//
// Evidence is the record of a probe: redirects, HTTPS, preferred host, language versions, title.
package canon
