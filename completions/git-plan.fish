# fish completion for `git plan`; fish's own completion of git asks that of
# git-plan.
function __git_plan_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -q word[1]; or set word ''
    set -l found (git-plan __complete $words[2..-1] "$word" 2>/dev/null)
    string match -v -r '^:' -- $found
    # Bit 4 of the last line says that file names make no sense here.
    set -l rest (string replace ':' '' -- $found[-1])
    if test (count $found) -le 1; and string match -q -r '^[0-9]+$' -- "$rest"; and test (math "floor($rest / 4) % 2") -eq 0
        __fish_complete_path $word
    end
end
complete -c git-plan -f -a '(__git_plan_complete)'
