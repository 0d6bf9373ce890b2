// Package picture draws a position as an SVG document, 1200 by 630 points: the size in which links are shown with a
// picture. It draws and nothing else. Who plays, how it ended and in which language that is said, it is told; the
// discs, the winning fields and the lines through them it takes from the board.
//
// Two palettes paint the sides. In both of them each side has a shape besides its colour, a ring for red and a diamond
// for yellow, so that nobody needs to tell colours apart. Discs stand out from the empty fields, and shapes from their
// discs, by a contrast of at least 3 to 1.
//
// # What a document is made of
//
// Shapes, texts and attributes: no style sheet, no script, no reference to anything inside or outside, and no id, so
// that several of them can stand in one page. Everything goes through one writer that escapes each attribute and each
// text (canvas), which is why nothing that a player typed can become a part of the document. Names are fitted to their
// room by an estimate of their width: smaller, and cut off where they would be too small to read. The title has them whole.
//
// Each disc is a group with a class ("disc red"), so that programs find them. The same picture gives the same bytes.
package picture
