/**
 * The completion scripts. Each asks `cictl __complete` with the words up to the cursor, which
 * answers one candidate a line, its summary behind a tab; so a script never goes stale.
 */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof shells)[number];

export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# cictl completion for bash: eval "$(cictl completion bash)"
_cictl() {
  local line current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  # Bash parts words at "="; a value is completed as the word behind it.
  if [[ "$current" == "=" ]]; then current=""; fi
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(cictl __complete "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
  # A list of fields goes on behind its comma, an object behind its dot: no space then.
  if [[ "\${#COMPREPLY[@]}" -eq 1 && "\${COMP_WORDS[COMP_CWORD-1]}" == "--fields" ]]; then
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
    candidates+=("\${word//:/\\\\:}:$summary")
  done < <(cictl __complete "\${(@)words[2,CURRENT-1]}" "\${words[CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe -V 'cictl' candidates; else _files; fi
}
if [[ "$funcstack[1]" == "_cictl" ]]; then _cictl "$@"; else compdef _cictl cictl; fi
`,
  fish: `# cictl completion for fish: cictl completion fish | source
function __cictl_complete
    set -l words (commandline -opc) (commandline -ct)
    cictl __complete $words[2..-1] 2>/dev/null
end
function __cictl_has_none
    test -z "$(__cictl_complete)"
end
complete -c cictl -f -a '(__cictl_complete)'
complete -c cictl -n __cictl_has_none -F
`,
  powershell: `# cictl completion for PowerShell: cictl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName cictl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
    if ($wordToComplete -eq '') { $words += '' }
    cictl __complete @words 2>$null | ForEach-Object {
        $text, $summary = $_ -split "\`t", 2
        if (-not $summary) { $summary = $text }
        [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $summary)
    }
}
`,
};
