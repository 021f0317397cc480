import { DryRun } from '../api/dry-run.ts';
import type { Resource } from '../api/resources/resource.ts';
import { checkSettings } from './check.ts';
import { jsonText } from './print-json.ts';
import { printOne } from './print-one.ts';
import { readPath } from './path.ts';
import type { Printing } from './printing.ts';
import { tsvText } from './tsv.ts';
import type { Field } from './value.ts';

/**
 * Runs a change and prints the resource that came back. Programs that read TSV want to go on with
 * it, so that they get its address alone. Nothing came back under `--dry-run`.
 */
export async function printChange<T extends object>(
  printing: Printing,
  resource: Resource,
  change: () => Promise<T>,
): Promise<T | undefined> {
  await checkSettings(printing.settings, resource, { mutates: true });
  const element = await changeUnlessDry(change);
  if (element === undefined) return undefined;
  if (printing.format === 'tsv' && printing.settings.fields === undefined) {
    await printing.write(namedBy(printing, element));
  } else {
    await printOne(printing, resource, element, true);
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
function namedBy(printing: Printing, element: object): string {
  const name = names.find((path) => isName(path, readPath(element, path)));
  if (name === undefined) return `${jsonText({ ...printing, format: 'jsonl' }, element)}\n`;
  const field: Field = {
    heading: '',
    read: () => ({ kind: 'text', value: readPath(element, name), holder: element }),
  };
  return tsvText(printing, [field], element);
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
