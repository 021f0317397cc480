import { DryRun } from '../api/call.ts';
import type { Resource } from '../api/resources/resource.ts';
import { checkSettings } from './check-settings.ts';
import { jsonText } from './print-json.ts';
import { printOne } from './print-one.ts';
import { readPath } from './path.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import type { PrintContext } from './print-context.ts';
import { tsvText } from './tsv.ts';
import type { Field } from './cell.ts';
import { emojisFor } from './shortcodes.ts';

/**
 * Runs a change and prints the resource that came back: for people what was done in one line, with
 * its address below, in TSV the address alone, for the next command. Under `--dry-run` there is none.
 *
 * @param verb what was done with it: `canceled`
 */
export async function printChange<T extends object>(
  context: PrintContext,
  resource: Resource,
  change: () => Promise<T>,
  verb: string,
): Promise<T | undefined> {
  await checkSettings(context.settings, resource, { mutates: true });
  const element = await changeUnlessDry(change);
  if (element === undefined) return undefined;
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

/** `pipeline demo`. */
function nameOf({ name, references = [] }: Resource, element: object): string {
  const own = [...references, 'slug', 'name', 'id'].map((path) => readPath(element, path));
  const found = own.find((value) => typeof value === 'string' && value !== '') as
    string | undefined;
  return found === undefined ? name : `${name} ${found}`;
}

async function changeUnlessDry<T>(change: () => Promise<T>): Promise<T | undefined> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof DryRun) return undefined;
    throw error;
  }
}

/** One value that names the element, as a line; of an element without any, all that it has. */
function namedBy(context: PrintContext, element: object): string {
  const name = names.find((path) => isName(path, readPath(element, path)));
  if (name === undefined) return `${jsonText({ ...context, format: 'jsonl' }, element)}\n`;
  const field: Field = {
    heading: '',
    read: () => ({ kind: 'text', value: readPath(element, name), parent: element }),
  };
  return `${cleanLine(tsvText(context, [field], element).trimEnd())}\n`;
}

/** The best for people and scripts first; rules call their id `uuid`. */
const names = ['web_url', 'id', 'uuid', 'url', 'number', 'name', 'context'];

/** A text, or of `number` the number; members of a wrong type name nothing. */
const isName = (path: string, value: unknown): boolean =>
  path === 'number'
    ? typeof value === 'number' || isLosslessNumber(value)
    : typeof value === 'string' && value.trim() !== '';

const isLosslessNumber = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'isLosslessNumber' in value;
