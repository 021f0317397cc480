import { InvalidResponseError, type Response } from '../http/transport.ts';

type Body = Response['body'];

/**
 * Streams the JSON object of a job log with constant memory use. Throws `InvalidResponseError` if
 * it is not an object, if `content` is not a string or if `size` is not an integer. If the response
 * is small, nothing of it has been yielded by then.
 */
export async function* checkedLogObject(body: Body): AsyncGenerator<Uint8Array> {
  let scan = scanStart;
  let start: Uint8Array[] | undefined = [];
  let buffered = 0;
  for await (const piece of body) {
    scan = scanPiece(scan, piece);
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
  check(scannedKinds(scan));
  yield* start ?? [];
}

const maxBuffered = 65_536;

function check({ content = 'missing', size = 'null' }: MemberKinds): void {
  if (content !== 'a string')
    throw new InvalidResponseError(`content is ${content} instead of a string`);
  if (size === 'a number' || size === 'null') return;
  throw new InvalidResponseError(`size is ${size} instead of an integer`);
}

/** Progress through a JSON object: only strings and nesting are tracked. */
interface ObjectScan {
  readonly isBegun: boolean;
  /** 0 before and after the object */
  readonly depth: number;
  readonly string: 'outside' | 'inside' | 'escaped';
  readonly awaits: 'name' | 'colon' | 'value' | 'comma';
  /** The member name: collected between its quotes, used after the colon */
  readonly name: string;
  readonly kinds: MemberKinds;
}

interface MemberKinds {
  readonly content?: string;
  readonly size?: string;
}

const scanStart: ObjectScan = {
  isBegun: false,
  depth: 0,
  string: 'outside',
  awaits: 'name',
  name: '',
  kinds: {},
};

/** Throws `InvalidResponseError` if the text is not an object. */
function scanPiece(scan: ObjectScan, piece: Uint8Array): ObjectScan {
  let next = scan;
  for (let at = 0; at < piece.length; at++) {
    // Nearly all of a log is one string; going through it byte by byte would be slow.
    if (next.string === 'inside' && !isInName(next)) at = endOfText(piece, at);
    const code = piece[at];
    if (code !== undefined) next = scanByte(next, code);
  }
  return next;
}

/** Throws `InvalidResponseError` if the object is incomplete. */
function scannedKinds({ isBegun, depth, string, kinds }: ObjectScan): MemberKinds {
  if (!isBegun) throw new InvalidResponseError('the answer is empty instead of JSON');
  if (depth !== 0 || string !== 'outside') throw broken();
  return kinds;
}

const byte = {
  ...{ quote: 0x22, backslash: 0x5c, comma: 0x2c, colon: 0x3a },
  ...{ brace: 0x7b, bracket: 0x5b, braceEnd: 0x7d, bracketEnd: 0x5d },
} as const;

const longestName = 64;

const isInName = ({ depth, awaits }: ObjectScan): boolean => depth === 1 && awaits === 'name';

/** Index of the closing quote, or of an incomplete escape at the end of the piece. */
function endOfText(piece: Uint8Array, start: number): number {
  let at = start;
  while (at < piece.length && piece[at] !== byte.quote) {
    if (piece[at] !== byte.backslash) at += 1;
    else if (at + 1 < piece.length) at += 2;
    else return at;
  }
  return at;
}

function scanByte(scan: ObjectScan, code: number): ObjectScan {
  if (scan.string !== 'outside') return inString(scan, code);
  return isSpace(code) ? scan : structure(scan, code);
}

function inString(scan: ObjectScan, code: number): ObjectScan {
  if (scan.string === 'escaped') return { ...scan, string: 'inside' };
  if (code === byte.backslash) return { ...scan, string: 'escaped' };
  const isName = isInName(scan);
  if (code === byte.quote) {
    return { ...scan, string: 'outside', awaits: isName ? 'colon' : scan.awaits };
  }
  if (!isName || scan.name.length >= longestName) return scan;
  return { ...scan, name: scan.name + String.fromCharCode(code) };
}

function structure(scan: ObjectScan, code: number): ObjectScan {
  if (!scan.isBegun) return begin(scan, code);
  if (scan.depth === 0) throw broken();
  const next = scan.depth === 1 ? member(scan, code) : scan;
  if (code === byte.quote) return { ...next, string: 'inside' };
  if (code === byte.brace || code === byte.bracket) return { ...next, depth: next.depth + 1 };
  const isEnd = code === byte.braceEnd || code === byte.bracketEnd;
  return isEnd ? { ...next, depth: next.depth - 1 } : next;
}

function begin(scan: ObjectScan, code: number): ObjectScan {
  if (code !== byte.brace) throw new InvalidResponseError(`the answer is ${wrongStart(code)}`);
  return { ...scan, isBegun: true, depth: 1 };
}

function member(scan: ObjectScan, code: number): ObjectScan {
  const { awaits, name, kinds } = scan;
  if (awaits === 'name' && code === byte.quote) return { ...scan, name: '' };
  if (awaits === 'colon' && code === byte.colon) return { ...scan, awaits: 'value' };
  if (awaits === 'comma' && code === byte.comma) return { ...scan, awaits: 'name' };
  if (awaits !== 'value') return scan;
  const isAsked = name === 'content' || name === 'size';
  return {
    ...scan,
    awaits: 'comma',
    kinds: isAsked ? { ...kinds, [name]: kindFrom(code) } : kinds,
  };
}

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const broken = (): InvalidResponseError => new InvalidResponseError('the answer is broken JSON');

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
