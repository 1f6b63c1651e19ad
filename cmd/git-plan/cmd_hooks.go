package main

import "github.com/spf13/cobra"

func newHooks(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "hooks", Short: "put the gate where git runs", GroupID: groupSetup}
	cmd.AddCommand(newHooksRun(a))
	return cmd
}
