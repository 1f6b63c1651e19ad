# fish completion for `git plan`.
function __git_plan_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l i 1
    while test $i -le (count $words); and test $words[$i] != plan; and test $words[$i] != git-plan
        set i (math $i + 1)
    end
    git-plan __complete $words[(math $i + 1)..-1] 2>/dev/null | string match -v -r '^:'
end
complete -c git -n '__fish_git_using_command plan' -f -a '(__git_plan_complete)'
complete -c git -n '__fish_git_needs_command' -f -a plan -d 'work plans kept in git'
complete -c git-plan -f -a '(__git_plan_complete)'
