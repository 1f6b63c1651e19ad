//go:build race

package validate

// underRace says that the race detector is at work, with which sync.Pool throws
// away what it holds at random: what is allocated then tells nothing.
const underRace = true
