// Package read finds URLs in files. It knows no review and no store: it imports canon alone, for evidence.
//
// [URLs] (read.go) reads one input. It takes the format from [Options], else from the extension of the file name,
// else from the first bytes (sniff.go), and calls yield for each [Found] URL and skip for each part that it cannot
// read. A [Place] says where a URL stands, down to its bytes. A [Record] (record.go) is the object of the input that
// cites it. The [Summary] (summary.go) counts the URLs and links that were not taken.
//
// format.go holds the table of formats. Each format has a method of input in a file of its own: text.go (lists),
// prose.go, csv.go (and TSV), json.go (and JSONL), yaml.go, html.go, markdown.go (the blocks, by goldmark) and
// markdown_inline.go (their links), sitemap.go. A new format is a row of that table and a file. All may come gzipped
// (gzip.go). All but YAML, HTML and Markdown read any size of input in bounded memory: line.go reads lines of any
// length, json.go token by token.
//
// A value may hold several URLs ([canon.SplitURLs]). Each is found at a [Place] of its own: mapping.go finds its bytes
// among the escapes of the format. value.go tells URLs from placeholders and relative ones. bare.go tells where a URL
// in a sentence begins and ends, for prose, Markdown and the remarks of lists. One that is glued to a word before it is
// not taken: http:// behind a letter or digit, and www. anywhere but where a word begins.
//
// JSON and YAML are trees (tree.go), whose walkers tell a finder (find.go) of each part. It holds URLs back until the
// object ends that is their record. yaml_span.go finds the bytes of a YAML scalar, which the parser does not tell.
// yaml_version.go lets the parser read YAML 1.2, and latin.go reads tables in Windows-1252.
//
// [Evidence] (evidence.go) reads recorded evidence, one JSON object a line, also the results of a link check
// (link_check.go), and [EvidenceFile.For] returns the evidence for a URL.
//
// [Rewrite] (edit.go) writes values back at the places of URLs and at fields of records, and leaves every other byte as
// it is. Each format lists the parts of a file, so that the result can be compared with the intended one, and writes a
// value in the style of the old one: text.go, prose.go, csv.go, edit_tree.go (JSON, and the parts of all trees),
// edit_yaml.go, edit_markdown.go, html.go, sitemap.go.
//
// [Guard] and [Unguard] (csv.go) write and read CSV cells that a spreadsheet must not run as formulas.
package read
