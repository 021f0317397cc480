import type { Resource } from '../api/resources/resource.ts';
import { checkSettings } from './check-settings.ts';
import { selectFields } from './fields.ts';
import { requireFoundFields } from './found-fields.ts';
import type { ListOptions } from './output.ts';
import { choosePrinter } from './printers.ts';
import type { PrintContext } from './print-context.ts';

/** Prints a list; a line on standard error says when it was empty. */
export async function printList(
  context: PrintContext,
  resource: Resource,
  elements: AsyncIterable<object> | Iterable<object>,
  options: ListOptions,
): Promise<void> {
  await checkSettings(context.settings, resource);
  const progress = context.messages.progress(`loading ${resource.plural}`);
  const write: PrintContext['write'] = (data) => {
    progress.stop();
    return context.write(data);
  };
  try {
    const format = options.format ?? context.format;
    const printer = choosePrinter({ ...context, format, write }, resource, options);
    const { fields } = context.settings;
    const unknown = fields === undefined ? [] : selectFields(resource, fields).unknown;
    let count = 0;
    const isSkipped = format === 'table' ? (resource.hasNoRow ?? never) : never;
    for await (const element of requireFoundFields(resource, unknown, elements)) {
      if (isSkipped(element)) continue;
      await printer.add(element);
      count += 1;
      if (count % 100 === 0) progress.update(`loading ${resource.plural} (${count})`);
    }
    await printer.end();
    progress.stop();
    if (count === 0 && !showsEmptiness(context))
      context.messages.note(emptyLine(resource, options));
  } finally {
    progress.stop();
  }
}

const never = (): boolean => false;

/** JSON and YAML have a form for an empty list. */
const showsEmptiness = ({ format }: PrintContext): boolean =>
  format === 'json' || format === 'yaml';

const emptyLine = (resource: Resource, { empty }: ListOptions): string =>
  empty ?? `no ${resource.plural} found`;
