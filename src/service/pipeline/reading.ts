/**
 * Reading a pipeline file: where problems and notices are collected, and how a value becomes a
 * text, a number, a switch or a list. Nothing here throws; what is wrong is reported with its position,
 * and reading goes on with something harmless.
 */
import { interpolate } from './interpolate.ts';
import type { Entry, Mapping, SourcePosition, Report, Value } from './value.ts';
import { isStandard } from './environment.ts';

export interface Reading {
  /** Something that keeps the pipeline from running. */
  readonly problem: Report;
  /** Something understood but not obeyed; reported once for all its positions. */
  readonly notice: Report;
  /** Returns "; did you mean `x`?", or nothing after the first 20 problems: each costs a search. */
  didYouMean(word: string, known: Iterable<string>): string;
  /** What a variable stands for while the file is read. */
  lookup(name: string): string | undefined;
  /** A variable that jobs get from this machine: HOME, PATH and the like. */
  host(name: string): string | undefined;
  /** Whether texts stay as they are. */
  readonly isLiteral?: boolean;
  /** Whether unknown keys are notices instead of problems. */
  readonly allowsUnknownKeys?: boolean;
  /** Called with the name of each variable that becomes empty because it is not set. */
  unset?(name: string): void;
  /** Characters that variables, matrices and parallel jobs may still add, all of them together. */
  readonly room: { left: number };
}

/** What a file may come to beyond what is written there. */
export const roomForTexts = (): Reading['room'] => ({ left: 64 * 1024 * 1024 });

/** Whether a text of so many characters has room; the first one without it is a problem. */
export function takeRoom({ room, problem }: Reading, at: SourcePosition, length: number): boolean {
  const before = room.left;
  room.left -= length;
  if (before >= 0 && room.left < 0)
    problem(at, 'the jobs up to here come to more than 64 MiB of text');
  return room.left >= 0;
}

/** A scalar with its variables put in, null as `''`; `''` with a problem where it is none. */
export function text(reading: Reading, value: Value, what: string): string {
  if (value.kind !== 'scalar') return wrong(reading, value, `${what} must be a text`, '');
  if (value.isNull) return '';
  return filled(reading, value.text, value.at, () => false);
}

/**
 * The same for a script. What the job finds in its own environment (`own`: what its step sets) stays
 * as it is, where neither the file nor the build gives it: the shell of the job fills it in.
 */
export function script(
  reading: Reading,
  value: Value,
  what: string,
  own: (name: string) => boolean = () => false,
): string {
  if (value.kind !== 'scalar') return wrong(reading, value, `${what} must be a text`, '');
  if (value.isNull) return '';
  const isLeft = (name: string): boolean =>
    reading.lookup(name) === undefined && (isFoundByJob(name) || own(name));
  return filled(reading, value.text, value.at, isLeft);
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
      reading.notice(at, unset(name));
    },
    problem: (problem) => reading.problem(at, problem),
  });
  if (result !== source && !takeRoom(reading, at, result.length)) return source;
  if (result.includes('\0')) reading.problem(at, 'a text must not hold a NUL character');
  return result;
}

const unset = (name: string): string =>
  `\`${name}\` is not set when the file is read and becomes empty; \`--env ${name}=…\` gives it, ` +
  `and in a command \`$$${name}\` leaves it to the shell of the job`;

/** A key with its variables put in. */
export const keyText = (reading: Reading, { key, at }: Entry): string =>
  filled(reading, key, at, () => false);

/** A text that may be left out or empty; null then. */
export function optionalText(reading: Reading, entry: Entry | undefined): string | null {
  if (entry === undefined || isNull(entry.value)) return null;
  return text(reading, entry.value, `\`${entry.key}\``);
}

/** `true` or `false`; `fallback` where it is left out. */
export function flag(reading: Reading, entry: Entry | undefined, fallback: boolean): boolean {
  if (entry === undefined || isNull(entry.value)) return fallback;
  const word = text(reading, entry.value, `\`${entry.key}\``);
  if (/^true$/i.test(word)) return true;
  if (/^false$/i.test(word)) return false;
  return wrong(reading, entry.value, `\`${entry.key}\` must be true or false`, fallback);
}

/** A number within the bounds, both included; null where it is left out. */
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
  return wrong(reading, entry.value, range, null);
}

/** One of the words; `fallback` where it is left out. */
export function choice<T extends string>(
  reading: Reading,
  entry: Entry | undefined,
  words: readonly T[],
  fallback: T,
): T {
  if (entry === undefined || isNull(entry.value)) return fallback;
  const word = text(reading, entry.value, `\`${entry.key}\``);
  const known = words.find((one) => one === word);
  return (
    known ??
    wrong(reading, entry.value, `\`${entry.key}\` must be one of ${words.join(', ')}`, fallback)
  );
}

/** The items of a list; a problem and none where it is none. */
export function items(reading: Reading, entry: Entry | undefined): readonly Value[] {
  if (entry === undefined || isNull(entry.value)) return [];
  if (entry.value.kind === 'list') return entry.value.items;
  return wrong(reading, entry.value, `\`${entry.key}\` must be a list`, []);
}

/** The entry under the first of the names that is there; a problem for a second one. */
export function aliased(
  reading: Reading,
  mapping: Mapping,
  names: readonly string[],
): Entry | undefined {
  const [first, ...others] = names.flatMap((name) => mapping.entries.get(name) ?? []);
  if (first === undefined) return undefined;
  for (const other of others) {
    reading.problem(other.at, `\`${other.key}\` and \`${first.key}\` mean the same: give one`);
  }
  return first;
}

export const isNull = (value: Value): boolean => value.kind === 'scalar' && value.isNull;

function wrong<T>(
  reading: Reading,
  { at }: { at: SourcePosition },
  problem: string,
  instead: T,
): T {
  reading.problem(at, problem);
  return instead;
}

// Variables that a job finds in its own environment and that are not known, or differ, where the
// file is read: in a command they stay as written, and the shell of the job fills them in.

const ofHost = new Set([
  'HOME',
  'PATH',
  'USER',
  'SHELL',
  'LANG',
  'TMPDIR',
  'TERM',
  'PWD',
  'OLDPWD',
]);

/** Set for each job, and shown nowhere. */
const hidden =
  /^BUILDKITE_(?:AGENT_ACCESS_TOKEN|AGENT_ENDPOINT|ENV_FILE|PLUGINS?|PLUGIN_\w+|LAST_HOOK_\w+|COMMAND_EXIT_STATUS)$/;

const isFoundByJob = (name: string): boolean =>
  ofHost.has(name) || /^LC_\w+$/.test(name) || isStandard(name) || hidden.test(name);

// Problems and notices while a file is read: each text once, with all its places.

interface Notes {
  readonly add: Report;
  readonly isEmpty: boolean;
  /**
   * All places of all texts, in the order of the file: `file:line:column: text`. Of more than
   * `maxProblems` the first, and a line that there are more.
   */
  every(file: string): string[];
  /** Each text once, at its first place, with how many more there are. */
  once(file: string): string[];
}

/** Nobody reads more, and a file may have one in each of its characters. */
export const maxProblems = 1000;

export function createNotes(): Notes {
  const notes = new Map<string, Map<string, SourcePosition>>();
  return {
    add: (at, text) => {
      const places = notes.get(text) ?? new Map<string, SourcePosition>();
      places.set(`${at.line}:${at.column}`, at);
      notes.set(text, places);
    },
    get isEmpty() {
      return notes.size === 0;
    },
    every(file) {
      const all = [...notes]
        .flatMap(([text, places]) => [...places.values()].map((at) => ({ text, at })))
        .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
      const shown = all.slice(0, maxProblems).map(({ text, at }) => line(file, at, text));
      return all.length === shown.length ? shown : [...shown, `${file}: there are more problems`];
    },
    once: (file) =>
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

// `env` of a pipeline or a step: a mapping, or a list of `NAME=value`.

/**
 * Reads variables in order. `each` gets every variable as soon as it is known, so that the
 * ones after it may use it.
 */
export function readVariables(
  reading: Reading,
  entry: Entry | undefined,
  each: (name: string, value: string) => unknown,
): void {
  if (entry === undefined) return;
  for (const [name, value, at] of pairs(reading, entry.value)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      reading.problem(at, `\`${name}\` is no name of a variable (letters, digits and _ alone)`);
    } else if (isStandard(name)) {
      reading.notice(at, `\`${name}\` is set by the service, so the value here has no effect`);
    } else {
      each(name, value);
    }
  }
}

function* pairs(reading: Reading, value: Value): Generator<[string, string, SourcePosition]> {
  if (value.kind === 'mapping') {
    for (const entry of value.entries.values()) {
      const name = keyText(reading, entry);
      yield [name, text(reading, entry.value, `the value of \`${name}\``), entry.at];
    }
  } else if (value.kind === 'list') {
    for (const item of value.items) yield* pair(reading, item);
  } else if (!value.isNull) {
    reading.problem(value.at, '`env` must be a mapping or a list of `NAME=value`');
  }
}

function* pair(reading: Reading, item: Value): Generator<[string, string, SourcePosition]> {
  const whole = text(reading, item, 'an entry of `env`');
  const equals = whole.indexOf('=');
  if (equals > 0) yield [whole.slice(0, equals), whole.slice(equals + 1), item.at];
  else if (item.kind === 'scalar') reading.problem(item.at, `\`${whole}\` must be \`NAME=value\``);
}
