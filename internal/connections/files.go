package connections

const (
	keptFiles = 64 // for everything but connections: logs, listeners, those of admins
	fewest    = 16
)

// Share returns how many connections a process may have that may open so many files, of which its database takes some: four
// fifths of them less the database's and 64, at least 16.
func Share(files, database int) int { return max(files/5*4-database-keptFiles, fewest) }

// mostFiles is how many files are counted on at most; systems without a limit have one in memory.
const mostFiles = 1 << 20
