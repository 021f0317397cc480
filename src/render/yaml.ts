import { isLosslessNumber } from 'lossless-json';
import { Document, Scalar, visit, type ScalarTag } from 'yaml';
import type { PrintContext } from './print-context.ts';
import { createSpool } from './spool.ts';
import { CictlError } from '../errors.ts';
import { escapeYaml } from '../common/untrusted-text.ts';

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
 * Writes YAML in chunks, because writing a large value in one call could not be interrupted. Throws
 * `CictlError` (exit code 9) before the first chunk if the value is nested too deeply.
 */
export function* yamlPieces(value: unknown): Generator<string, void, undefined> {
  checkDepth(value);
  if (isFilled(value)) yield* block(value, '', '');
  else yield isLong(value) ? `${quoted(value)}\n` : libraryYaml(value);
}

/**
 * Writes YAML 1.2 that YAML 1.1 parsers interpret in the same way. Escapes control characters and
 * bidi overrides. The library needs 0.1 ms per value, so it is used only for values whose form is
 * not obvious. `first` comes before the first line, `indent` before the other lines.
 */
function* block(value: object, indent: string, first: string): Generator<string, void, undefined> {
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  let text = first;
  let start = '';
  for (const [name, item] of Object.entries(value) as [string, unknown][]) {
    text += start;
    start = indent;
    const key = isList ? '-' : keyOf(name);
    if (isFilled(item)) {
      const before = isList ? '- ' : `${shift(key, indent)}\n${inner}`;
      yield* block(item, inner, text + before);
      text = '';
      continue;
    }
    const scalar = isLong(item) ? quoted(item) : plainScalar(item);
    const isPlain = scalar !== undefined && (isList || key === `${name}:`);
    text += isPlain
      ? `${key} ${scalar}\n`
      : shift(libraryYaml(isList ? [item] : { [name]: item }), indent);
    if (text.length < chunkLength) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

const chunkLength = 64 * 1024;

/** The library formats long strings slowly, so they are written as JSON, which is valid YAML. */
const isLong = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 1_000_000;

const quoted = (text: string): string => escapeYaml(JSON.stringify(text));

/** Returns `name:`, quoted or as an explicit key if necessary. */
function keyOf(name: string): string {
  const isPlain = name.length < 100 && /^[\w.-]+$/.test(name) && plainScalar(name) === name;
  return isPlain ? `${name}:` : libraryYaml({ [name]: 0 }).replace(/ 0\n$/, '');
}

/** Indents text, but keeps empty lines empty. */
const shift = (text: string, indent: string): string =>
  indent === '' ? text : text.replace(/\n(?!\n|$)/g, `\n${indent}`);

/** Maximum number of levels, the same as in pipeline files. */
const deepest = 1000;

function checkDepth(value: unknown): void {
  let level: object[] = isOpen(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > deepest)
      throw new CictlError(
        'invalid_response',
        `the response has more than ${deepest} levels of nesting, which YAML output does not support`,
        { hint: 'to print the response as JSON: -o json' },
      );
    const next: object[] = [];
    for (const one of level)
      for (const inner of Object.values(one) as unknown[]) if (isOpen(inner)) next.push(inner);
    level = next;
  }
}

/** A `LosslessNumber` is treated as a number. */
const isOpen = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isLosslessNumber(value);

const isFilled = (value: unknown): value is object =>
  isOpen(value) && Object.keys(value).length > 0;

/** The scalar as the library would write it; undefined unless it is obvious whether to quote it. */
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
  // The library may format longer strings differently.
  if (text.length > 5000 || !letters.test(text) || words.test(text)) return undefined;
  return separators.test(text) ? undefined : text;
}

/** A YAML 1.1 parser would treat this as a date. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Printable ASCII that starts with a letter, so it is neither a number nor a date. */
const letters = /^[A-Za-z][ -~]*$/;
/** Booleans and null in YAML 1.1. */
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Text that separates a name from its value, or starts a comment. */
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

/** Keeps all digits of a number. */
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

/** YAML 1.1 parsers stop at an unquoted tab and treat `=` as a special type. */
const isMisread = (text: string): boolean =>
  text === '=' || (text.includes('\t') && !text.includes('\n'));
