import { DryRun } from '../api/dry-run.ts';
import type { Resource } from '../api/resources/resource.ts';
import { checkSettings } from './check-settings.ts';
import { jsonText } from './print-json.ts';
import { printOne } from './print-one.ts';
import { readPath } from './path.ts';
import type { PrintContext } from './print-context.ts';
import { tsvText } from './tsv.ts';
import type { Field } from './cell.ts';

/**
 * Runs a change and prints the resource that came back. In TSV only its
 * address is printed, for the next command. Under `--dry-run` there is none.
 */
export async function printChange<T extends object>(
  context: PrintContext,
  resource: Resource,
  change: () => Promise<T>,
): Promise<T | undefined> {
  await checkSettings(context.settings, resource, { mutates: true });
  const element = await changeUnlessDry(change);
  if (element === undefined) return undefined;
  if (context.format === 'tsv' && context.settings.fields === undefined) {
    await context.write(namedBy(context, element));
  } else {
    await printOne(context, resource, element, true);
  }
  return element;
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
  return tsvText(context, [field], element);
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
