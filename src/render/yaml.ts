import { isLosslessNumber } from 'lossless-json';
import { Document, Scalar, visit, type ScalarTag } from 'yaml';
import type { PrintContext } from './print-context.ts';
import { createSpool } from './spool.ts';
import { CictlError } from '../errors.ts';
import { escapeYaml } from '../common/untrusted-text.ts';

/** One YAML document with the elements of a list, printed after the last one. */
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
 * Writes YAML in chunks: a large value at once would need many times its memory and could not be
 * interrupted. Throws `CictlError` (exit code 9) before the first chunk if the value is nested too
 * deeply.
 */
export function* yamlPieces(value: unknown, max = 20_000): Generator<string, void, undefined> {
  checkDepth(value);
  yield* pieces(value, { indent: '', first: '', max });
}

interface Position {
  /** Before every line. */
  readonly indent: string;
  /** Before the first line, instead of `indent`. */
  readonly first: string;
  /** Values of up to this size are written at once. */
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

/** JSON strings are valid YAML; finding a nicer form takes long. */
const quoted = (text: string): string => `${escapeYaml(JSON.stringify(text))}\n`;

/** Empty lines stay empty. */
const shiftPiece = (text: string, { indent, first }: Position): string =>
  first + (indent === '' ? text : text.replace(/\n(?!\n|$)/g, `\n${indent}`));

/**
 * Whether it has few values and levels (the library is recursive). Long strings count as several
 * values.
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

/** Maximum levels, as in pipeline files. */
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

/** A `LosslessNumber` counts as a number. */
const isOpen = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isLosslessNumber(value);

/**
 * YAML 1.2 that 1.1 readers understand in the same way. Control characters and bidi overrides are
 * escaped. The library takes 0.1 ms per value, so it only writes values whose form is not obvious.
 */
export const toYaml = (value: unknown): string =>
  isFilled(value) ? block(value, '') : libraryYaml(value);

/** `indent` goes before every line except the first. */
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
  // The long form of a name needs one for its value too.
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

/** Whether it takes its own lines. A `LosslessNumber` counts as a number. */
function isFilled(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return false;
  for (const name in value) if (Object.hasOwn(value, name)) return true;
  return false;
}

/**
 * A scalar that needs no quotes, or obviously needs them, as the library writes it; undefined in
 * case of doubt.
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
  // Longer strings have other forms.
  if (text.length > 5000 || !letters.test(text) || words.test(text)) return undefined;
  return separators.test(text) ? undefined : text;
}

/** 1.1 readers would read a date. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Printable ASCII that starts with a letter, so it is neither a number nor a date. */
const letters = /^[A-Za-z][ -~]*$/;
/** Booleans and null in YAML 1.1. */
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Separates a name from its value, or starts a comment. */
const separators = /: | #|[ :-]$/;

export function libraryYaml(value: unknown): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    customTags: [longNumber],
    compat: 'yaml-1.1',
  });
  visit(document, { Scalar: (_, scalar) => quoteDoubtful(scalar) });
  return escapeYaml(document.toString({ lineWidth: 0 }));
}

/** Keeps all digits. */
const longNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isLosslessNumber,
  resolve: Number,
  stringify: ({ value }) => String(value),
};

/** Only double quotes allow escapes. */
function quoteDoubtful(scalar: Scalar): void {
  const { value } = scalar;
  if (typeof value !== 'string') return;
  if (escapeYaml(value) !== value || isMisread(value)) scalar.type = Scalar.QUOTE_DOUBLE;
}

/** 1.1 readers stop at an unquoted tab, and have a type for `=`. */
const isMisread = (text: string): boolean =>
  text === '=' || (text.includes('\t') && !text.includes('\n'));
