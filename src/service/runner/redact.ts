/** What stands in the log for a secret. */
const replacement = Buffer.from('[REDACTED]');

export interface Redactor {
  /** What can be shown of the bytes so far; the beginning of a secret is withheld. */
  push(chunk: Buffer): Buffer;
  /** What was withheld. */
  end(): Buffer;
  /** Further secrets, from the next chunk on. */
  add(secrets: readonly string[]): void;
}

/**
 * A stage that replaces secrets, wherever the chunks are split. Secrets that overlap in the text
 * are replaced as one, so that no part of the second is left.
 */
export function createRedactor(): Redactor {
  const values = new Set<string>();
  let secrets: readonly Buffer[] = [];
  let withheld: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      if (secrets.length === 0) return chunk;
      const bytes = withheld.length === 0 ? chunk : Buffer.concat([withheld, chunk]);
      const ranges = find(bytes, secrets);
      const end = safeEnd(ranges, beginning(bytes, secrets));
      withheld = bytes.subarray(end);
      return replace(bytes, ranges, end);
    },
    end() {
      const rest = replace(withheld, find(withheld, secrets), withheld.length);
      withheld = Buffer.alloc(0);
      return rest;
    },
    add(more) {
      for (const value of more) {
        // A terminal ends its lines with both.
        if (value !== '') values.add(value).add(value.replaceAll(/\r?\n/g, '\r\n'));
      }
      secrets = [...values].map((value) => Buffer.from(value));
    },
  };
}

/** From the first byte to the one after the last. */
type Range = readonly [start: number, end: number];

/** Where secrets stand, in order, overlapping ones joined. */
function find(bytes: Buffer, secrets: readonly Buffer[]): Range[] {
  const found: Range[] = [];
  for (const secret of secrets) {
    for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at + 1)) {
      found.push([at, at + secret.length]);
    }
  }
  return join(found.sort((a, b) => a[0] - b[0]));
}

function join(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const [start, end] of ranges) {
    const last = joined.at(-1);
    if (last === undefined || start >= last[1]) joined.push([start, end]);
    else joined[joined.length - 1] = [last[0], Math.max(last[1], end)];
  }
  return joined;
}

/** The first byte from which on the rest could be the beginning of a secret. */
function beginning(bytes: Buffer, secrets: readonly Buffer[]): number {
  let first = bytes.length;
  for (const secret of secrets) {
    const head = secret[0] ?? 0;
    let at = bytes.indexOf(head, Math.max(0, bytes.length - secret.length + 1));
    while (at !== -1 && at < first) {
      if (bytes.compare(secret, 0, bytes.length - at, at) === 0) first = at;
      at = bytes.indexOf(head, at + 1);
    }
  }
  return first;
}

/** A secret that reaches into what is withheld may grow into a longer one, and waits as well. */
const safeEnd = (ranges: readonly Range[], withheld: number): number =>
  ranges.find(([start, end]) => start < withheld && withheld < end)?.[0] ?? withheld;

function replace(bytes: Buffer, ranges: readonly Range[], end: number): Buffer {
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
