import { basename } from 'node:path';
import type { Handler } from '../../command/command.ts';
import { usageError } from '../../errors.ts';
import type { Env } from '../../common/env.ts';
import { type completion, shells, type Shell } from '../own-commands.ts';

export const printCompletion: Handler<typeof completion> = async ({ shell, install }, context) => {
  if (!install)
    return context.out.write(scripts[known(shell, 'completion requires the name of a shell')]);
  const { installCompletion } = await import('./install.ts');
  const own = shell ?? shellOf(context.env);
  return installCompletion(
    known(own, 'SHELL in the environment is not a supported shell'),
    context,
  );
};

const shellOf = ({ SHELL: path = '' }: Env): string =>
  basename(path).replace(/^pwsh$/, 'powershell');

function known(name: string | undefined, otherwise: string): Shell {
  const shell = shells.find((each) => each === name);
  if (shell !== undefined) return shell;
  throw usageError(`${otherwise}: use one of ${shells.join(', ')}`, 'cictl help completion');
}

/**
 * Each script calls `cictl __complete` with the words up to the cursor, so scripts never become
 * outdated. The words follow `--`: otherwise Node would treat an unfinished `--env-file` as its own
 * flag and apply the file. Bash inserts candidates unquoted, so its script quotes them. No space is
 * added after `#` or in comma-separated lists.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# cictl completion for bash: eval "$(cictl completion bash)"
_cictl() {
  local word line index before current prefix typed quote= text width=0 words=() texts=() summaries=()
  # Bash splits words at "=" and ":". Join the parts again.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ \${#words[@]} -gt 0 && ("$word" == [=:]* || "$before" == *[=:]) ]]; then
      words[\${#words[@]}-1]+="$word"
    else
      words+=("$word")
    fi
    before="$word"
  done
  typed="\${words[\${#words[@]}-1]}"
  # The word without its quotes.
  current="$typed"
  case "$current" in [\\"\\']*) quote="\${current:0:1}" current="\${current:1}" ;; esac
  [[ -n "$quote" ]] || current="\${current//\\\\/}"
  words[\${#words[@]}-1]="$current"
  # Bash completes only the text after the last "=" or ":".
  prefix="\${current%"\${current##*[=:]}"}"
  while IFS= read -r line; do
    text="\${line%%$'\\t'*}"
    text="\${text#"$prefix"}"
    # Quote candidates with shell characters, because anyone may have chosen the names.
    if [[ -z "$quote" && "$text" == *[!A-Za-z0-9_@%+=:,./#^-]* ]]; then printf -v text %q "$text"
    elif [[ -n "$quote" && "$text" == *[\\'\\"\\$\\\`\\\\!]* ]]; then continue
    fi
    texts+=("$text")
    summaries+=("\${line#*$'\\t'}")
    ((\${#text} > width)) && width=\${#text}
  done < <(cictl __complete -- "\${words[@]}" 2>/dev/null)
  COMPREPLY=("\${texts[@]}")
  # If the candidates are only listed (second Tab), nothing is inserted, so summaries can be added.
  if [[ "\${COMP_TYPE:-}" == 63 && \${#texts[@]} -gt 1 ]]; then
    for index in "\${!texts[@]}"; do
      [[ -n "\${summaries[index]}" ]] || continue
      printf -v line "%-\${width}s  (%s)" "\${texts[index]}" "\${summaries[index]}"
      COMPREPLY[index]="\${line:0:\${COLUMNS:-80}-2}"
    done
  fi
  # No space after these candidates: a field list continues with a comma, a build with its job.
  before="\${words[\${#words[@]}-2]-}"
  if [[ "$before" == "--fields" || "$current" == --fields=* || "$current" == --json=* || "\${texts[0]-}" == *"#" ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
# Keep the order of the candidates (newest build first) if this bash supports it.
complete -o default -o nosort -F _cictl cictl 2>/dev/null || complete -o default -F _cictl cictl
`,
  zsh: `#compdef cictl
# cictl completion for zsh: source <(cictl completion zsh)
_cictl() {
  local line current="$PREFIX"
  local -a candidates join
  # The word without its quotes. An unclosed quote is not part of the prefix.
  [[ -n "$QIPREFIX" ]] || current="\${(Q)PREFIX}"
  while IFS= read -r line; do
    local word="\${line%%$'\\t'*}" summary="\${line#*$'\\t'}"
    candidates+=("\${\${word//\\\\/\\\\\\\\}//:/\\\\:}\${summary:+:$summary}")
  done < <(cictl __complete -- "\${(@Q)words[2,CURRENT-1]}" "$current" 2>/dev/null)
  # No space after these candidates: a field list continues with a comma, a build with its job.
  if [[ "\${words[CURRENT-1]}" == "--fields" || "\${words[CURRENT]}" == (--fields|--json)=* || "\${candidates[1]%%:*}" == *"#" ]]; then
    join=(-S '')
  fi
  if (( \${#candidates} )); then _describe -V 'cictl' candidates -M 'm:{a-zA-Z}={A-Za-z}' "\${join[@]}"; else _files; fi
}
if [[ "$funcstack[1]" == "_cictl" ]]; then
  _cictl "$@"
else
  # Sourced before compinit, or without compinit.
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -D -u; }
  compdef _cictl cictl
fi
`,
  fish: `# cictl completion for fish: cictl completion fish | source
function __cictl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    # The word without its quotes, if they are closed.
    set -l typed (string unescape -- "$current"; or printf '%s\\n' "$current")
    set -l found (cictl __complete -- $words[2..-1] "$typed" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c cictl -f -k -a '(__cictl_complete)'
`,
  powershell: `# cictl completion for PowerShell: cictl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName cictl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
    if ($wordToComplete -eq '') { $words += '' }
    cictl __complete '--' @words 2>$null | ForEach-Object {
        $text, $summary = $_ -split "\`t", 2
        if (-not $summary) { $summary = $text }
        $typed = $text
        # Quote candidates with shell characters, because anyone may have chosen the names.
        if ($text -match '[^\\w@%+=:./#^-]' -or $text -match '^[@#]') { $typed = "'" + $text.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($typed, $text, 'ParameterValue', $summary)
    }
}
`,
};
