// Package postgres gives tests a real PostgreSQL server, on a machine that may have none: it finds the server's
// programs, or installs them through apt where it may, and runs a server of its own in a temporary directory on a free
// port of the loopback interface. Afterwards nothing of it is left.
//
// The server is a real one, since what the store relies on (guarded updates, row locks, serialisation failures) is
// exactly what an imitation gets wrong. By default it doesn't wait for the disk, because tests throw its data away; a
// soak that measures or kills asks for a Durable one. Its time zone is an odd one on purpose: code that takes a
// database's local time for UTC is wrong by 12 or 13 hours and three quarters, and shows.
//
// It isn't a way to run PostgreSQL for anything but tests, and it knows nothing of schemas: making a database for each
// test is for those who have tables.
//
// The command withpostgres runs another command with TEST_DATABASE_URL leading to such a server.
package postgres
