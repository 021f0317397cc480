# cictl completion for bash: eval "$(cictl completion bash)"
_cictl() {
  local word line index before current prefix typed quote= text width=0 words=() texts=() summaries=()
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
  typed="${words[${#words[@]}-1]}"
  # As it is without its quotes.
  current="$typed"
  case "$current" in [\"\']*) quote="${current:0:1}" current="${current:1}" ;; esac
  [[ -n "$quote" ]] || current="${current//\\/}"
  words[${#words[@]}-1]="$current"
  # What it takes for the word begins behind the last of them.
  prefix="${current%"${current##*[=:]}"}"
  while IFS= read -r line; do
    text="${line%%$'\t'*}"
    text="${text#"$prefix"}"
    # A name that the shell would obey is quoted: it may come from anybody.
    if [[ -z "$quote" && "$text" == *[!A-Za-z0-9_@%+=:,./#^-]* ]]; then printf -v text %q "$text"
    elif [[ -n "$quote" && "$text" == *[\'\"\$\`\\!]* ]]; then continue
    fi
    texts+=("$text")
    summaries+=("${line#*$'\t'}")
    ((${#text} > width)) && width=${#text}
  done < <(cictl __complete -- "${words[@]}" 2>/dev/null)
  COMPREPLY=("${texts[@]}")
  # Where they are listed, as the second Tab does, nothing is put on the line: there is room for more.
  if [[ "${COMP_TYPE:-}" == 63 && ${#texts[@]} -gt 1 ]]; then
    for index in "${!texts[@]}"; do
      [[ -n "${summaries[index]}" ]] || continue
      printf -v line "%-${width}s  (%s)" "${texts[index]}" "${summaries[index]}"
      COMPREPLY[index]="${line:0:${COLUMNS:-80}-2}"
    done
  fi
  # A list of names goes on behind its comma, a build with its job: no space then.
  before="${words[${#words[@]}-2]-}"
  if [[ "$before" == "--fields" || "$current" == --fields=* || "$current" == --json=* || "${texts[0]-}" == *"#" ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
# In the order that they come in, where bash can: the newest build first.
complete -o default -o nosort -F _cictl cictl 2>/dev/null || complete -o default -F _cictl cictl
