#compdef git-plan
#description work plans of coding agents, kept in git
# zsh completion for `git plan`; zsh's own completion of git calls _git-plan.
_git-plan() {
	local -a ask=(git-plan) found items
	local line name
	# Behind git, what stands before `plan` says which repository is meant.
	if [[ $service != git-plan ]]; then
		ask=(git)
		[[ -n ${opt_args[-C]-} ]] && ask+=(-C ${(Q)opt_args[-C]})
		[[ -n ${opt_args[--git-dir]-} ]] && ask+=(--git-dir=${(Q)opt_args[--git-dir]})
		[[ -n ${opt_args[--work-tree]-} ]] && ask+=(--work-tree=${(Q)opt_args[--work-tree]})
		ask+=(plan)
	fi
	found=("${(@f)$("${ask[@]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
	# Of `--flag=value` the program tells the value.
	[[ $PREFIX == -*=* ]] && compset -P 1 '*='
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
