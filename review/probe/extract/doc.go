// Package extract reads documents that need a large or risky parser, in a child process.
//
// Today these are PDF files. PDFium, compiled to WebAssembly, reads them inside wazero: no C code runs in the
// process, and the sandbox has no files and no network. It still needs a process of its own: the first start compiles
// PDFium, which takes about 3 s and 290 MB, and an idle reader keeps about 45 MB. A program that meets no PDF pays
// for none of it.
//
// # The tour
//
//   - client.go: a Client starts the child on the first document, sends one document at a time, and starts the child
//     again after it died or was killed. Close ends the child.
//   - process.go: one child process, from its start to its end.
//   - message.go: the messages between both.
//   - serve.go: Serve, the whole work of the child.
//   - pdf.go: the PDF reader on PDFium. pdf_repair.go helps it with files that were cut, which PDFium refuses;
//     pdf_xmp.go reads the one title that PDFium does not offer.
//
// # What holds
//
//   - The child reads its standard input all the time and ends when that ends. So it never outlives the program that
//     started it, even if that program was killed and the child is in the middle of a document.
//   - The child writes nothing but answers, and the client reads none that is longer than a Document can be. The
//     standard error of the child goes nowhere.
//   - A document that takes longer than the client's limit, or whose context ends, costs the child its life: the
//     client kills it and waits for it, so no zombie stays.
//   - The child may use up to 1 GB (see limitMemory), and PDFium in it up to 256 MB.
//   - Each PDF gets a fresh instance of PDFium: a document that breaks it does no harm to the next.
//   - Texts of a Document are valid UTF-8 and bounded, but otherwise as the document has them.
package extract
