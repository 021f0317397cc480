import type { Resource } from '../api/resources/resource.ts';
import { checkSettings } from './check.ts';
import { selectFields } from './fields.ts';
import { withFound } from './found-fields.ts';
import type { ListOptions } from './output.ts';
import { choosePrinter } from './printers.ts';
import type { Printing } from './printing.ts';

/** Prints a list; a line on standard error says when it was empty. */
export async function printList(
  printing: Printing,
  resource: Resource,
  elements: AsyncIterable<object> | Iterable<object>,
  options: ListOptions,
): Promise<void> {
  await checkSettings(printing.settings, resource);
  const progress = printing.messages.progress(`loading ${resource.plural}`);
  const write: Printing['write'] = (data) => {
    progress.stop();
    return printing.write(data);
  };
  try {
    const format = options.format ?? printing.format;
    const printer = choosePrinter({ ...printing, format, write }, resource, options);
    const { fields } = printing.settings;
    const unknown = fields === undefined ? [] : selectFields(resource, fields).unknown;
    let count = 0;
    for await (const element of withFound(resource, unknown, elements)) {
      await printer.add(element);
      count += 1;
      if (count % 100 === 0) progress.update(`loading ${resource.plural} (${count})`);
    }
    await printer.end();
    progress.stop();
    if (count === 0 && !showsEmptiness(printing))
      printing.messages.note(emptyLine(resource, options));
  } finally {
    progress.stop();
  }
}

/** JSON and YAML have a form for an empty list. */
const showsEmptiness = ({ format }: Printing): boolean => format === 'json' || format === 'yaml';

const emptyLine = (resource: Resource, { empty }: ListOptions): string =>
  empty ?? `no ${resource.plural} found`;
