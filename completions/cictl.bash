# cictl completion for bash: eval "$(cictl completion bash)"
_cictl() {
  local word line index before current prefix words=()
  # Bash parts words at "=" and ":"; here they are joined again.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word="${COMP_WORDS[index]}"
    if [[ ${#words[@]} -gt 0 && ("$word" == [=:]* || "$before" == *[=:]) ]]; then
      words[${#words[@]}-1]+="$word"
    else
      words+=("$word")
    fi
    before="$word"
  done
  current="${words[${#words[@]}-1]}"
  # What it takes for the word begins behind the last of them.
  prefix="${current%"${current##*[=:]}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    line="${line%%$'\t'*}"
    COMPREPLY+=("${line#"$prefix"}")
  done < <(cictl __complete -- "${words[@]}" 2>/dev/null)
  # A list of names goes on behind its comma: no space then.
  if [[ "${words[${#words[@]}-2]-}" == "--fields" || "$current" == --fields=* ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -o default -F _cictl cictl
