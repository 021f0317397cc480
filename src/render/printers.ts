import type { Column, Resource } from '../api/resources/resource.ts';
import { stringifyJson } from '../api/json.ts';
import { assertResource } from '../api/resources/check.ts';
import { withComputed } from './computed.ts';
import { selectFields } from './fields.ts';
import type { JqBatch } from './jq-batch.ts';
import { jsonText, printJson } from './print-json.ts';
import type { ListOptions } from './output.ts';
import { pickPaths } from './path.ts';
import type { PrintContext } from './print-context.ts';
import { referenceField } from './reference.ts';
import { tablePrinter } from './table-printer.ts';
import { tsvText } from './tsv.ts';
import type { YamlList } from './yaml-list.ts';
import { fieldOf, type Field } from './cell.ts';

/** Takes the elements of one list as they come. */
export interface Printer {
  add(element: object): Promise<void> | void;
  end(): Promise<void> | void;
}

/** The printer for the form that was chosen. */
export function choosePrinter(
  context: PrintContext,
  resource: Resource,
  options: ListOptions,
): Printer {
  const printer = printerOf(context, resource, options);
  const paths = shownPaths(context, resource, options);
  if (!paths.some((path) => mayBeComputed(resource, path))) return printer;
  return {
    add: (element) => printer.add(withComputed(resource, element, paths, context.clock.now())),
    end: () => printer.end(),
  };
}

/** The paths that are shown; of data that is passed on whole none. */
function shownPaths(context: PrintContext, resource: Resource, options: ListOptions): string[] {
  const { fields } = context.settings;
  if (fields !== undefined) return selectFields(resource, fields).columns.map(({ path }) => path);
  if (context.format !== 'table' && context.format !== 'tsv') return [];
  return columnsOf(context, resource, options).map(({ path }) => path);
}

const mayBeComputed = ({ computed = {} }: Resource, path: string): boolean =>
  path.includes('.') || Object.hasOwn(computed, path);

/** Those of the table or of TSV. */
const columnsOf = (
  { format }: PrintContext,
  { columns, tsv }: Resource,
  options: ListOptions,
): readonly Column[] => options.columns ?? (format === 'tsv' ? tsv : undefined) ?? columns;

function printerOf(context: PrintContext, resource: Resource, options: ListOptions): Printer {
  const { jq } = context.settings;
  const pick = pickerOf(context, resource);
  switch (context.format) {
    case 'json':
    case 'jsonl':
      if (jq !== undefined) return jqPrinter(context, resource, pick);
      return context.format === 'json' ? jsonPrinter(context, pick) : linePrinter(context, pick);
    case 'yaml':
      return yamlPrinter(context, pick);
    case 'tsv':
      return checked(resource, tsvPrinter(context, listFields(context, resource, options)));
    case 'table':
      return checked(resource, tablePrinter(context, listFields(context, resource, options)));
  }
}

/** Cells are read from members, whose types are checked; JSON is passed on unchanged. */
const checked = (resource: Resource, printer: Printer): Printer => ({
  add(element) {
    assertResource(resource, element);
    return printer.add(element);
  },
  end: () => printer.end(),
});

/** The columns of table and TSV. A list over several pipelines names its builds by reference. */
function listFields(context: PrintContext, resource: Resource, options: ListOptions): Field[] {
  const { fields } = context.settings;
  if (fields !== undefined) {
    return selectFields(resource, fields).columns.map((column) => fieldOf(resource, column));
  }
  const columns = columnsOf(context, resource, options);
  const { reference } = options;
  if (reference === undefined) return columns.map((column) => fieldOf(resource, column));
  const others = columns
    .filter(({ path, show }) => path !== 'number' && show !== 'glyph')
    .map((column) => fieldOf(resource, column.show === 'words' ? withGlyph(column) : column));
  return [referenceField(reference), ...others];
}

/** The sign stands before the words where it has no column of its own. */
const withGlyph = ({ path, heading, priority }: Column): Column => ({
  ...{ path, heading },
  ...(priority !== undefined && { priority }),
});

type Pick = (element: object) => unknown;

/** What `--fields` leaves of an element. */
function pickerOf({ settings: { fields } }: PrintContext, resource: Resource): Pick {
  if (fields === undefined) return (element) => element;
  const paths = selectFields(resource, fields).columns.map(({ path }) => path);
  return (element) => pickPaths(element, paths);
}

const linePrinter = (context: PrintContext, pick: Pick): Printer => ({
  add: (element) => printJson(context, pick(element)),
  end: () => undefined,
});

/** `[`, the elements as they come, `]`: a failure in the middle leaves the array open. */
function jsonPrinter(context: PrintContext, pick: Pick): Printer {
  let before = '[\n';
  return {
    async add(element) {
      const text = jsonText(context, pick(element));
      const lines = context.stream.isTerminal ? text.replace(/^/gm, '  ') : text;
      await context.write(before + lines);
      before = ',\n';
    },
    end: () => context.write(before === ',\n' ? '\n]\n' : '[]\n'),
  };
}

/** What jq makes of the elements; how, is loaded with the first. */
function jqPrinter(context: PrintContext, resource: Resource, pick: Pick): Printer {
  let opened: JqBatch | undefined;
  const open = async (): Promise<JqBatch> => {
    if (context.format === 'jsonl') return (await import('./jq-lines.ts')).jqLines(context);
    return (await import('./jq-list.ts')).jqList(context, resource);
  };
  return {
    add: async (element) => (opened ??= await open()).add(stringifyJson(pick(element))),
    end: async () => (opened ?? (await open())).flush(),
  };
}

/** Printed once all of it is there, so that a failure leaves nothing. */
function yamlPrinter(context: PrintContext, pick: Pick): Printer {
  let opened: YamlList | undefined;
  const open = async (): Promise<YamlList> => (await import('./yaml-list.ts')).yamlList(context);
  return {
    add: async (element) => (opened ??= await open()).add(pick(element)),
    end: async () => (opened ?? (await open())).end(),
  };
}

const tsvPrinter = (context: PrintContext, fields: readonly Field[]): Printer => ({
  add: (element) => context.write(tsvText(context, fields, element)),
  end: () => undefined,
});
