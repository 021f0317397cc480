import { isLosslessNumber } from 'lossless-json';
import { CictlError } from '../errors.ts';
import { escapeYaml } from '../common/untrusted-text.ts';
import { toYaml } from './yaml.ts';

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
