import { assertResource } from '../api/resources/check.ts';
import type { Resource } from '../api/resources/resource.ts';
import {
  withComputed,
  selectFields,
  unknownField,
  hasPath,
  pickPaths,
  readPath,
} from './fields.ts';
import { printJson, jsonText } from './print-json.ts';
import { type PrintContext, checkSettings } from './print-context.ts';
import { emojisFor } from './shortcodes.ts';
import { tsvText } from './tsv.ts';
import { fieldOf, type Field } from './cell.ts';
import { DryRun } from '../api/call.ts';
import { cleanLine } from '../common/untrusted-text.ts';

/**
 * Prints one resource. In tables and TSV, fields of the wrong type lead to exit code 9. `short` is
 * for the result of a change: it omits embedded resources and accepts wrong types, because the
 * change has already been made.
 */
export async function printOne(
  context: PrintContext,
  resource: Resource,
  sent: object,
  short = false,
): Promise<void> {
  const { format, settings, stream } = context;
  const { columns, unknown = [] } =
    settings.fields === undefined ? {} : selectFields(resource, settings.fields);
  const missing = unknown.find((path) => !hasPath(sent, path));
  if (missing !== undefined) throw unknownField(resource, missing, [sent]);
  const paths = columns?.map(({ path }) => path);
  if (!short && (format === 'tsv' || format === 'table')) assertResource(resource, sent);
  const rowColumns = columns ?? resource.tsv ?? resource.columns;
  const shown = format === 'tsv' ? rowColumns.map(({ path }) => path) : (paths ?? []);
  const element = withComputed(resource, sent, shown, context.clock.now());
  switch (format) {
    case 'json':
    case 'jsonl':
      return printJson(context, paths === undefined ? element : pickPaths(element, paths));
    case 'yaml':
      return context.writeYaml(paths === undefined ? element : pickPaths(element, paths));
    case 'tsv': {
      const fields = rowColumns.map((column) => fieldOf(resource, column));
      return context.write(tsvText(context, fields, element));
    }
    case 'table': {
      const { drawDetail } = await import('./detail.ts');
      const { colors, clock } = context;
      const emojis = await emojisFor(proseIn(resource, element));
      const options = { colors, now: clock.now(), width: stream.width, short, emojis };
      return context.write(drawDetail(resource, element, paths ? { ...options, paths } : options));
    }
  }
}

/** Text that people wrote, which may contain emoji shortcodes. */
const proseIn = ({ members }: Resource, element: object): string[] =>
  Object.entries(members).flatMap(([name, { kind, of }]) => {
    const value = (element as Readonly<Record<string, unknown>>)[name];
    if (kind === 'prose') return typeof value === 'string' ? [value] : [];
    if (of === undefined || typeof value !== 'object' || value === null) return [];
    const inner = (Array.isArray(value) ? value : [value]) as unknown[];
    return inner.flatMap((one) =>
      typeof one === 'object' && one !== null ? proseIn(of, one) : [],
    );
  });

/**
 * Runs a change and prints the result: one line and the URL on a terminal, or only the URL as TSV
 * (for the next command). With `--dry-run` there is no result. `verb` is the past participle, such
 * as `canceled`.
 */
export async function printChange<T extends object>(
  context: PrintContext,
  resource: Resource,
  change: () => Promise<T>,
  verb: string,
): Promise<T | undefined> {
  await checkSettings(context.settings, resource, { mutates: true });
  let element: T;
  try {
    element = await change();
  } catch (error) {
    if (error instanceof DryRun) return undefined;
    throw error;
  }
  const { format, settings } = context;
  if (settings.fields !== undefined) await printOne(context, resource, element, true);
  else if (format === 'tsv') await context.write(namedBy(context, element));
  else if (format === 'table')
    await context.write(await changeLines(context, resource, element, verb));
  else await printOne(context, resource, element, true);
  return element;
}

async function changeLines(
  { colors, stream }: PrintContext,
  resource: Resource,
  element: object,
  verb: string,
): Promise<string> {
  const members = element as Readonly<Record<string, unknown>>;
  const words = cleanLine(`${verb} ${resource.describe?.(members) ?? nameOf(resource, members)}`);
  const { shorten } = await import('./width.ts');
  const shown = shorten((await emojisFor([words]))(words), stream.width - 2);
  const address = members['web_url'];
  const lines = [`${colors.green('✓')} ${shown}`];
  if (typeof address === 'string' && address !== '') lines.push(`  ${cleanLine(address)}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** For example, `pipeline demo`. */
function nameOf({ name, references = [] }: Resource, element: object): string {
  const own = [...references, 'slug', 'name', 'id'].map((path) => readPath(element, path));
  const found = own.find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? `${name} ${found}` : name;
}

/** The best available name of an element, or the whole element as JSON. */
function namedBy(context: PrintContext, element: object): string {
  const name = names.find((path) => isName(path, readPath(element, path)));
  if (name === undefined) return `${jsonText({ ...context, format: 'jsonl' }, element)}\n`;
  const field: Field = {
    heading: '',
    read: () => ({ kind: 'text', value: readPath(element, name), parent: element }),
  };
  return `${cleanLine(tsvText(context, [field], element).trimEnd())}\n`;
}

/** The best names come first. Rules have an ID named `uuid`. */
const names = ['web_url', 'id', 'uuid', 'url', 'number', 'name', 'context'];

function isName(path: string, value: unknown): boolean {
  if (path !== 'number') return typeof value === 'string' && value.trim() !== '';
  return (
    typeof value === 'number' ||
    (typeof value === 'object' && value !== null && 'isLosslessNumber' in value)
  );
}
