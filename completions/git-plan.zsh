#compdef git-plan
#description work plans of coding agents, kept in git
# zsh completion for `git plan`; zsh's own completion of git calls _git-plan.
_git-plan() {
	local -a found=("${(@f)$(git-plan __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}") items
	local line name
	for line in $found; do
		[[ $line == :* ]] && continue
		name=${line%%$'\t'*}
		if [[ $line == *$'\t'* ]]; then
			items+=("${name//:/\\:}:${line#*$'\t'}")
		else
			items+=("${name//:/\\:}")
		fi
	done
	if (( $#items )); then
		_describe 'git plan' items
	# Bit 4 of the last line says that file names make no sense here.
	elif (( ! (${found[-1]#:} & 4) )); then
		_files
	fi
}
_git-plan "$@"
