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

type exportCommand struct {
	*app
	format, out string
	fold        bool
}

func newExport(a *app, cmd *cobra.Command) runner {
	c := &exportCommand{app: a}
	cmd.Long = strings.Replace(cmd.Long, "FORMS", strings.Join(formats.Names(), ", "), 1)
	formatFlag(cmd, &c.format, "t", "to", "the `form` to write: ")
	cmd.Flags().StringVarP(&c.out, "output", "o", "", "the `path` of the file or folder to write")
	foldFlag(cmd, &c.fold)
	return c.run
}

func foldFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "fold", false, "of a PlanSpec, leave out the details of steps that are neither active nor blocked")
}

// exportDocument lists the files that were written.
type exportDocument struct {
	Status string   `json:"status"`
	Files  []string `json:"files"`
}

func (c *exportCommand) run(ctx context.Context, args []string) error {
	format, err := c.form()
	if err != nil {
		return err
	}
	stored, at, err := c.loadToShow(ctx, firstOr(args, ""))
	if err != nil {
		return err
	}
	updated, err := at.LastChange(ctx, stored.Location)
	if err != nil {
		return err
	}
	return c.writeForm(ctx, formats.Writing{Plan: stored.Plan, Updated: updated}, format)
}

// form gives the form that is to be written.
func (c *exportCommand) form() (formats.Format, error) {
	if c.format == "" {
		return formats.Format{}, &usageError{"in what form? give -t, which is one of " + strings.Join(formats.Names(), ", ")}
	}
	format, err := formats.Find(c.format)
	if err != nil {
		return format, &usageError{err.Error()}
	}
	if c.fold && format.Name != "planspec" {
		return format, &usageError{"--fold is for -t planspec: " + format.Name + " has nothing to fold"}
	}
	return format, nil
}

// writeForm writes a plan in a form and warns of what is lost.
func (c *exportCommand) writeForm(ctx context.Context, w formats.Writing, format formats.Format) error {
	asFolder, err := c.asFolder(format)
	if err != nil {
		return err
	}
	w.JSON, w.Fold = c.json && c.out == "" || path.Ext(c.out) == ".json", c.fold
	if asFolder {
		files, losses := format.Folder(w)
		if err := c.checkFolder(ctx, format, files); err != nil {
			return err
		}
		c.lost(format.Name+" has no place for ", losses)
		return c.writeFiles(files)
	}
	text, losses, err := format.Write(w)
	if err != nil {
		return &formError{err}
	}
	c.lost(format.Name+" has no place for ", losses)
	return c.writeText(text)
}

// writeText writes a text to the file that -o names, or to standard output.
func (c *exportCommand) writeText(text []byte) error {
	if c.out == "" {
		printable, what := diag.Piped, "that a terminal would obey" // it is somebody else's text
		if c.atTerminal() {
			printable, what = diag.PrintableText, "that a terminal would obey, or that cannot be seen,"
		}
		said := printable(string(text))
		if said != string(text) {
			c.warn("characters %s are written as escapes; -o FILE writes them as they are", what)
		}
		_, err := io.WriteString(c.Stdout, said)
		return err
	}
	if err := c.writeFile(c.abs(c.out), text); err != nil {
		return err
	}
	return c.tellFiles([]string{filepath.ToSlash(c.out)})
}

// asFolder reports whether a plan is written as files in a folder: the name of the
// output and the form decide.
func (c *exportCommand) asFolder(format formats.Format) (bool, error) {
	folder := c.out != "" && c.namesFolder(format)
	switch {
	case format.Write == nil && c.out == "":
		return false, &usageError{format.Name + " is a folder: name it with -o"}
	case format.Write == nil:
		return true, nil
	case folder && format.Folder == nil:
		such := strings.TrimSuffix(c.out, "/")
		if exists(c.abs(c.out)) {
			such = path.Join(filepath.ToSlash(c.out), "plan")
		}
		return false, &usageError{fmt.Sprintf("%s is one file: name it with -o, such as %s", format.Name, such+format.Extensions[0])}
	}
	return folder, nil
}

// checkFolder refuses a folder with other files, which would become part of the plan.
func (c *exportCommand) checkFolder(ctx context.Context, format formats.Format, files map[string][]byte) error {
	if format.ParseFolder == nil {
		return nil
	}
	if err := c.notADraft(ctx); err != nil {
		return err
	}
	there, err := c.readPlanFiles(c.abs(c.out))
	if err != nil {
		return inTheWay(c.abs(c.out), true, err)
	}
	for _, f := range there {
		if _, ok := files[f.Path]; !ok {
			return &store.ExistsError{Message: fmt.Sprintf("%s holds %s already, which is not of this plan: name a folder that is new or empty", c.out, f.Path)}
		}
	}
	return nil
}

// notADraft refuses the folder of a thread: a draft may be nowhere else.
func (c *exportCommand) notADraft(ctx context.Context) error {
	if err := c.openIfThere(ctx); err != nil || c.repo == nil || c.repo.WorkTree == "" {
		return err
	}
	d, err := c.drafts(ctx)
	if err != nil {
		return err
	}
	if t, err := d.In(c.abs(c.out)); err != nil || t == nil {
		return err
	}
	return &store.ExistsError{Message: c.out + " is a thread's folder, and what is drafted there would be written over: name another one, or see `git plan checkout -h`"}
}

// namesFolder reports whether the output is a folder, or not named as a file of this form.
func (c *exportCommand) namesFolder(format formats.Format) bool {
	if info, err := os.Stat(c.abs(c.out)); err == nil {
		return info.IsDir()
	}
	return strings.HasSuffix(c.out, "/") || !slices.Contains(format.Extensions, filepath.Ext(c.out))
}

// writeFiles writes files below the folder that -o names. No link in it leads out.
func (c *exportCommand) writeFiles(files map[string][]byte) error {
	root, err := c.makeFolder(c.abs(c.out))
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
		written = append(written, filepath.ToSlash(filepath.Join(c.out, name)))
	}
	slices.Sort(written)
	return c.tellFiles(written)
}

func (c *exportCommand) tellFiles(names []string) error {
	if c.json {
		return c.print(exportDocument{"success", names})
	}
	for _, name := range names {
		c.say("%s", name)
	}
	return nil
}
