import { assertResource } from '../api/resources/check.ts';
import type { Resource } from '../api/resources/resource.ts';
import { withComputed } from './computed.ts';
import { selectFields, unknownField } from './fields.ts';
import { printJson } from './print-json.ts';
import { hasPath, pickPaths } from './path.ts';
import type { PrintContext } from './print-context.ts';
import { proseIn } from './prose-in.ts';
import { emojisFor } from './shortcodes.ts';
import { tsvText } from './tsv.ts';
import { fieldOf } from './cell.ts';

/**
 * Prints one resource. Members of a wrong type are passed on in JSON and YAML, else code 9. `short`
 * is for what a change gave back: it leaves out of the detail view what is embedded, and prints odd
 * members as they are, since the change is done.
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
