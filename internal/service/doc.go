// Package service has one method for each thing a caller may ask. A method finds out who is asking, loads, makes one
// decision of the domain, saves it guarded by what the decision rested on, and wakes the requests that wait for it.
//
// It has a part for each noun: Games, Tables, Matches, Profiles, Devices, History, Insights, HouseRules and others. A part
// holds what it uses and no more: its store, whose interface stands beside it, the clock, and what parts share: who is here
// (PresenceLog), when the service was down (Uptime), the house rules of the moment (Catalogue), how requests wait (polls),
// how games are stored (gameSaver) and whom that wakes (wakeups). Wire makes them all.
//
// The package knows no HTTP and no SQL: internal/store has the stores. What it keeps in memory may be lost: tokens that were
// right a moment ago, owners seen in the last seconds, analyses that aren't finished, and when the whole service was
// down, which the database knows too.
//
// A save is refused with ErrChanged when somebody else was faster; then the method reads again and decides anew, so
// that of any number of requests for one ply or one seat exactly one succeeds and the others are told why not. What
// concerns a whole table (seats, settings, another game) and what brings two players together is decided while rows are
// locked.
//
// What nobody asks for (silence, deadlines, the CPU's turns) is in Timers and among what the other parts do;
// internal/worker says when.
package service
