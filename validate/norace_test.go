//go:build !race

package validate

const underRace = false
