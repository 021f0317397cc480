/** The result for a log does not depend on its chunks or on where they are in memory. */
import { expect, test } from 'vitest';
import { escapeJsonBytes } from './hidden.ts';
import { createLogPipeline, type LogView } from './log-pipeline.ts';
import type { Stage } from './stage.ts';
import { toBytes } from './text.ts';
import { sampled } from '../../test/support/full.ts';

const mark = (time: number): string => `\x1b_bk;t=${time}\x07`;

/**
 * Everything that is processed by byte: controls, marks, colors, multi-byte characters, headers.
 */
const lively = toBytes(
  `${mark(1000)}--- a b\r\n${mark(2500)}\x1b[31mred\x1b[K\x1b[0m 1%\rred 100%\n\n` +
    `\x1b]8;;http://x/\x07link\x1b]8;;\x07 é 日本 👍\u202e“q”\x7f\u009bm\n` +
    `+++ c\n^^^ +++\n${mark(4000)}e\u0301ee\b\bx\x1b[1;4;38;5;208mo\nopen\n\x1b[1Aup\x1b[1B\nlast é`,
);

const logs = [
  ...['', 'a', '\n', 'a\n', 'ab\n', 'abc\n', '\n\n', 'a\nb\nc\n', 'ab\r\nc\n', '\x1b[31ma\n\n'],
  ...['\xc3', '\xe2\x80', 'é\n', '\x1b', '\x1b[', '--- a\n1\n', lively, `${lively}\n`],
];

const growing = { caughtUp: () => false };
const parts: Omit<LogView, 'format'>[] = [
  {},
  { grep: { pattern: /e/, before: 1, after: 1 } },
  { grep: { pattern: /e/i, invert: true } },
  { head: 2 },
  { tail: 2 },
  { group: (name) => name.startsWith('a') },
];
const shown: Omit<LogView, 'format'>[] = [
  ...parts,
  ...(['utc', 'local', 'elapsed'] as const).map((timestamps) => ({ timestamps })),
  ...parts.map((part) => ({ ...part, timestamps: 'elapsed' as const, growing })),
  { growing },
];

const views: LogView[] = [
  ...parts.map((part) => ({ ...part, format: 'raw' as const })),
  ...shown.map((part) => ({ ...part, format: 'text' as const })),
  ...shown.map((part) => ({ ...part, format: 'ansi' as const })),
  ...parts.map((part) => ({ ...part, format: 'html' as const, title: 'a page' })),
];

const sizes = [1, 2, 3, 4, 5, 6, 7, 8];
const offsets = [0, 1, 2, 3, 4, 5, 6, 7];

sampled.each(views)('of blocks of 1 to 8 bytes as of one: %j', async (view) => {
  await expectSame(() => createLogPipeline(view));
});

test('blocks of 1 to 8 bytes give the same as one: JSON', async () => {
  await expectSame(() => Promise.resolve(escapeJsonBytes()));
});

async function expectSame(open: () => Promise<Stage<Uint8Array>>): Promise<void> {
  for (const log of logs) {
    const bytes = Buffer.from(log, 'latin1');
    const whole = push(await open(), [bytes]);
    for (const size of sizes)
      for (const offset of offsets) {
        const where = `${JSON.stringify(log)} in blocks of ${size} at ${offset}`;
        expect(push(await open(), blocksOfOne(bytes, size, offset)), where).toBe(whole);
        expect(push(await open(), blocksOfTheirOwn(bytes, size, offset)), where).toBe(whole);
      }
  }
}

/** Chunks of one buffer that ends with the log. */
function blocksOfOne(bytes: Buffer, size: number, offset: number): Uint8Array[] {
  const memory = new ArrayBuffer(offset + bytes.length);
  new Uint8Array(memory, offset).set(bytes);
  return starts(bytes, size).map((at) => {
    const length = Math.min(size, bytes.length - at);
    return new Uint8Array(memory, offset + at, length);
  });
}

/** Each chunk at the end of its own buffer. */
const blocksOfTheirOwn = (bytes: Buffer, size: number, offset: number): Uint8Array[] =>
  starts(bytes, size).flatMap((at) => blocksOfOne(bytes.subarray(at, at + size), size, offset));

const starts = (bytes: Buffer, size: number): number[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);

function push(stage: Stage<Uint8Array>, blocks: readonly Uint8Array[]): string {
  return blocks.map((block) => stage.push(block)).join('') + stage.end();
}
