import { randomUUID } from 'node:crypto';

/** Byte sequences sent behind output, by which its reader knows that it has read all before them. */
export interface OutputMarks {
  /** A new mark; `reached` is for the chunk that holds it. */
  expect(reached: () => void): Buffer;
  /** A chunk without the marks, and what is to be done when it is written. */
  take(chunk: Buffer): { readonly bytes: Buffer; readonly reached: (() => void)[] };
}

/** Marks of one job, which no output of it can guess. One that comes late is still taken out. */
export function createOutputMarks(): OutputMarks {
  const expected: { readonly mark: Buffer; readonly reached: () => void }[] = [];
  let kept: Buffer = Buffer.alloc(0);
  return {
    expect(reached) {
      const mark = Buffer.from(`\x1b_cictl;${randomUUID()}\x07`);
      expected.push({ mark, reached });
      return mark;
    },
    take(chunk) {
      if (expected.length === 0) return { bytes: chunk, reached: [] };
      let bytes: Buffer = Buffer.concat([kept, chunk]);
      const found = expected.filter(({ mark }) => bytes.includes(mark));
      for (const one of found) {
        bytes = without(bytes, one.mark);
        expected.splice(expected.indexOf(one), 1);
      }
      const end = expected.length === 0 ? bytes.length : beginOfMark(bytes, expected);
      kept = Buffer.from(bytes.subarray(end));
      return { bytes: bytes.subarray(0, end), reached: found.map(({ reached }) => reached) };
    },
  };
}

function without(bytes: Buffer, mark: Buffer): Buffer {
  const at = bytes.indexOf(mark);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + mark.length)]);
}

/** Where the first part of a mark stands at the end, whose other part is still to come. */
function beginOfMark(bytes: Buffer, expected: readonly { readonly mark: Buffer }[]): number {
  const longest = Math.max(...expected.map(({ mark }) => mark.length)) - 1;
  for (let at = Math.max(0, bytes.length - longest); at < bytes.length; at++) {
    const tail = bytes.subarray(at);
    if (expected.some(({ mark }) => mark.subarray(0, tail.length).equals(tail))) return at;
  }
  return bytes.length;
}
