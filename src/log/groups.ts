import { oneMarkALine, splitMark } from './time-marks.ts';
import { readHeader } from './sections.ts';
import { settle } from './settle.ts';
import { chain } from './stage.ts';
import { eachLine } from './text.ts';
import { CictlError, usageError } from '../errors.ts';

export interface Group {
  readonly name: string;
  /** From the time mark in the section's header, otherwise from the service's `header_times` */
  readonly start?: bigint;
  readonly duration?: bigint;
}

/** Yields each section as soon as it ends. */
export async function* readGroups(
  source: AsyncIterable<Uint8Array>,
  times: {
    /** Requests the service's `header_times`; called if a header has no time mark. */
    readonly headerTimes: () => Promise<readonly bigint[]>;
    /** When the log ended. Used as the end of the last section if that section has no time marks */
    readonly end?: bigint | undefined;
  },
): AsyncGenerator<Group, void, undefined> {
  let open: Parameters<typeof close>[0] | undefined;
  let count = 0;
  let last: number | undefined;
  for await (const lines of settledLines(source)) {
    for (const line of eachLine(lines)) {
      const { time, rest } = splitMark(line);
      const header = readHeader(rest);
      if (header !== undefined) {
        const start = nanoseconds(time) ?? (await times.headerTimes())[count];
        if (open !== undefined) yield close(open, start ?? nanoseconds(last));
        open = { name: header.name, start };
        count += 1;
        last = undefined;
      }
      last = time ?? last;
    }
  }
  if (open !== undefined) yield close(open, nanoseconds(last) ?? times.end);
}

async function* settledLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const stage = chain(settle({ marks: true }), oneMarkALine());
  for await (const chunk of source) yield stage.push(chunk);
  yield stage.end();
}

function close(
  { name, start }: { readonly name: string; readonly start: bigint | undefined },
  end: bigint | undefined,
): Group {
  if (start === undefined) return { name };
  if (end === undefined) return { name, start };
  // The clock of an agent may be set back while a job runs.
  return { name, start, duration: end > start ? end - start : 0n };
}

const nanoseconds = (milliseconds: number | undefined): bigint | undefined =>
  milliseconds === undefined ? undefined : BigInt(milliseconds) * 1_000_000n;

/**
 * The name of the section that the user means. Exit code 7 if no section matches `wanted`, 2 if
 * several do.
 */
export async function chooseGroup(
  wanted: string,
  source: AsyncIterable<Uint8Array>,
  hint?: string,
): Promise<string> {
  const loose = looseName(wanted);
  const tests: ((name: string) => boolean)[] = [
    (name) => name === wanted,
    (name) => loose !== '' && looseName(name) === loose,
    (name) => name.includes(wanted),
    (name) => loose !== '' && looseName(name).includes(loose),
  ];
  const found = tests.map(() => new Set<string>());
  const times = { headerTimes: () => Promise.resolve([]) };
  for await (const { name } of readGroups(source, times)) {
    const at = tests.findIndex((matches) => matches(name));
    if (at === 0) return name;
    found[at]?.add(name);
  }
  const [only, ...others] = found.find(({ size }) => size > 0) ?? [];
  const quoted = JSON.stringify(wanted);
  if (only === undefined)
    throw new CictlError('not_found', `the log has no section ${quoted}`, { hint });
  if (others.length === 0) return only;
  const names = [only, ...others].map((name) => JSON.stringify(name)).join(', ');
  throw usageError(`several sections contain ${quoted}: ${names}`, hint);
}

/** A name without emojis, in lower case. */
const looseName = (name: string): string =>
  name.replace(emojis, '').replace(/\s+/g, ' ').trim().toLowerCase();

/** Shortcodes such as `:rocket:`, but not parts of words and times, and emoji characters. */
const emojis =
  /(?<![\w:])(?::[\w+-]{1,60}:)+(?![\w:])|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\u20e3\ufe0f]/gu;

/**
 * Reads `header_times` from a log's JSON object as a stream, because the log may be larger than
 * memory. The times are too large for a JavaScript number. Returns an empty list for unexpected
 * JSON.
 */
export async function readHeaderTimes(json: AsyncIterable<Uint8Array>): Promise<bigint[]> {
  let outline = '';
  let open = '';
  for await (const chunk of json) {
    // Uses small chunks, because millions of escapes in a string would overflow the regex stack.
    for (let at = 0; at < chunk.length; at += 64 * 1024) add(chunk.subarray(at, at + 64 * 1024));
  }
  const list = /"header_times":\[([^\]]*)\]/.exec(outline)?.[1] ?? '';
  return list
    .split(',')
    .filter((text) => /^-?\d+$/.test(text))
    .map(BigInt);

  function add(bytes: Uint8Array): void {
    const text = open + Buffer.from(bytes).toString('latin1');
    open = '';
    outline += text.replace(tokens, (token: string, end?: string) => {
      if (end === undefined) return '';
      // Long strings cannot be keys, so they are dropped.
      const isLong = token.length > 64;
      if (end === '"') return isLong ? '""' : token;
      open = isLong ? `"${'x'.repeat(64)}${end}` : token;
      return '';
    });
  }
}

/** Matches whitespace, or a string, which may continue in the next chunk. */
const tokens = /\s+|"[^"\\]*(?:\\[^][^"\\]*)*("|\\?$)/g;
