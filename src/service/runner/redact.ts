import { base64Forms, textForms } from '../../dotenv/secret.ts';

const replacement = Buffer.from('[REDACTED]');

export interface Redactor {
  /** Returns output that is safe to show. Withholds bytes that may be the beginning of a secret. */
  push(chunk: Buffer): Buffer;
  end(): Buffer;
  add(secrets: readonly string[]): void;
}

/** Replaces secrets and their encoded forms, even across chunks. Merges overlapping secrets. */
export function createRedactor(): Redactor {
  const needles = new Map<string, Needle>();
  let index: Index | undefined;
  let withheld: Buffer = Buffer.alloc(0);
  let run = 0;
  return {
    push(chunk) {
      if (index === undefined) return chunk;
      const bytes = withheld.length === 0 ? chunk : Buffer.concat([withheld, chunk]);
      const { ranges, open } = scan(bytes, index, run);
      const end = safeEnd(ranges, open);
      withheld = bytes.subarray(end);
      run = runBefore(bytes, end, run);
      return replace(bytes, ranges, end);
    },
    end() {
      if (index === undefined) return withheld;
      const rest = replace(withheld, scan(withheld, index, run).ranges, withheld.length);
      withheld = Buffer.alloc(0);
      run = 0;
      return rest;
    },
    add(secrets) {
      for (const secret of secrets) {
        // Line endings may change in a printed secret, but not in its encoded forms.
        for (const text of [secret.replaceAll('\r\n', '\n'), secret]) {
          for (const form of textForms(text)) needles.set(form, needleOf(form, false));
          for (const form of base64Forms(text)) needles.set(form, needleOf(form, true));
        }
      }
      needles.delete('');
      index = needles.size === 0 ? undefined : indexOf([...needles.values()]);
    },
  };
}

interface Needle {
  readonly bytes: Buffer;
  /** Whether line breaks are allowed inside the needle, as in the output of `base64`. */
  readonly wraps: boolean;
}

const needleOf = (form: string, wraps: boolean): Needle => ({ bytes: Buffer.from(form), wraps });

/** Finds needles by their first two bytes, so that searching for many is as fast as for one. */
interface Index {
  /** Index in `lists` for the bytes `first << 8 | second`; 0 if no needle starts with them. */
  readonly slots: Uint16Array;
  readonly lists: readonly (readonly Needle[])[];
  readonly all: readonly Needle[];
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];
const anyByte = Array.from({ length: 256 }, (_, byte) => byte);

function indexOf(all: readonly Needle[]): Index {
  const slots = new Uint16Array(0x1_0000);
  const lists: Needle[][] = [[]];
  for (const needle of all) {
    const first = needle.bytes.readUInt8();
    for (const second of secondBytes(needle)) {
      const pair = (first << 8) | second;
      slots[pair] ||= lists.push([]) - 1;
      lists[slots[pair] ?? 0]?.push(needle);
    }
  }
  return { slots, lists, all };
}

/** Returns the bytes that can follow the first byte, including line breaks that `match` skips. */
function secondBytes({ bytes, wraps }: Needle): readonly number[] {
  const [, second] = bytes;
  if (second === undefined) return anyByte;
  if (wraps) return [second, lineFeed, carriageReturn];
  return second === lineFeed ? [second, carriageReturn] : [second];
}

/** `end` is exclusive. */
type Range = readonly [start: number, end: number];

interface Matches {
  /** Positions of the secrets, in order. Overlapping secrets are merged. */
  readonly ranges: Range[];
  /** The bytes from this position on may be the beginning of a secret. */
  open: number;
}

/** `run` is the number of base64 characters directly before `bytes`. */
function scan(bytes: Buffer, { slots, lists, all }: Index, run: number): Matches {
  const matches: Matches = { ranges: [], open: bytes.length };
  const last = bytes.length - 1;
  let first = bytes[0] ?? 0;
  for (let at = 0; at < last; at++) {
    const second = bytes[at + 1] as number;
    const slot = slots[(first << 8) | second] as number;
    if (slot !== 0) tryAt(bytes, at, lists[slot] ?? [], run, matches);
    first = second;
  }
  if (last >= 0) tryAt(bytes, last, all, run, matches);
  return matches;
}

function tryAt(
  bytes: Buffer,
  at: number,
  needles: readonly Needle[],
  run: number,
  matches: Matches,
): void {
  let end = 0;
  for (const needle of needles) {
    const stop = match(bytes, at, needle, run);
    if (stop === partial) matches.open = Math.min(matches.open, at);
    else end = Math.max(end, stop);
  }
  if (end > 0) addRange(matches.ranges, at, end);
}

function addRange(ranges: Range[], start: number, end: number): void {
  const last = ranges.at(-1);
  if (last === undefined || start >= last[1]) ranges.push([start, end]);
  else ranges[ranges.length - 1] = [last[0], Math.max(last[1], end)];
}

/** The bytes end before the needle does, but match its beginning. */
const partial = -1;
const mismatch = 0;

/** Returns the end of the needle that starts at `start`, or `partial`, or `mismatch`. */
function match(
  bytes: Buffer,
  start: number,
  { bytes: needle, wraps }: Needle,
  run: number,
): number {
  let at = start;
  for (let matched = 0; matched < needle.length; at++) {
    if (at === bytes.length) return partial;
    const byte = bytes[at];
    if (byte === needle[matched]) matched++;
    else if (wraps ? !isWrap(bytes, at, run) : !isTerminalEnd(bytes, at, needle[matched]))
      return mismatch;
  }
  return at;
}

/** A terminal turns LF into CR LF, and CR LF into CR CR LF. */
const isTerminalEnd = (bytes: Buffer, at: number, next: number | undefined): boolean =>
  next === lineFeed && bytes[at] === carriageReturn && bytes[at - 2] !== carriageReturn;

/** Programs wrap base64 after 64 or 76 characters. */
const shortestRun = 60;

function isWrap(bytes: Buffer, at: number, run: number): boolean {
  if (bytes[at] !== lineFeed && bytes[at] !== carriageReturn) return false;
  const end = bytes[at] === lineFeed && bytes[at - 1] === carriageReturn ? at - 1 : at;
  return runBefore(bytes, end, run) >= shortestRun;
}

function runBefore(bytes: Buffer, end: number, before: number): number {
  let at = end;
  while (at > 0 && end - at < shortestRun && isBase64(bytes[at - 1] ?? 0)) at--;
  return Math.min(shortestRun, end - at + (at === 0 ? before : 0));
}

const isBase64 = (byte: number): boolean => base64Bytes[byte] === 1;

const base64Bytes = new Uint8Array(256);
for (const byte of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_',
))
  base64Bytes[byte] = 1;

/** A secret that extends into the withheld bytes may be longer, so all of it is withheld. */
const safeEnd = (ranges: readonly Range[], withheld: number): number =>
  ranges.find(([start, end]) => start < withheld && withheld < end)?.[0] ?? withheld;

function replace(bytes: Buffer, ranges: readonly Range[], end: number): Buffer {
  if (ranges.length === 0) return bytes.subarray(0, end);
  const parts: Buffer[] = [];
  let done = 0;
  for (const [start, stop] of ranges) {
    if (start >= end) break;
    parts.push(bytes.subarray(done, start), replacement);
    done = stop;
  }
  parts.push(bytes.subarray(done, end));
  return Buffer.concat(parts);
}
