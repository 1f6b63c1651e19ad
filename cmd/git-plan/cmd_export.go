package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/formats"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan/diag"
)

type exportOptions struct {
	name, format, out string
	fold              bool
}

func newExport(a *app) *cobra.Command {
	var opts exportOptions
	cmd := &cobra.Command{
		Use: "export -t FORM [-o DIR|FILE] [PLAN]", Short: "write a plan in another form", GroupID: groupLook,
		Long: `Write a stored plan in another form: ` + strings.Join(formats.Names(), ", ") + `. A plan may be named as it was, such as
"auth@v1". It goes to standard output, with --json as JSON; with -o to a file, or
into a folder as the files that the other program keeps: for "dir" those of the
plan itself, as they are stored. A name that ends as a file of that form does
(.yaml, .yml, .json) is a file's, any other a folder's.

What the other form has no place for is told on standard error.
` + exitHelp,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.name = argumentOr(args, "")
			return a.runExport(cmd.Context(), opts)
		},
	}
	formatFlag(cmd, &opts.format, "t", "to", "the `form` to write: ")
	cmd.Flags().StringVarP(&opts.out, "output", "o", "", "the `path` of the file or folder to write")
	foldFlag(cmd, &opts.fold)
	return cmd
}

func foldFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "fold", false, "of a PlanSpec, leave out the details of steps that are neither active nor blocked")
}

// exportDocument says which files were written.
type exportDocument struct {
	Status string   `json:"status"`
	Files  []string `json:"files"`
}

func (a *app) runExport(ctx context.Context, opts exportOptions) error {
	format, err := opts.form()
	if err != nil {
		return err
	}
	stored, at, err := a.loadPlan(ctx, opts.name)
	if err != nil {
		return err
	}
	a.warnOfGates(ctx, at)
	a.warnOf(stored, opts.name)
	updated, err := at.LastChange(ctx, stored.Location)
	if err != nil {
		return err
	}
	return a.writeForm(ctx, formats.Writing{Plan: stored.Plan, Updated: updated}, format, opts)
}

// form gives the form that is to be written.
func (opts exportOptions) form() (formats.Format, error) {
	if opts.format == "" {
		return formats.Format{}, &usageError{"in what form? give -t, which is one of " + strings.Join(formats.Names(), ", ")}
	}
	format, err := formats.Find(opts.format)
	if err != nil {
		return format, &usageError{err.Error()}
	}
	if opts.fold && format.Name != "planspec" {
		return format, &usageError{"--fold is for -t planspec: " + format.Name + " has nothing to fold"}
	}
	return format, nil
}

// writeForm writes a plan in a form, to where the options say, and tells what is
// lost.
func (a *app) writeForm(ctx context.Context, w formats.Writing, format formats.Format, opts exportOptions) error {
	asFolder, err := a.asFolder(opts.out, format)
	if err != nil {
		return err
	}
	w.JSON, w.Fold = a.json && opts.out == "" || path.Ext(opts.out) == ".json", opts.fold
	if asFolder {
		files, losses := format.Folder(w)
		if err := a.checkFolder(ctx, opts.out, format, files); err != nil {
			return err
		}
		a.lost(format.Name+" has no place for ", losses)
		return a.writeFiles(opts.out, files)
	}
	if format.Refuses != nil {
		if err := format.Refuses(w); err != nil {
			return &formError{err}
		}
	}
	text, losses := format.Write(w)
	a.lost(format.Name+" has no place for ", losses)
	return a.writeText(text, opts.out)
}

// writeText writes a text to a file, or to standard output where none is named.
func (a *app) writeText(text []byte, out string) error {
	if out == "" {
		printable, what := diag.Piped, "that a terminal would obey" // it is somebody else's text
		if a.terminal() != nil {
			printable, what = diag.PrintableText, "that a terminal would obey, or that cannot be seen,"
		}
		said := printable(string(text))
		if said != string(text) {
			a.warn("characters %s are written as escapes; -o FILE writes them as they are", what)
		}
		_, err := io.WriteString(a.Stdout, said)
		return err
	}
	if err := a.writeFile(a.abs(out), text); err != nil {
		return err
	}
	return a.tellFiles([]string{filepath.ToSlash(out)})
}

// asFolder reports whether a plan is to be written as files in a folder, which
// is for the name of what is written and the form to say.
func (a *app) asFolder(out string, format formats.Format) (bool, error) {
	folder := out != "" && a.namesFolder(out, format)
	switch {
	case format.Write == nil && out == "":
		return false, &usageError{format.Name + " is a folder: name it with -o"}
	case format.Write == nil:
		return true, nil
	case folder && format.Folder == nil:
		such := strings.TrimSuffix(out, "/")
		if exists(a.abs(out)) {
			such = path.Join(filepath.ToSlash(out), "plan")
		}
		return false, &usageError{fmt.Sprintf("%s is one file: name it with -o, such as %s", format.Name, such+format.Extensions[0])}
	}
	return folder, nil
}

// checkFolder refuses a folder that is the plan itself and holds other files:
// they would become part of it.
func (a *app) checkFolder(ctx context.Context, dir string, format formats.Format, files map[string][]byte) error {
	if format.ParseFolder == nil {
		return nil
	}
	if err := a.notADraft(ctx, dir); err != nil {
		return err
	}
	there, err := a.readPlanFiles(a.abs(dir))
	if err != nil {
		return inTheWay(a.abs(dir), true, err)
	}
	for _, f := range there {
		if _, ok := files[f.Path]; !ok {
			return &store.ExistsError{Message: fmt.Sprintf("%s holds %s already, which is not of this plan: name a folder that is new or empty", dir, f.Path)}
		}
	}
	return nil
}

// notADraft refuses the folder of a thread, where somebody may have written what is
// nowhere else.
func (a *app) notADraft(ctx context.Context, dir string) error {
	if err := a.openIfThere(ctx); err != nil || a.repo == nil || a.repo.WorkTree == "" {
		return err
	}
	d, err := a.drafts(ctx)
	if err != nil {
		return err
	}
	if t, err := d.ThreadIn(a.abs(dir)); err != nil || t == nil {
		return err
	}
	return &store.ExistsError{Message: dir + " is a thread's folder, and what is drafted there would be written over: name another one, or see `git plan checkout -h`"}
}

// namesFolder reports whether a path is that of a folder, or does not look like
// that of a file of this form.
func (a *app) namesFolder(name string, format formats.Format) bool {
	if info, err := os.Stat(a.abs(name)); err == nil {
		return info.IsDir()
	}
	return strings.HasSuffix(name, "/") || !slices.Contains(format.Extensions, filepath.Ext(name))
}

// writeFiles writes files by their paths below a folder, which is made where
// it is missing. Nothing outside of it is written, whatever links it holds.
func (a *app) writeFiles(dir string, files map[string][]byte) error {
	root, err := a.makeFolder(a.abs(dir))
	if err != nil {
		return err
	}
	defer root.Close()
	var written []string
	for name, data := range files {
		if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
			return err
		}
		if err := root.WriteFile(name, data, 0o666); err != nil {
			return err
		}
		written = append(written, filepath.ToSlash(filepath.Join(dir, name)))
	}
	slices.Sort(written)
	return a.tellFiles(written)
}

func (a *app) tellFiles(names []string) error {
	if a.json {
		return a.print(exportDocument{"success", names})
	}
	for _, name := range names {
		a.say("%s", name)
	}
	return nil
}
