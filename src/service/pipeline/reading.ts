import { interpolate } from './interpolate.ts';
import type { Entry, Mapping, SourcePosition, Report, Value } from './value.ts';
import { isStandard } from './environment.ts';

/**
 * State while a pipeline file is parsed. Parsing never throws: it reports each problem with its
 * position, then continues with a harmless value.
 */
export interface Reading {
  /** Reports something that makes the pipeline invalid. */
  readonly problem: Report;
  /** Reports something that has no effect here. Repeated notices are printed only once. */
  readonly notice: Report;
  /** Returns "; did you mean `x`?". To save time, returns '' after the first 20 problems. */
  didYouMean(word: string, known: Iterable<string>): string;
  lookup(name: string): string | undefined;
  /** Returns the value of a variable that jobs get from this machine, such as HOME. */
  host(name: string): string | undefined;
  /** Whether to keep variables as they are, without interpolation. */
  readonly isLiteral?: boolean;
  /** Whether unknown keys cause notices instead of problems. */
  readonly allowsUnknownKeys?: boolean;
  /** Called for each unset variable that is replaced with an empty string. */
  unset?(name: string): void;
  /** Number of characters that variables, matrices and parallel jobs may still add in total. */
  readonly room: { left: number };
}

export const roomForTexts = (): Reading['room'] => ({ left: 64 * 1024 * 1024 });

/** Reserves `length` characters. Returns false and reports one problem if there is no room. */
export function takeRoom({ room, problem }: Reading, at: SourcePosition, length: number): boolean {
  const before = room.left;
  room.left -= length;
  if (before >= 0 && room.left < 0) problem(at, 'the jobs expand to more than 64 MiB of text');
  return room.left >= 0;
}

/** Reports a problem and returns `fallback`. */
export function invalid<T>(
  reading: Reading,
  { at }: { readonly at: SourcePosition },
  problem: string,
  fallback: T,
): T {
  reading.problem(at, problem);
  return fallback;
}

export const isNull = (value: Value): boolean => value.kind === 'scalar' && value.isNull;

/** Returns a scalar with its variables replaced; '' for null. Messages refer to it as `what`. */
export const text = (reading: Reading, value: Value, what: string): string =>
  script(reading, value, what, () => false);

/**
 * Like `text`, but for a script. `isLeftToShell` tells which variables to keep for the job's shell.
 */
export function script(
  reading: Reading,
  value: Value,
  what: string,
  isLeftToShell: (name: string) => boolean,
): string {
  if (value.kind !== 'scalar') return invalid(reading, value, `${what} must be a string`, '');
  return value.isNull ? '' : filled(reading, value.text, value.at, isLeftToShell);
}

function filled(
  reading: Reading,
  source: string,
  at: SourcePosition,
  isLeftToShell: (name: string) => boolean,
): string {
  if (reading.isLiteral === true || reading.room.left < 0) return source;
  const result = interpolate(source, {
    get: (name) => reading.lookup(name) ?? reading.host(name),
    isLeftToShell,
    unset: (name) => {
      reading.unset?.(name);
      reading.notice(at, unsetNotice(name));
    },
    problem: (problem) => reading.problem(at, problem),
  });
  if (result !== source && !takeRoom(reading, at, result.length)) return source;
  if (result.includes('\0')) reading.problem(at, 'a string must not contain a NUL character');
  return result;
}

const unsetNotice = (name: string): string =>
  `\`${name}\` is not set when the file is read, so it becomes empty; set it with \`--env ${name}=…\`, ` +
  `or write \`$$${name}\` in a command to leave it to the job's shell`;

export const keyText = (reading: Reading, { key, at }: Entry): string =>
  filled(reading, key, at, () => false);

export function optionalText(reading: Reading, entry: Entry | undefined): string | null {
  if (entry === undefined || isNull(entry.value)) return null;
  return text(reading, entry.value, `\`${entry.key}\``);
}

export function flag(reading: Reading, entry: Entry | undefined, fallback: boolean): boolean {
  if (entry === undefined || isNull(entry.value)) return fallback;
  const word = text(reading, entry.value, `\`${entry.key}\``);
  if (/^true$/i.test(word)) return true;
  if (/^false$/i.test(word)) return false;
  return invalid(reading, entry.value, `\`${entry.key}\` must be true or false`, fallback);
}

/** Returns a number between the bounds (inclusive), or null if it is missing or invalid. */
export function number(
  reading: Reading,
  entry: Entry | undefined,
  bounds: { min: number; max: number },
): number | null {
  if (entry === undefined || isNull(entry.value)) return null;
  const word = text(reading, entry.value, `\`${entry.key}\``);
  const value = /^\d+(\.\d+)?$/.test(word) ? Number(word) : NaN;
  if (value >= bounds.min && value <= bounds.max) return value;
  const range = `\`${entry.key}\` must be a number from ${bounds.min} to ${bounds.max}`;
  return invalid(reading, entry.value, range, null);
}

export function choice<T extends string>(
  reading: Reading,
  entry: Entry | undefined,
  words: readonly T[],
  fallback: T,
): T {
  if (entry === undefined || isNull(entry.value)) return fallback;
  const word = text(reading, entry.value, `\`${entry.key}\``);
  const known = words.find((one) => one === word);
  if (known !== undefined) return known;
  const rule = `\`${entry.key}\` must be one of ${words.join(', ')}`;
  return invalid(reading, entry.value, rule, fallback);
}

export function items(reading: Reading, entry: Entry | undefined): readonly Value[] {
  if (entry === undefined || isNull(entry.value)) return [];
  if (entry.value.kind === 'list') return entry.value.items;
  return invalid(reading, entry.value, `\`${entry.key}\` must be a list`, []);
}

/** Returns the entry with one of these synonymous keys. Reports a problem if there are several. */
export function aliased(
  reading: Reading,
  mapping: Mapping,
  names: readonly string[],
): Entry | undefined {
  const [first, ...others] = names.flatMap((name) => mapping.entries.get(name) ?? []);
  if (first === undefined) return undefined;
  for (const { key, at } of others)
    reading.problem(at, `\`${key}\` and \`${first.key}\` mean the same thing; use only one`);
  return first;
}

/**
 * Reads the `env` of a pipeline or a step: a mapping or a list of `NAME=value`. Adds each variable
 * to `env` immediately, so that later variables can refer to it, and returns all of `env`.
 */
export function readVariables(
  reading: Reading,
  entry: Entry | undefined,
  env = new Map<string, string>(),
): Record<string, string> {
  for (const [name, value, at] of entry === undefined ? [] : pairs(reading, entry.value)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      reading.problem(
        at,
        `\`${name}\` is not a valid variable name (use only letters, digits and _)`,
      );
    else if (isStandard(name))
      reading.notice(at, `\`${name}\` is set by the service, so the value here has no effect`);
    else env.set(name, value);
  }
  return Object.fromEntries(env);
}

function* pairs(reading: Reading, value: Value): Generator<[string, string, SourcePosition]> {
  if (value.kind === 'mapping') {
    for (const entry of value.entries.values()) {
      const name = keyText(reading, entry);
      yield [name, text(reading, entry.value, `the value of \`${name}\``), entry.at];
    }
  } else if (value.kind === 'list') {
    for (const item of value.items) {
      const whole = text(reading, item, 'an `env` entry');
      const equals = whole.indexOf('=');
      if (equals > 0) yield [whole.slice(0, equals), whole.slice(equals + 1), item.at];
      else if (item.kind === 'scalar')
        reading.problem(item.at, `\`${whole}\` must be \`NAME=value\``);
    }
  } else if (!value.isNull) {
    reading.problem(value.at, '`env` must be a mapping or a list of `NAME=value`');
  }
}

/** Maximum number of problems to print. A bad file can have a problem at every character. */
export const maxProblems = 1000;

export function createNotes() {
  const notes = new Map<string, Map<string, SourcePosition>>();
  const add: Report = (at, text) => {
    const places = notes.get(text) ?? new Map<string, SourcePosition>();
    places.set(`${at.line}:${at.column}`, at);
    notes.set(text, places);
  };
  return {
    add,
    isEmpty: () => notes.size === 0,
    every(file: string): string[] {
      const all = [...notes]
        .flatMap(([text, places]) => [...places.values()].map((at) => ({ text, at })))
        .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
      const shown = all.slice(0, maxProblems).map(({ text, at }) => line(file, at, text));
      return all.length === shown.length ? shown : [...shown, `${file}: more problems not shown`];
    },
    /** Lists each note once, with its first position and the number of other positions. */
    once: (file: string): string[] =>
      [...notes].flatMap(([text, places]) => {
        const [first] = places.values();
        return first ? [line(file, first, text) + more(places.size - 1)] : [];
      }),
  };
}

const line = (file: string, at: SourcePosition, text: string): string =>
  `${file}:${at.line}:${at.column}: ${text}`;

const more = (count: number): string =>
  count === 0 ? '' : ` (and in ${count} more ${count === 1 ? 'place' : 'places'})`;
