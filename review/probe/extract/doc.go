// Package extract reads documents as a person would read them: the main content of an HTML page in Markdown, with its
// title, dates, headings and links; the text of a PDF; JSON as it is. A parser that is large or risky works in a child
// process, whose time and memory have limits: a goroutine that hangs cannot be ended.
//
// PDFium, compiled to WebAssembly, reads PDF files inside wazero: no C code runs in the process, and the sandbox has no
// files and no network. Its first start compiles it, which takes about 3 s and 290 MB, and an idle reader keeps about
// 45 MB. Pages have children of their own, so that none waits for it.
//
// # The tour
//
//   - document.go: a Document, its bounds, and the normal form of its texts. JSON needs no child.
//   - client.go: a Client starts the children on their first documents, sends one document at a time to each, and
//     starts a child again after it died or was killed. Close ends them.
//   - process.go: one child process, from its start to its end.
//   - message.go: the messages between both.
//   - serve.go: Serve, the whole work of a child.
//   - charset.go: the text of a page in UTF-8.
//   - html.go: the reader of pages. html_tree.go makes a tree of the text, html_meta.go and date.go take the statements
//     of the page about itself. html_title.go finds its heading, html_clean.go, html_names.go and html_extent.go
//     remove the parts that are about the site, html_main.go finds the main content, html_markdown.go writes it.
//   - pdf.go: the PDF reader on PDFium. pdf_repair.go helps it with files that were cut, which PDFium refuses;
//     pdf_xmp.go reads the one title that PDFium does not offer.
//
// # What holds
//
//   - The child reads its standard input all the time and ends when that ends. So it never outlives the program that
//     started it, even if that program was killed and the child is in the middle of a document.
//   - The child writes nothing but answers, and the client reads none that is longer than a Document can be. The
//     standard error of the child goes nowhere.
//   - A document that takes longer than its limit, which is short for a page, or whose context ends, costs the child
//     its life: the client kills it and waits for it, so no zombie stays.
//   - The child may use up to 1 GB (see limitMemory), and PDFium in it up to 256 MB.
//   - A page takes time and memory in proportion to its size: one that would take more is read by its tags alone.
//   - Each PDF gets a fresh instance of PDFium: a document that breaks it does no harm to the next.
//   - Texts of a Document are bounded and valid UTF-8, without control characters but line feeds and tabs, and
//     otherwise as the document has them.
package extract
