import type { Member, Resource } from '../api/resources/resource.ts';
import { stringifyJson } from '../api/json.ts';
import { withComputed, readPath } from './fields.ts';
import { formatCell, type CellOptions, drawTable } from './table.ts';
import { cleanLine, cleanText, escapeJson } from '../common/untrusted-text.ts';
import { instant, rfc3339 } from './time.ts';
import { widthOf, wrapLine } from './width.ts';
import { fieldOf, isMissing, plainText, type Cell } from './cell.ts';

export interface DetailOptions extends CellOptions {
  readonly width: number;
  /** The names in `--fields`, including those that the element lacks */
  readonly paths?: readonly string[];
  /** Omits the tables of embedded resources. */
  readonly short?: boolean;
}

/**
 * Formats a resource as aligned names and values, with tables for embedded resources such as the
 * jobs of a build. Missing fields are omitted. A resource without any known field is shown as JSON.
 */
export function drawDetail(resource: Resource, element: object, options: DetailOptions): string {
  const paths = options.paths ?? resource.detail ?? scalars(resource);
  const entries = paths
    .map((path) => ({ path, cell: fieldOf(resource, { path, heading: path }).read(element) }))
    .filter(({ cell }) => options.paths !== undefined || hasText(cell));
  const labelWidth = Math.max(0, ...entries.map(({ path }) => path.length));
  const lines = entries.map(({ path, cell }) => {
    const value = formatValue(cell, options, ' '.repeat(labelWidth + 2));
    const name = options.colors.bold(path.padEnd(labelWidth));
    if (!standsAlone(value, options.width, labelWidth + 2)) return `${name}  ${value}`.trimEnd();
    return `${options.colors.bold(path)}\n  ${value}`;
  });
  const whole = options.paths === undefined && options.short !== true;
  const tables = Object.entries(whole ? resource.members : {}).map(([name, member]) =>
    embeddedTable(name, member, element, options),
  );
  const below = tables.join('');
  if (lines.length === 0 && below === '') return `${escapeJson(stringifyJson(element, 2))}\n`;
  return `${lines.join('\n')}\n${below}`;
}

/**
 * Whether to put a value below its name. True for a single word that does not fit next to the
 * name, so that an ID or a URL stays in one piece for copying.
 */
const standsAlone = (value: string, width: number, indent: number): boolean =>
  width < narrow && !/\s/.test(value) && widthOf(value) > width - indent;

/** URLs rarely fit next to their name on terminals narrower than this. */
const narrow = 60;

function formatValue(cell: Cell, options: DetailOptions, indent: string): string {
  const { kind, value } = cell;
  if (kind === 'map') return entriesOf(value).join(`\n${indent}`);
  if (kind === 'time' && typeof value === 'string') return formatTime(value, cell, options, indent);
  if (kind === 'text' || kind === 'prose' || kind === 'list') {
    const text = cleanText(kind === 'list' ? listText(value) : plainText(value));
    const written = kind === 'prose' && options.emojis ? cleanText(options.emojis(text)) : text;
    return wrapped(written, options.width - indent.length)
      .join(`\n${indent}`)
      .replace(/[ ]+$/gm, '');
  }
  const { text, paint } = formatCell(cell, options);
  return paint === undefined ? text : paint(text);
}

/** The comma is followed by a space, so that a long list can wrap. */
const listText = (value: unknown): string =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value.join(', ')
    : plainText(value);

const wrapped = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, narrowest)));

/** A value needs at least this many columns next to its name. */
const narrowest = 20;

function formatTime(text: string, cell: Cell, options: DetailOptions, indent: string): string {
  const exact = cleanLine(rfc3339(text));
  if (instant(text) === undefined) return exact;
  const distance = `(${formatCell(cell, options).text})`;
  const fits =
    widthOf(`${exact} ${distance}`) <= Math.max(options.width - indent.length, narrowest);
  return `${exact}${fits ? ' ' : `\n${indent}`}${options.colors.dim(distance)}`;
}

const entriesOf = (map: unknown): string[] =>
  Object.entries(map ?? {}).map(([name, value]) => cleanLine(`${name}=${plainText(value)}`));

const hasText = ({ value }: Cell): boolean => !isMissing(value) && plainText(value) !== '';

const scalars = (resource: Resource): string[] =>
  Object.entries(resource.members)
    .filter(([, { kind, of }]) => of === undefined && kind !== 'map' && kind !== 'json')
    .map(([path]) => path);

function embeddedTable(
  name: string,
  { kind, of }: Member,
  element: object,
  options: DetailOptions,
): string {
  const elements = readPath(element, name);
  if (kind !== 'list' || of === undefined || !Array.isArray(elements)) return '';
  if (elements.length === 0 || of.columns.length === 0) return '';
  const fields = of.columns.map((column) => fieldOf(of, column));
  const paths = of.columns.map(({ path }) => path);
  const rows = (elements as unknown[])
    .filter((value): value is object => typeof value === 'object' && value !== null)
    .filter((row) => of.hasNoRow?.(row) !== true)
    .map((row) => withComputed(of, row, paths, options.now));
  return `\n${options.colors.bold(name)}\n${drawTable(fields, rows, options)}`;
}
