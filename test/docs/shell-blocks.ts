/** The shell commands of a page. */

/** The commands of each `sh` and `console` block of a Markdown page, in order. */
export const shellBlocks = (page: string): string[] =>
  [...page.matchAll(/^```(sh|console)\n(.*?)^```/gms)].map(([, language, text = '']) =>
    language === 'sh' ? text : (text.match(/(?<=^\$ ).*\n/gm) ?? []).join(''),
  );

/**
 * A bash script that runs a block and stops at the first unexpected exit code. A line whose
 * comment names an exit code (`# exit code 4`) must exit with that code.
 */
export function scriptOf(block: string): string {
  const lines = block.split('\n').map((line) => {
    const [, command, code] = /^(.+?) +#.*\bexit code (\d+)/.exec(line) ?? [];
    return command === undefined ? line : `( ${command} ) || test $? = ${code}`;
  });
  return `trap 'echo "failed: $BASH_COMMAND" >&2' ERR\nset -eEo pipefail\n${lines.join('\n')}`;
}
