import { DryRun } from '../api/dry-run.ts';
import type { Resource } from '../api/resources/resource.ts';
import { checkSettings } from './check.ts';
import { printOne } from './one.ts';
import { readPath } from './path.ts';
import type { Printing } from './printing.ts';
import { tsvText } from './tsv.ts';
import { isMissing, type Field } from './value.ts';

/**
 * Runs a change and prints the resource that came back. Programs that read TSV want to go on with
 * it, so that they get its address alone. Nothing came back under `--dry-run`.
 */
export async function printChange<T extends object>(
  printing: Printing,
  resource: Resource,
  change: () => Promise<T>,
): Promise<T | undefined> {
  await checkSettings(printing.settings, resource);
  const element = await changeUnlessDry(change);
  if (element === undefined) return undefined;
  if (printing.format === 'tsv' && printing.settings.fields === undefined) {
    await printing.write(tsvText(printing, [addressField], element));
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

/** The address for people, or else the id; rules call it `uuid`. */
const addressField: Field = {
  heading: '',
  read(element) {
    const names = ['web_url', 'id', 'uuid'];
    const value = names.map((name) => readPath(element, name)).find((found) => !isMissing(found));
    return { kind: 'text', value, holder: element };
  },
};
