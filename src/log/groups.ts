import { oneMarkALine, splitMark } from './time-marks.ts';
import { readHeader } from './sections.ts';
import { settle } from './settle.ts';
import { chain } from './stage.ts';
import { eachLine } from './text.ts';
import { CictlError, usageError } from '../errors.ts';

/** A section of a log. Times are nanoseconds since the epoch. */
export interface Group {
  readonly name: string;
  /** From the mark of its header line, else from the service's header times. */
  readonly start?: bigint;
  /** To the next header, or to the last mark of the log. */
  readonly duration?: bigint;
}

interface GroupTimes {
  /** The service's `header_times`, asked for when a header has no mark. */
  readonly headerTimes: () => Promise<readonly bigint[]>;
  /** When the log ended; for the last section of one without marks. */
  readonly end?: bigint | undefined;
}

interface Open {
  readonly name: string;
  readonly start: bigint | undefined;
}

/** The sections of a log in their order, each as soon as it has ended. */
export async function* readGroups(
  source: AsyncIterable<Uint8Array>,
  times: GroupTimes,
): AsyncGenerator<Group, void, undefined> {
  let open: Open | undefined;
  let count = 0;
  let last: bigint | undefined;

  for await (const { name, time } of markedLines(source)) {
    if (name !== undefined) {
      const start = time ?? (await times.headerTimes())[count];
      if (open !== undefined) yield close(open, start ?? last);
      open = { name, start };
      count += 1;
      last = undefined;
    }
    last = time ?? last;
  }
  if (open !== undefined) yield close(open, last ?? times.end);
}

function close({ name, start }: Open, end: bigint | undefined): Group {
  if (start === undefined) return { name };
  if (end === undefined) return { name, start };
  // The clock of an agent may be set back while a job runs.
  return { name, start, duration: end > start ? end - start : 0n };
}

interface Line {
  /** Of a header line. */
  readonly name: string | undefined;
  readonly time: bigint | undefined;
}

/** The lines that say something: headers, and what has a time. */
async function* markedLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const stage = chain(settle({ marks: true }), oneMarkALine());
  for await (const chunk of source) yield* headerLines(stage.push(chunk));
  yield* headerLines(stage.end());
}

/** Of the times between two headers the last is enough. */
function* headerLines(lines: string): Generator<Line> {
  let last: number | undefined;
  for (const line of eachLine(lines)) {
    const { time, rest } = splitMark(line);
    const header = readHeader(rest);
    if (header !== undefined) {
      if (last !== undefined) yield { name: undefined, time: nanoseconds(last) };
      yield { name: header.name, time: nanoseconds(time) };
      last = undefined;
    } else last = time ?? last;
  }
  if (last !== undefined) yield { name: undefined, time: nanoseconds(last) };
}

const nanoseconds = (milliseconds: number | undefined): bigint | undefined =>
  milliseconds === undefined ? undefined : BigInt(milliseconds) * 1_000_000n;

/**
 * The name that `wanted` means among those of a log: itself, else the only one that contains it.
 * Code 7 when there is none, 2 when there are several.
 */
export function chooseGroup(wanted: string, names: readonly string[]): string {
  if (names.includes(wanted)) return wanted;
  const [only, ...others] = new Set(names.filter((name) => name.includes(wanted)));
  const quoted = JSON.stringify(wanted);
  if (only === undefined) throw new CictlError('not_found', `the log has no group ${quoted}`);
  if (others.length === 0) return only;
  const found = [only, ...others].map((name) => JSON.stringify(name)).join(', ');
  throw usageError(`several groups contain ${quoted}: ${found}`);
}

/**
 * `header_times` of a log's JSON object, read as it arrives: the log beside them may be larger than
 * memory, and they are integers that no JavaScript number holds.
 *
 * Throws nothing: of an object that is not as expected there are no times.
 */
export async function readHeaderTimes(json: AsyncIterable<Uint8Array>): Promise<bigint[]> {
  const outline = outlineOf();
  for await (const chunk of json) outline.push(Buffer.from(chunk).toString('latin1'));
  const list = /"header_times":\[([^\]]*)\]/.exec(outline.text())?.[1] ?? '';
  return list.split(',').filter(isInteger).map(BigInt);
}

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

/** Longer strings are left out: no name of a member is. */
const longestString = 64;

/** A JSON text without blanks, and without its long strings. */
function outlineOf(): { push: (text: string) => void; text: () => string } {
  let outline = '';
  let inString = false;
  /** The string that we are in, as far as it is kept. */
  let string = '';
  let escaped = false;

  return {
    push(text) {
      for (let at = 0; at < text.length;) at = inString ? inside(text, at) : outside(text, at);
    },
    text: () => outline,
  };

  function outside(text: string, at: number): number {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    outline += text.slice(at, end).replace(/\s/g, '');
    inString = quote >= 0;
    return end + 1;
  }

  function inside(text: string, at: number): number {
    if (escaped) {
      escaped = false;
      return at + 1;
    }
    const end = nextSpecial(text, at);
    if (string.length <= longestString) string += text.slice(at, end).slice(0, longestString + 1);
    if (text[end] === '\\') escaped = true;
    if (text[end] === '"') {
      outline += string.length > longestString ? '""' : `"${string}"`;
      string = '';
      inString = false;
    }
    return end + 1;
  }
}

/** The next quote or backslash, or the end. */
function nextSpecial(text: string, at: number): number {
  special.lastIndex = at;
  return special.exec(text)?.index ?? text.length;
}

const special = /["\\]/g;
