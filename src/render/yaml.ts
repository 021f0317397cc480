import { isLosslessNumber } from 'lossless-json';
import { Document, Scalar, visit, type ScalarTag } from 'yaml';
import type { PrintContext } from './print-context.ts';
import { createSpool } from './spool.ts';
import { CictlError } from '../errors.ts';
import { escapeYaml } from '../common/untrusted-text.ts';

/** One document of YAML with the elements of a list, printed when the last is there. */
export interface YamlList {
  add(element: unknown): Promise<void>;
  end(): Promise<void>;
}

export function yamlList(context: PrintContext): YamlList {
  const spool = createSpool();
  return {
    async add(element) {
      for (const piece of yamlPieces([element])) await spool.add(piece);
      context.signal?.throwIfAborted();
    },
    async end() {
      await context.write(context.startYaml());
      if (spool.length === 0) return context.write('[]\n');
      await spool.drain((piece) => context.write(piece));
    },
  };
}

/**
 * A value as YAML, the same text as in one go, in pieces that each take a moment: of a large value
 * all at once would need many times its memory, and nothing could stop it. Throws `CictlError`,
 * code 9, before the first piece for what is nested deeper than readers of YAML take.
 */
export function* yamlPieces(value: unknown, max = 20_000): Generator<string, void, undefined> {
  checkDepth(value);
  yield* pieces(value, { indent: '', first: '', max });
}

interface Position {
  /** Before every line. */
  readonly indent: string;
  /** Before the first line, in place of `indent`. */
  readonly first: string;
  /** Values of up to this size are written in one go. */
  readonly max: number;
}

function* pieces(value: unknown, layout: Position): Generator<string, void, undefined> {
  if (typeof value === 'string' && !isSmall(value, layout.max)) yield layout.first + quoted(value);
  else if (!isOpen(value) || isSmall(value, layout.max)) yield shiftPiece(toYaml(value), layout);
  else if (Array.isArray(value)) yield* elements(value, layout);
  else yield* entries(value, layout);
}

function* elements(
  values: readonly unknown[],
  layout: Position,
): Generator<string, void, undefined> {
  let { first } = layout;
  const indent = `${layout.indent}  `;
  for (const value of values) {
    if (isSmall(value, layout.max)) yield shiftPiece(toYaml([value]), { ...layout, first });
    else yield* pieces(value, { ...layout, indent, first: `${first}- ` });
    first = layout.indent;
  }
}

function* entries(value: object, layout: Position): Generator<string, void, undefined> {
  let { first } = layout;
  const indent = `${layout.indent}  `;
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    const here = { ...layout, first };
    if (isSmall(inner, layout.max)) yield shiftPiece(toYaml({ [name]: inner }), here);
    else if (typeof inner === 'string')
      yield shiftPiece(`${pieceName(name)} ${quoted(inner)}`, here);
    else {
      yield shiftPiece(`${pieceName(name)}\n`, here);
      yield* pieces(inner, { ...layout, indent, first: indent });
    }
    first = layout.indent;
  }
}

/** `name:`, or the long form of it. */
const pieceName = (name: string): string => toYaml({ [name]: 0 }).replace(/ 0\n$/, '');

/** JSON's form is one of YAML's; to look for a nicer one takes long. */
const quoted = (text: string): string => `${escapeYaml(JSON.stringify(text))}\n`;

/** Empty lines stay empty. */
const shiftPiece = (text: string, { indent, first }: Position): string =>
  first + (indent === '' ? text : text.replace(/\n(?!\n|$)/g, `\n${indent}`));

/**
 * Counts values, and characters of texts as so many parts of one, until there are too many; or too
 * many levels of them, for which the library would recurse too far.
 */
function isSmall(value: unknown, max: number): boolean {
  let left = max;
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxLevelsAtOnce) return false;
    const next: unknown[] = [];
    for (const one of level) {
      left -= typeof one === 'string' ? 1 + one.length / 50 : 1;
      if (isOpen(one))
        for (const inner of Object.values(one)) if (next.push(inner) > left) return false;
      if (left < 0) return false;
    }
    level = next;
  }
  return true;
}

const maxLevelsAtOnce = 100;

/** Levels of nesting; the same bound holds for pipeline files. */
const deepest = 1000;

function checkDepth(value: unknown): void {
  let level: object[] = isOpen(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > deepest)
      throw new CictlError(
        'invalid_response',
        `the service answered what is nested in more than ${deepest} levels, which YAML does not bear`,
        { hint: 'cictl … -o json' },
      );
    const next: object[] = [];
    for (const one of level)
      for (const inner of Object.values(one) as unknown[]) if (isOpen(inner)) next.push(inner);
    level = next;
  }
}

/** An object or array; a number too long for JavaScript is none. */
const isOpen = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isLosslessNumber(value);

/**
 * A value as YAML 1.2 that readers of 1.1 understand alike. Control characters and bidi overrides
 * are written as escapes, which YAML wants and terminals need. Ends with a newline.
 *
 * The library takes a tenth of a millisecond for each value, so that it is asked only for those
 * whose form is not plain to see.
 */
export const toYaml = (value: unknown): string =>
  isFilled(value) ? block(value, '') : libraryYaml(value);

/** An array or object line by line; `indent` goes before every line but the first. */
function block(value: object, indent: string): string {
  let text = '';
  const add = (line: string): void => void (text += text === '' ? line : indent + line);
  if (Array.isArray(value)) for (const item of value as unknown[]) add(itemText(item, indent));
  else for (const [name, inner] of Object.entries(value)) add(entryText(name, inner, indent));
  return text;
}

function itemText(item: unknown, indent: string): string {
  if (isFilled(item)) return `- ${block(item, `${indent}  `)}`;
  const plain = plainScalar(item);
  return plain === undefined ? shift(libraryYaml([item]), indent) : `- ${plain}\n`;
}

function entryText(name: string, inner: unknown, indent: string): string {
  const key = isPlainName(name) ? `${name}:` : nameOf(name);
  // The long form of a name has one for its value too.
  if (isFilled(inner) && !key.startsWith('? '))
    return `${shift(key, indent)}\n${indent}  ${block(inner, `${indent}  `)}`;
  const plain = plainScalar(inner);
  if (plain !== undefined && key === `${name}:`) return `${key} ${plain}\n`;
  return shift(libraryYaml({ [name]: inner }), indent);
}

/** `name:`, or the long form of it. */
const nameOf = (name: string): string => libraryYaml({ [name]: 0 }).replace(/ 0\n$/, '');

const isPlainName = (name: string): boolean =>
  name.length < 100 && /^[\w.-]+$/.test(name) && plainScalar(name) === name;

/** Empty lines stay empty. */
const shift = (text: string, indent: string): string =>
  indent === '' ? text : text.replace(/\n(?!\n|$)/g, `\n${indent}`);

/** What takes lines of its own; a number too long for JavaScript is none. */
function isFilled(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return false;
  for (const name in value) if (Object.hasOwn(value, name)) return true;
  return false;
}

/**
 * A value of JSON as YAML where nobody can read it as anything else, as nearly all are; undefined
 * where that needs a closer look. It is what the library makes of them.
 */
export function plainScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return plainText(value);
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || Object.is(value, -0)) return undefined;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function plainText(text: string): string | undefined {
  if (text === '' || time.test(text)) return `"${text}"`;
  if (uuid.test(text)) return text;
  // Longer texts have forms of their own.
  if (text.length > 5000 || !letters.test(text) || words.test(text)) return undefined;
  return separators.test(text) ? undefined : text;
}

/** A reader of 1.1 would take it for a date. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** No number and no date begins with a letter, and all of ASCII can be printed. */
const letters = /^[A-Za-z][ -~]*$/;
/** Switches and nothing in YAML 1.1. */
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** What parts a name from its value, or begins a comment. */
const separators = /: | #|[ :-]$/;

/** A value as YAML, all of it by the library. Ends with a newline. */
export function libraryYaml(value: unknown): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    customTags: [longNumber],
    compat: 'yaml-1.1',
  });
  visit(document, { Scalar: (_, scalar) => quoteDoubtful(scalar) });
  return escapeYaml(document.toString({ lineWidth: 0 }));
}

/** A number that JavaScript would round goes out digit by digit. */
const longNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isLosslessNumber,
  resolve: Number,
  stringify: ({ value }) => String(value),
};

/** Escapes exist between double quotes alone. */
function quoteDoubtful(scalar: Scalar): void {
  const { value } = scalar;
  if (typeof value !== 'string') return;
  if (escapeYaml(value) !== value || isMisread(value)) scalar.type = Scalar.QUOTE_DOUBLE;
}

/** Readers of YAML 1.1 stop at a tab in a line without quotes, and have a type for `=`. */
const isMisread = (text: string): boolean =>
  text === '=' || (text.includes('\t') && !text.includes('\n'));
