#compdef git-plan
# zsh completion for `git plan`; git's own completion calls _git-plan.
_git-plan() {
	local -a found
	local line
	for line in ${(f)"$(git-plan __complete ${words[2,CURRENT]} 2>/dev/null)"}; do
		[[ $line == :* ]] && continue
		found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
	done
	_describe 'git plan' found
}
_git-plan "$@"
