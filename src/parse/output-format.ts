import { usageError } from '../errors.ts';

export const outputFormats = ['table', 'tsv', 'json', 'jsonl', 'yaml'] as const;

export type OutputFormat = (typeof outputFormats)[number];

/** Exit code 2 if the format is unknown. `source` is used in the message. */
export function checkFormat(text: string, source: string): OutputFormat {
  const known = outputFormats.find((format) => format === text);
  if (known !== undefined) return known;
  const names = outputFormats.join(', ');
  throw usageError(
    `unknown output format ${JSON.stringify(text)} (${source}); formats are ${names}`,
  );
}
