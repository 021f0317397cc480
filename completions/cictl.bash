# cictl completion for bash: eval "$(cictl completion bash)"
_cictl() {
  local word line index before current prefix typed quote= text width=0 words=() texts=() summaries=()
  # Bash splits words at "=" and ":". Join the parts again.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word="${COMP_WORDS[index]}"
    if [[ ${#words[@]} -gt 0 && ("$word" == [=:]* || "$before" == *[=:]) ]]; then
      words[${#words[@]}-1]+="$word"
    else
      words+=("$word")
    fi
    before="$word"
  done
  typed="${words[${#words[@]}-1]}"
  # The word without its quotes.
  current="$typed"
  case "$current" in [\"\']*) quote="${current:0:1}" current="${current:1}" ;; esac
  [[ -n "$quote" ]] || current="${current//\\/}"
  words[${#words[@]}-1]="$current"
  # Bash completes only the text after the last "=" or ":".
  prefix="${current%"${current##*[=:]}"}"
  while IFS= read -r line; do
    text="${line%%$'\t'*}"
    text="${text#"$prefix"}"
    # Quote candidates with shell characters, because anyone may have chosen the names.
    if [[ -z "$quote" && "$text" == *[!A-Za-z0-9_@%+=:,./#^-]* ]]; then printf -v text %q "$text"
    elif [[ -n "$quote" && "$text" == *[\'\"\$\`\\!]* ]]; then continue
    fi
    texts+=("$text")
    summaries+=("${line#*$'\t'}")
    ((${#text} > width)) && width=${#text}
  done < <(cictl __complete -- "${words[@]}" 2>/dev/null)
  COMPREPLY=("${texts[@]}")
  # If the candidates are only listed (second Tab), nothing is inserted, so summaries can be added.
  if [[ "${COMP_TYPE:-}" == 63 && ${#texts[@]} -gt 1 ]]; then
    for index in "${!texts[@]}"; do
      [[ -n "${summaries[index]}" ]] || continue
      printf -v line "%-${width}s  (%s)" "${texts[index]}" "${summaries[index]}"
      COMPREPLY[index]="${line:0:${COLUMNS:-80}-2}"
    done
  fi
  # No space after these candidates: a field list continues with a comma, a build with its job.
  before="${words[${#words[@]}-2]-}"
  if [[ "$before" == "--fields" || "$current" == --fields=* || "$current" == --json=* || "${texts[0]-}" == *"#" ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
# Keep the order of the candidates (newest build first) if this bash supports it.
complete -o default -o nosort -F _cictl cictl 2>/dev/null || complete -o default -F _cictl cictl
