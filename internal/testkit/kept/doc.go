// Package kept reads and writes what migrations/testdata holds: databases that an older program has filled, and what that
// program answered about them. Tests hold today's program to both.
//
// A folder is named after the last migration in its databases. It has one file for each dialect and, beside it, the
// answers. What is in them is the filler's matter (the command filldata); what a later program may answer otherwise is the
// test's. This package knows the files alone.
package kept
