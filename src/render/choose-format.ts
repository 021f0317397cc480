import type { OutputFormat } from '../parse/output-format.ts';

/**
 * The form that data takes: `--jq` implies JSON, an explicit choice comes next, and without one a
 * terminal gets a table and a pipe TSV.
 */
export function chooseFormat(
  settings: { readonly output?: OutputFormat; readonly jq?: string },
  isTerminal: boolean,
): OutputFormat {
  if (settings.jq !== undefined) return settings.output === 'jsonl' ? 'jsonl' : 'json';
  return settings.output ?? (isTerminal ? 'table' : 'tsv');
}
