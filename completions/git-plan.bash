# bash completion for `git plan`; git's own completion calls _git_plan.
_git_plan() {
	local words=("${COMP_WORDS[@]}") i=0 line
	while [ "${words[i]-}" != plan ] && [ "${words[i]-}" != git-plan ] && ((i < COMP_CWORD)); do ((i++)); done
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		:*) ;;
		*) COMPREPLY+=("${line%%$'\t'*}") ;;
		esac
	done < <(git-plan __complete "${words[@]:i+1:COMP_CWORD-i}" 2>/dev/null)
	COMPREPLY=($(compgen -W "${COMPREPLY[*]}" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _git_plan git-plan
