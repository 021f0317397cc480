import type { Response } from '../http/transport.ts';
import { InvalidResponseError } from '../http/invalid-response-error.ts';

type Body = Response['body'];

/**
 * The JSON object of a job log as a stream, of any size in flat memory. Throws
 * `InvalidResponseError` where it is no object, or `content` no text, or `size` no integer: a wrong
 * response that is small has printed nothing, one that is large has passed as far as it seemed
 * right.
 */
export async function* checkedLogObject(body: Body): AsyncGenerator<Uint8Array> {
  const scan = createScan();
  let start: Uint8Array[] | undefined = [];
  let buffered = 0;
  for await (const piece of body) {
    scan.push(piece);
    buffered += piece.length;
    if (start === undefined) {
      yield piece;
    } else {
      start.push(piece);
      if (buffered < maxBuffered) continue;
      yield* start;
      start = undefined;
    }
  }
  check(scan.end());
  yield* start ?? [];
}

const maxBuffered = 65_536;

type Kinds = ReadonlyMap<string, string>;

function check(kinds: Kinds): void {
  const content = kinds.get('content') ?? 'missing';
  if (content !== 'a string')
    throw new InvalidResponseError(`content is ${content} instead of a string`);
  const size = kinds.get('size') ?? 'null';
  if (size === 'a number' || size === 'null') return;
  throw new InvalidResponseError(`size is ${size} instead of an integer`);
}

interface Scan {
  /** Throws `InvalidResponseError` as soon as it is no object. */
  push(bytes: Uint8Array): void;
  /** What the members of the object are, by their names. */
  end(): Kinds;
}

const byte = {
  ...{ quote: 0x22, backslash: 0x5c, comma: 0x2c, colon: 0x3a },
  ...{ brace: 0x7b, bracket: 0x5b, braceEnd: 0x7d, bracketEnd: 0x5d },
} as const;

/** Follows strings and nesting, and nothing else of JSON. */
function createScan(): Scan {
  const kinds = new Map<string, string>();
  let depth = 0;
  let isBegun = false;
  let isInString = false;
  let isEscaped = false;
  /** The name at hand: collected between its quotes, used behind the colon. */
  let name = '';
  let awaits: 'name' | 'colon' | 'value' | 'comma' = 'name';

  function string(code: number): void {
    if (isEscaped) isEscaped = false;
    else if (code === byte.backslash) isEscaped = true;
    else if (code === byte.quote) {
      isInString = false;
      if (depth === 1 && awaits === 'name') awaits = 'colon';
    } else if (depth === 1 && awaits === 'name' && name.length < longestName) {
      name += String.fromCharCode(code);
    }
  }

  function begin(code: number): void {
    if (code !== byte.brace) throw new InvalidResponseError(`the answer is ${wrongStart(code)}`);
    isBegun = true;
    depth = 1;
  }

  function structure(code: number): void {
    if (!isBegun) {
      begin(code);
      return;
    }
    if (depth === 0) throw broken();
    if (depth === 1) member(code);
    if (code === byte.quote) isInString = true;
    else if (code === byte.brace || code === byte.bracket) depth += 1;
    else if (code === byte.braceEnd || code === byte.bracketEnd) depth -= 1;
  }

  function member(code: number): void {
    if (awaits === 'name' && code === byte.quote) name = '';
    else if (awaits === 'colon' && code === byte.colon) awaits = 'value';
    else if (awaits === 'value') {
      kinds.set(name, kindFrom(code));
      awaits = 'comma';
    } else if (awaits === 'comma' && code === byte.comma) awaits = 'name';
  }

  return {
    push(bytes) {
      for (const code of bytes) {
        if (isInString) string(code);
        else if (!isSpace(code)) structure(code);
      }
    },
    end() {
      if (!isBegun) throw new InvalidResponseError('the answer is empty instead of JSON');
      if (depth !== 0 || isInString) throw broken();
      return kinds;
    },
  };
}

const longestName = 64;

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const broken = (): InvalidResponseError => new InvalidResponseError('the answer is broken JSON');

/** What a value is, by its first byte. */
function kindFrom(code: number): string {
  if (code === byte.quote) return 'a string';
  if (code === byte.brace) return 'an object';
  if (code === byte.bracket) return 'an array';
  const sign = String.fromCharCode(code);
  if (sign === 'n') return 'null';
  return /[-\d]/.test(sign) ? 'a number' : 'a boolean';
}

function wrongStart(code: number): string {
  if (code === 0x3c) return 'HTML instead of JSON';
  const isValue = /["[\d\-tfn]/.test(String.fromCharCode(code));
  return isValue ? `${kindFrom(code)} instead of an object` : 'broken JSON';
}
