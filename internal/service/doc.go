// Package service has one method for each thing a caller may ask. A method finds out who is asking, loads, makes one
// decision of the domain, saves it guarded by what the decision rested on, and wakes those who wait.
//
// It knows no HTTP and no SQL: it names the stores it needs, and internal/store has them. What it keeps in memory may be
// lost: tokens that were right a moment ago, who was heard of in the last seconds, and when the whole service was down.
//
// A save is refused with ErrChanged when somebody else was faster; then the method looks again and decides anew, so
// that of any number of requests for one ply or one seat exactly one succeeds and the others are told why not. What
// concerns a whole table (who sits, settings, another game) is decided while its row is locked.
//
// Wire makes its parts and hands each what that part uses. What nobody asks for (silence, deadlines, the CPU's turns) is in
// Timers and among what the other parts do; internal/worker says when.
package service
