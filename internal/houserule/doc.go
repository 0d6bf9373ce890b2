// Package houserule is the catalogue of house rules: each rule's key, options, default, whether a host may change
// it, and where it comes from.
//
// It is the only source of defaults. Standard is what a new service starts with and all the options there are; an admin
// decides which of them are on offer, the default, and whether a host may choose (Terms), each edit a version of the
// rule with an Entry in the audit log. It does not apply the rules (internal/board, internal/game and internal/table do)
// and does not describe them to people (internal/text does). Values are strings here, as an admin reads them; typed fields
// in a table's settings.
package houserule
