// Package canon turns a URL into the one form under which it is cited, and says why.
//
// Canonicalize is a pure function: the URL, a Policy, the reviewers' Overrides and recorded Evidence go in, a Result comes
// out. It asks no network, no clock and no database, so a stored URL can be explained again at any time, and a rule can be
// tried on a million URLs before it is saved.
//
//	policy, err := canon.Builtin(canon.DefaultPolicy) // or ParsePolicy
//	…
//	c := canon.New(policy, overrides) // one for each goroutine; overrides may be nil
//	res := c.Canonicalize(raw, nil)   // or Explain, with the words; Evidence in the place of nil
//	switch res.Verdict {
//	case canon.Accepted: // res.Canonical; nobody needs to look
//	case canon.Flagged:  // res.Canonical, but res.Flags say what a person should decide
//	case canon.Rejected: // no canonical URL; res.Reason says why
//	}
//
// Canonicalizing does not fail: what is no URL is rejected, and that is a result. Any bytes may come in. What comes out is
// a URL in ASCII.
//
// # The way of a URL
//
// The pipeline (step.go) is one ordered table. Each row has an id, the rule of the policy document it carries out, and a
// function; the functions stand in the files step_*.go, one for each component of a URL.
//
//	parse       text to scheme, host, port, path, query, fragment; what is no public http(s) URL is rejected (parse.go, host.go)
//	scheme      https
//	host        lower case, IDNA, default port
//	session     session identifiers out of path and query
//	tracking    tracking parameters out; what no list knows is flagged
//	fragment    out, and noted
//	path        percent-encoding in normal form (escape.go), dot segments, trailing slash
//	redirects   the final URL of the evidence, cleaned by scheme … path
//	www         the host that the domain prefers
//	override    preferred host and rewrites of the overrides
//	language    the Spanish version
//	pagination  page number out, and noted
//	query       allowed parameters only, defaults, order: for policies that want it
//	classify    informative page, section, or home page
//
// The parts of the URL under work (url.go) are byte slices of scratch memory, edited in place; nothing goes through
// net/url, whose Query drops pairs with a ";" or a bad "%", and nothing is decoded twice.
//
// Most URLs need few of the rows. So a survey (survey.go) takes apart in one pass over its bytes a URL that is written as
// nearly all are, and gathers which rows something in it demands (demand.go): the semicolon of a session identifier, a capital,
// a parameter that a list knows, a host that the policy maps. Only those rows run. What is known of hosts and parameter names is
// kept from URL to URL (memo.go). Evidence and overrides make every row due, and text that is written otherwise goes to parse.
// The tests compare all of it with a Canonicalizer that surveys nothing and runs every row; testdata/bench/REPORT.md says how
// fast it is.
//
// # What holds
//
//   - The same input gives the same bytes, in any process.
//   - Without evidence, canonicalizing a canonical URL gives that URL, byte for byte, under every policy and all overrides that
//     CheckFixedPoint passes.
//   - The trace replays: its first Before is the original, each After is the next Before, and the last After is the
//     canonical URL.
//   - Bytes stay bytes: what is not UTF-8 is percent-encoded byte by byte, never replaced.
//
// # Normalizations
//
// The rules come from five documents, the seeds: 000 is the canonicalization policy of Clara, an assistant that cites Spanish
// government pages; 001 the URL normalization v0 of Curious Now; 002 the encyclopedia's article on URL normalization; 003
// guidelines for fetching URLs; 004 the normalizer of seoslug.
//
// Every normalization of the seeds is a switch of the policy. The columns are the key in a policy file with the value that
// switches it on, the built-in policies that do (A aggressive, C clara, F fetch-guidelines, N curious-now-v0, R rfc3986, S
// seoslug), whether it is safe or may change the meaning of a URL, and where it comes from. Scheme and host in lower case, IDNA,
// and dropping the default port are safe, and done under every policy (RFC 3986 sections 6.2.2.1 and 6.2.3).
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
//	www: strip                            A             changes  seed 002, www as the first label
//	www: add                              -             changes  seed 002, www as the first label
//	www_mappings                          C             changes  seed 000 rule 5
//	ip_to_name: true                      A             changes  seed 002, removing IP (through evidence)
//	percent_encoding: normal              A C F R       safe     RFC 3986 sections 6.2.2.1, 6.2.2.2; seed 003
//	resolve_dot_segments: true            A C F R       safe     RFC 3986 section 6.2.2.3
//	collapse_duplicate_slashes: true      A N S         changes  seed 001 step 5; seed 002; seed 004 step 3
//	lowercase_paths: true                 S             changes  seed 004 step 3
//	remove_index_pages: true              A             changes  seed 002, directory index
//	trailing_slash: never                 C             changes  seed 000 rule 2
//	trailing_slash: never-but-root        F N S         changes  seed 001 step 5; seed 003 step 4; seed 004 step 4
//	trailing_slash: always                -             changes  seed 004 step 4
//	trailing_slash: preserve              A R           safe     RFC 3986 section 6.2.3 (the root gets its slash)
//	fragment: drop                        A C N S       changes  seed 000 rule 4; seed 001 step 2; seed 002
//	tracking_params_strip                 C F N S       changes  seed 000 rule 3; seed 001 section 2; seed 003 step 3; seed 004 step 5
//	content_params_preserve               C             -        seed 000 rule 3
//	session_params_strip                  C             changes  seed 000 rule 8
//	session_params_regex                  C             changes  seed 000 rule 8
//	session_segments: true                C             changes  ASP.NET cookieless sessions
//	allowed_query_params                  -             changes  seed 002, arbitrary querystring variables; seed 004 step 5
//	default_values                        -             changes  seed 002, default querystring variables
//	empty_query: drop                     A C N S       changes  seed 002
//	sort_query: key                       A F           changes  seed 002, sorting; seed 003 step 5
//	sort_query: key-value                 N             changes  seed 001 step 6
//	escape_query_values: true             A             changes  seed 002, standardizing character encoding
//	pagination_params                     C             changes  seed 000 rule 9
//	language_params                       C             changes  seed 000 rule 10 (through evidence and overrides)
//	languages                             C             changes  seed 000 rule 10
//	leading_languages                     C             -        codes that are words too
//	identifier_params                     C             -        seed 000, informative link
//	index_pages                           A C           -        seed 000, informative link; seed 002, directory index
//	document_extensions                   C             -        seed 000, informative link
//	procedure_terms                       C             -        seed 000, informative link
//	shorteners                            C             -        seed 000, URL shorteners
//	allowlist                             C             -        seed 000 rule 7
//	flag_unknown_params: true             C             -        seed 000 rule 3
//	classify: true                        C             -        seed 000, classification
//
// # Policies, overrides, evidence
//
// A Policy is data: YAML files, embedded in policies/ or read with ParsePolicy, which also takes Clara's own
// canonical_rules.yaml and allowlist.yaml (policy_file.go lists the keys). An Override is what a reviewer wrote for one
// host, a host pattern, or a path on any host; overrides are looked up for the host of the input, and again where a step
// changed the host or path, and the URL then goes through the pipeline once more until nothing changes. Evidence is what a
// probe recorded: redirects, HTTPS, preferred host, language versions, title.
package canon
