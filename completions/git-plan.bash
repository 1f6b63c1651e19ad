# bash completion for `git plan`; git's own completion calls _git_plan.
#
# Git's completion is set up with nospace, so a finished word gets its space
# here.
_git_plan() {
	local line=${COMP_LINE:0:COMP_POINT} args=() before="" word i
	# Bash takes `a@b` and `--x=y` for several words: put them together again.
	for ((i = 0; i < COMP_CWORD; i++)); do
		word=${line#"${line%%[![:space:]]*}"}
		if [[ $word == "$line" && $i -gt 0 ]]; then
			args[${#args[@]} - 1]+=${COMP_WORDS[i]}
		else
			args+=("${COMP_WORDS[i]}")
		fi
		line=${word:${#COMP_WORDS[i]}}
	done
	word=${line#"${line%%[![:space:]]*}"}
	if [[ $word == "$line" && $i -gt 0 ]]; then
		before=${args[${#args[@]} - 1]}
		args[${#args[@]} - 1]+=$word
	else
		args+=("$word")
	fi
	_git_plan_ask "$before"
}

# Ask the program what may stand in place of the last of args. The argument is
# the part of it that bash does not replace.
_git_plan_ask() {
	local git=(git) i=0 found word rest=:0 before=$1 begun=${args[${#args[@]} - 1]}
	# Of `--flag=value` the program tells the value.
	[[ $begun == -*=* ]] && begun=${begun#*=} before=${before#*=}
	while ((i < ${#args[@]} - 1)) && [[ ${args[i]} != plan && ${args[i]} != git-plan ]]; do
		case ${args[i]} in
		-C | -c | --git-dir | --work-tree | --namespace)
			git+=("${args[i]}" "${args[i + 1]}")
			((i++))
			;;
		--git-dir=* | --work-tree=* | --namespace=*) git+=("${args[i]}") ;;
		esac
		((i++))
	done
	COMPREPLY=()
	while IFS= read -r found; do
		word=${found%%$'\t'*}
		case $found in
		:*) rest=$found ;;
		*) [[ $word == "$begun"* ]] && COMPREPLY+=("${word#"$before"}") ;;
		esac
	done < <("${git[@]}" plan __complete "${args[@]:i+1}" 2>/dev/null)
	# Bit 2 of the last line asks for no space behind the word.
	((${rest#:} & 2)) || COMPREPLY=("${COMPREPLY[@]/%/ }")
	# Bit 4 says that file names make no sense here.
	if ((${rest#:} & 4)) && [[ ${#COMPREPLY[@]} -eq 0 ]]; then
		compopt +o default +o bashdefault 2>/dev/null
	fi
}
complete -o bashdefault -o default -o nospace -F _git_plan git-plan
