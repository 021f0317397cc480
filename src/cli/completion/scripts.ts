import type { Shell } from './shells.ts';

/**
 * The completion scripts. Each asks `cictl __complete` with the words up to the cursor, which
 * answers one candidate a line, its summary behind a tab; so a script never goes stale. They stand
 * behind `--`: Node would take an unfinished `--env-file` for its own flag, and obey the file.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# cictl completion for bash: eval "$(cictl completion bash)"
_cictl() {
  local word line index before current prefix words=()
  # Bash parts words at "=" and ":"; here they are joined again.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ \${#words[@]} -gt 0 && ("$word" == [=:]* || "$before" == *[=:]) ]]; then
      words[\${#words[@]}-1]+="$word"
    else
      words+=("$word")
    fi
    before="$word"
  done
  current="\${words[\${#words[@]}-1]}"
  # What it takes for the word begins behind the last of them.
  prefix="\${current%"\${current##*[=:]}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    line="\${line%%$'\\t'*}"
    COMPREPLY+=("\${line#"$prefix"}")
  done < <(cictl __complete -- "\${words[@]}" 2>/dev/null)
  # A list of names goes on behind its comma: no space then.
  if [[ "\${words[\${#words[@]}-2]-}" == "--fields" || "$current" == --fields=* ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -o default -F _cictl cictl
`,
  zsh: `#compdef cictl
# cictl completion for zsh: source <(cictl completion zsh)
_cictl() {
  local line
  local -a candidates
  while IFS= read -r line; do
    local word="\${line%%$'\\t'*}" summary="\${line#*$'\\t'}"
    candidates+=("\${word//:/\\\\:}\${summary:+:$summary}")
  done < <(cictl __complete -- "\${(@)words[2,CURRENT-1]}" "\${words[CURRENT]}" 2>/dev/null)
  # A list of names goes on behind its comma: no space then.
  local -a join
  if [[ "\${words[CURRENT-1]}" == "--fields" || "\${words[CURRENT]}" == --fields=* ]]; then
    join=(-S '')
  fi
  if (( \${#candidates} )); then _describe -V 'cictl' candidates "\${join[@]}"; else _files; fi
}
if [[ "$funcstack[1]" == "_cictl" ]]; then _cictl "$@"; else compdef _cictl cictl; fi
`,
  fish: `# cictl completion for fish: cictl completion fish | source
function __cictl_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (cictl __complete -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c cictl -f -a '(__cictl_complete)'
`,
  powershell: `# cictl completion for PowerShell: cictl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName cictl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
    if ($wordToComplete -eq '') { $words += '' }
    cictl __complete '--' @words 2>$null | ForEach-Object {
        $text, $summary = $_ -split "\`t", 2
        if (-not $summary) { $summary = $text }
        [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $summary)
    }
}
`,
};
