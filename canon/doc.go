// Package canon turns a URL into the one form under which it is cited, and says why.
//
// Canonicalize is a pure function: the URL, a Policy, the reviewers' Overrides and recorded Evidence go in, a Result comes
// out. It asks no network, no clock and no database, so a stored URL can be explained again at any time, and a rule can be
// tried on a million URLs before it is saved.
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
//	classify    informative page, section, or home page
//
// The parts of the URL under work (url.go) are byte slices of scratch memory, edited in place; nothing goes through
// net/url, whose Query drops pairs with a ";" or a bad "%", and nothing is decoded twice.
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
// # Policies, overrides, evidence
//
// A Policy is data: YAML files, embedded in policies/ or read with ParsePolicy, which also takes Clara's own
// canonical_rules.yaml and allowlist.yaml (policy_file.go lists the keys). An Override is what a reviewer wrote for one
// host, a host pattern, or a path on any host; overrides are looked up for the host of the input, and again where a step
// changed the host or path, and the URL then goes through the pipeline once more until nothing changes. Evidence is what a
// probe recorded: redirects, HTTPS, preferred host, language versions, title.
package canon
