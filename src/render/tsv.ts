import type { PrintContext } from './print-context.ts';
import { stateWord } from './state.ts';
import { cleanText } from '../common/untrusted-text.ts';
import { rfc3339 } from './time.ts';
import { plainText, type Cell, type Field } from './cell.ts';

/**
 * One element as a line of tab-separated values: nothing shortened, times in RFC 3339, null empty;
 * tab, newline, carriage return and backslash inside a value stand as `\t \n \r \\`.
 */
export const tsvLine = (fields: readonly Field[], element: object): string =>
  `${fields.map((field) => escapeTsv(cellText(field.read(element)))).join('\t')}\n`;

/** The line as it is to be printed: on a terminal without control characters. */
export function tsvText(
  { stream }: PrintContext,
  fields: readonly Field[],
  element: object,
): string {
  const line = tsvLine(fields, element);
  return stream.isTerminal ? cleanText(line) : line;
}

/** A value as it stands between two tabs. */
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
