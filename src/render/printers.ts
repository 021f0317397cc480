import type { Resource } from '../api/resources/resource.ts';
import { stringifyJson } from '../api/json.ts';
import { assertResource } from '../api/resources/check.ts';
import { withComputed } from './computed.ts';
import { selectFields } from './fields.ts';
import { jsonText, printJson, runOn } from './print-json.ts';
import type { ListOptions } from './output.ts';
import { pickPaths } from './path.ts';
import type { Printing } from './printing.ts';
import { referenceField } from './reference.ts';
import { tsvText } from './tsv.ts';
import { fieldOf, type Field } from './value.ts';

/** Takes the elements of one list as they come. */
export interface Printer {
  add(element: object): Promise<void> | void;
  end(): Promise<void> | void;
}

/** The printer for the form that was chosen. */
export function choosePrinter(
  printing: Printing,
  resource: Resource,
  options: ListOptions,
): Printer {
  const { fields } = printing.settings;
  const printer = printerOf(printing, resource, options);
  if (fields === undefined) return printer;
  const paths = selectFields(resource, fields).columns.map(({ path }) => path);
  return {
    add: (element) => printer.add(withComputed(resource, element, paths, printing.clock.now())),
    end: () => printer.end(),
  };
}

function printerOf(printing: Printing, resource: Resource, options: ListOptions): Printer {
  const { jq } = printing.settings;
  const pick = pickerOf(printing, resource);
  switch (printing.format) {
    case 'json':
      return jq === undefined ? jsonPrinter(printing, pick) : jqPrinter(printing, pick);
    case 'jsonl':
      return { add: (element) => printJson(printing, pick(element)), end: () => undefined };
    case 'yaml':
      return yamlPrinter(printing, pick);
    case 'tsv':
      return checked(resource, tsvPrinter(printing, listFields(printing, resource, options)));
    case 'table':
      return checked(resource, tablePrinter(printing, listFields(printing, resource, options)));
  }
}

/** Cells are read from members, which have to be what they are taken for; JSON passes as it came. */
const checked = (resource: Resource, printer: Printer): Printer => ({
  add(element) {
    assertResource(resource, element);
    return printer.add(element);
  },
  end: () => printer.end(),
});

/** The columns of table and TSV. A list over several pipelines names its builds by reference. */
function listFields(
  { settings: { fields } }: Printing,
  resource: Resource,
  { columns = resource.columns, reference }: ListOptions,
): Field[] {
  if (fields !== undefined) {
    return selectFields(resource, fields).columns.map((column) => fieldOf(resource, column));
  }
  if (reference === undefined) return columns.map((column) => fieldOf(resource, column));
  const others = columns.filter(({ path }) => path !== 'number');
  return [referenceField(reference), ...others.map((column) => fieldOf(resource, column))];
}

type Pick = (element: object) => unknown;

/** What `--fields` leaves of an element. */
function pickerOf({ settings: { fields } }: Printing, resource: Resource): Pick {
  if (fields === undefined) return (element) => element;
  const paths = selectFields(resource, fields).columns.map(({ path }) => path);
  return (element) => pickPaths(element, paths);
}

/** `[`, the elements as they come, `]`: a failure on the way leaves the array open. */
function jsonPrinter(printing: Printing, pick: Pick): Printer {
  let before = '[\n';
  return {
    async add(element) {
      const text = jsonText(printing, pick(element));
      const lines = printing.stream.isTerminal ? text.replace(/^/gm, '  ') : text;
      await printing.write(before + lines);
      before = ',\n';
    },
    end: () => printing.write(before === ',\n' ? '\n]\n' : '[]\n'),
  };
}

/** The program gets the whole array. */
function jqPrinter(printing: Printing, pick: Pick): Printer {
  const texts: string[] = [];
  return {
    add: (element) => void texts.push(stringifyJson(pick(element))),
    end: () => runOn(printing, `[${texts.join(',')}]`),
  };
}

function yamlPrinter(printing: Printing, pick: Pick): Printer {
  const values: unknown[] = [];
  return {
    add: (element) => void values.push(pick(element)),
    end: () => printing.writeYaml(values),
  };
}

const tsvPrinter = (printing: Printing, fields: readonly Field[]): Printer => ({
  add: (element) => printing.write(tsvText(printing, fields, element)),
  end: () => undefined,
});

/** Widths are known at the end only, so that a table waits for all elements. */
function tablePrinter(printing: Printing, fields: readonly Field[]): Printer {
  const elements: object[] = [];
  return {
    add: (element) => void elements.push(element),
    async end() {
      if (elements.length === 0) return;
      const { drawTable } = await import('./table.ts');
      const { colors, clock, stream } = printing;
      const keepsEmpty = printing.settings.fields !== undefined;
      const telling = { colors, now: clock.now(), width: stream.width, keepsEmpty };
      await printing.write(drawTable(fields, elements, telling));
    },
  };
}
