package hooks

import (
	"context"
	"os"
	"path/filepath"
)

// Uninstall takes out every hook of git plan, whichever way it was put in, and
// puts back what was there before, with what was changed in it since. A shim
// that somebody edited is left, and reported.
func (in *Installer) Uninstall(ctx context.Context) (Report, error) {
	var report Report
	for _, event := range Events() {
		row, err := in.uninstallOne(ctx, event)
		if err != nil {
			return report, in.failure("uninstall", event, err)
		}
		if row.State != Unchanged || in.wants(event) {
			report.Hooks = append(report.Hooks, row)
		}
	}
	return report, nil
}

// uninstallOne looks everywhere a hook of ours may be: in the configuration,
// where git looks now, and where it looked before core.hooksPath was set.
func (in *Installer) uninstallOne(ctx context.Context, event Event) (Hook, error) {
	out, err := in.uninstallConfigured(ctx, event)
	if err != nil {
		return out, err
	}
	for _, dir := range in.folders() {
		row, err := in.uninstallFile(event, filepath.Join(dir, string(event)))
		if err != nil {
			return row, err
		}
		// What needs a hand is told before what was done.
		if row.State != Unchanged && (out.State == Unchanged || row.State != Removed) {
			out = row
		}
	}
	if out.State == Unchanged {
		out.Path, out.Message = in.file(event), "it is not installed"
	}
	return out, nil
}

func (in *Installer) uninstallFile(event Event, path string) (Hook, error) {
	row := Hook{Event: event, State: Unchanged, Path: path}
	p, err := lookAt(path)
	if err != nil {
		return row, err
	}
	beside := path + chainedSuffix
	switch {
	case p.ours && !p.intact:
		row.State = Edited
		row.Message = "somebody edited this shim, so it was left: move the edits to a file of their own, then remove it"
		if p.chained {
			row.Message += ", and rename " + filepath.Base(beside) + " back to " + filepath.Base(path)
		}
		return row, nil
	case p.there && !p.ours && p.chained:
		row.State = InTheWay
		row.Message = "a new hook has taken the shim's place, and the earlier one lies in " + filepath.Base(beside) + ": make one of the two"
		return row, nil
	case p.chained: // also where the shim was removed by hand
		row.State, row.Message = Removed, "the hook that was here before is back"
		return row, os.Rename(beside, path)
	case p.twice:
		row.State, row.Message = Removed, "the hook that is here had a second name"
		return row, os.Remove(beside)
	case p.ours:
		row.State = Removed
		return row, in.remove(path)
	}
	return row, nil
}

// remove removes a shim, and the folders of this repository that are empty then.
func (in *Installer) remove(path string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	folder := filepath.Dir(path)
	for in.isInside(folder) && os.Remove(folder) == nil {
		folder = filepath.Dir(folder)
	}
	return nil
}

// folders gives where hooks of ours may be: where git looks now, and where it
// looked before core.hooksPath was set.
func (in *Installer) folders() []string {
	if in.own != in.dir {
		return []string{in.dir, in.own}
	}
	return []string{in.dir}
}
