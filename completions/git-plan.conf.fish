# fish reads completions of git from one file, git's own. This one is read when
# a shell starts and adds `git plan`; the rest is loaded when it is first needed.
if status is-interactive
    complete -c git -n __fish_git_needs_command -f -a plan -d 'work plans of coding agents, kept in git'
    complete -c git -n '__fish_git_using_command plan' -f -a '(
        functions -q __git_plan_complete_git; or complete -C "git-plan version --" >/dev/null
        __git_plan_complete_git)'
end
