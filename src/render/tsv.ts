import type { PrintContext } from './print-context.ts';
import { stateWord } from './state.ts';
import { cleanText } from '../common/untrusted-text.ts';
import { rfc3339 } from './time.ts';
import { plainText, type Cell, type Field } from './cell.ts';

/**
 * A line of tab-separated values. Nothing is truncated, times are in RFC 3339, and null is empty.
 * Tabs, newlines, carriage returns and backslashes in values are escaped.
 */
export const tsvLine = (fields: readonly Field[], element: object): string =>
  `${fields.map((field) => escapeTsv(cellText(field.read(element)))).join('\t')}\n`;

/** Removes control characters on a terminal. */
export function tsvText(
  { stream }: PrintContext,
  fields: readonly Field[],
  element: object,
): string {
  const line = tsvLine(fields, element);
  return stream.isTerminal ? cleanText(line) : line;
}

export const escapeTsv = (text: string): string =>
  text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function cellText({ kind, value, parent }: Cell): string {
  if (typeof value !== 'string') return plainText(value);
  if (kind === 'state') return stateWord(value, parent ?? {});
  return kind === 'time' ? rfc3339(value) : value;
}
