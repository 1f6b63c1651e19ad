package merge

import "testing"

// A comment that one side writes where the other changes a line stays, with the
// field that it is about.
func TestCommentsOfBothSides(t *testing.T) {
	b := base().fields("one", "title: One\npriority: low\n")
	for _, c := range []contract{
		{
			name: "beside a change",
			b:    b, o: base().fields("one", "# Ask Ann.\ntitle: One\npriority: low\n"), t: base().fields("one", "title: Eins\npriority: low\n"),
			want: []string{one + ": # Ask Ann.\ntitle: Eins"},
		}, {
			name: "of both",
			b:    b, o: base().fields("one", "# Ask Ann.\ntitle: One\npriority: low\n"), t: base().fields("one", "# Ask Bob.\ntitle: One\npriority: low\n"),
			want: []string{one + ": # Ask Ann.", one + ": # Ask Bob."},
		}, {
			name: "that the other took away",
			b:    base().fields("one", "# Old.\ntitle: One\n"), o: base().fields("one", "# Old.\ntitle: One # still\n"), t: base().fields("one", "title: Eins\n"),
			want: []string{one + ": title: Eins"}, not: []string{one + ": # Old."},
		}, {
			name: "with a field that the other took away",
			b:    b, o: base().fields("one", "title: One\n# Ask Ann.\npriority: low\n"), t: base().fields("one", "title: One\n"),
			want: []string{one + ": title: One"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.check(t, Plans(c.b.plan(), c.o.plan(), c.t.plan(), Options{}))
		})
	}
}
