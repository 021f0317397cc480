/** The forms of data (interface, "Output"). */
export const outputFormats = ['table', 'tsv', 'json', 'jsonl', 'yaml'] as const;

export type OutputFormat = (typeof outputFormats)[number];

/**
 * The form that data takes: `--jq` implies JSON, an explicit choice comes next, and without one a
 * terminal gets a table and a pipe TSV.
 */
export function chooseFormat(
  settings: { readonly output?: OutputFormat | undefined; readonly jq?: string | undefined },
  isTerminal: boolean,
): OutputFormat {
  if (settings.jq !== undefined) return settings.output === 'jsonl' ? 'jsonl' : 'json';
  return settings.output ?? (isTerminal ? 'table' : 'tsv');
}
