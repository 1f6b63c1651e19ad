# fish completion for `git plan`, as git's subcommand and as git-plan.
#
# Ask the program what may stand in place of the last word. Arguments are how
# it is called, then the words behind its name.
function __git_plan_ask
    set -l found ($argv "$(commandline -ct)" 2>/dev/null)
    # Of `--flag=value` the program tells the value, and fish wants the whole.
    set -l flag (string match -r '^-[^=]*=' -- (commandline -ct))
    for offer in (string match -v -r '^:' -- $found)
        printf '%s\n' "$flag$offer"
    end
    # Bit 4 of the last line says that file names make no sense here.
    set -l rest (string replace ':' '' -- $found[-1])
    if test (count $found) -le 1; and string match -q -r '^[0-9]+$' -- "$rest"; and test (math "floor($rest / 4) % 2") -eq 0
        __fish_complete_path (commandline -ct)
    end
end

function __git_plan_complete
    set -l words (commandline -opc)
    __git_plan_ask git-plan __complete $words[2..-1]
end

# Behind git, what stands before `plan` says which repository is meant.
function __git_plan_complete_git
    set -l words (commandline -opc)
    set -l git git
    set -l i 2
    while test $i -lt (count $words); and test "$words[$i]" != plan
        switch $words[$i]
            case -C -c --git-dir --work-tree --namespace
                set -a git $words[$i..(math $i + 1)]
                set i (math $i + 1)
            case '--git-dir=*' '--work-tree=*' '--namespace=*'
                set -a git $words[$i]
        end
        set i (math $i + 1)
    end
    __git_plan_ask $git plan __complete $words[(math $i + 1)..-1]
end

complete -c git-plan -f -a '(__git_plan_complete)'
