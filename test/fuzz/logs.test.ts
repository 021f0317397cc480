/** Logs: any bytes in any chunks result in the same text, without terminal commands. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLogPipeline, type LogView } from '../../src/log/log-pipeline.ts';
import { timestampKinds } from '../../src/log/format-time.ts';
import { fuzzed } from '../support/fuzz.ts';

const pieces = [
  ...[
    'a',
    'word',
    ' ',
    '\n',
    '\n',
    '\r\n',
    '\r',
    '\b',
    '\t',
    '\0',
    '\x07',
    '\x7f',
    '\x1b',
    '\x1b[',
  ],
  ...[
    '\x1b[31m',
    '\x1b[0m',
    '\x1b[1;38;5;200m',
    '\x1b[38:2::1:2:3m',
    '\x1b[K',
    '\x1b[1K',
    '\x1b[2J',
  ],
  ...[
    '\x1b[A',
    '\x1b[2B',
    '\x1b[5C',
    '\x1b[3D',
    '\x1b[2;3H',
    '\x1b[9G',
    '\x1b[P',
    '\x1b[2@',
    '\x1b[4X',
  ],
  ...[
    '\x1bM',
    '\x1bD',
    '\x1b7',
    '\x1b8',
    '\x1bc',
    '\x1b[s',
    '\x1b[u',
    '\x1b[?25l',
    '\x1b(B',
    '\x1b[99999A',
  ],
  ...[
    '\x1b]0;title\x07',
    '\x1b]8;;http://h/\x07',
    '\x1b]8;;\x07',
    '\x1b]1338;url=http://h/a.png\x07',
  ],
  ...[
    '\x1b]1337;File=inline=1:aGk=\x07',
    '\x1b_bk;t=1700000000000\x07',
    '\x1b_bk;dt=5\x07',
    '\x1b_bk;t=x\x1b\\',
  ],
  ...[
    '--- group\n',
    '+++ open\n',
    '~~~ quiet\n',
    '^^^ +++\n',
    '<script>',
    '&',
    '"',
    ':rocket:',
    ';',
    '5',
    'm',
  ],
].map((text) => Buffer.from(text));
const letters = ['é', '日本', '🚀', '👩‍👩‍👧', 'e\u0301', '\u202e', '\u2028', '\u009b31m', '\u00a0'].map(
  (text) => Buffer.from(text),
);

/** Characters may be split anywhere, and any byte may occur. */
const chunk = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...pieces) },
  { weight: 2, arbitrary: fc.constantFrom(...letters) },
  { weight: 1, arbitrary: fc.constantFrom(...letters).map((bytes) => bytes.subarray(0, 2)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.nat(300).map((count) => Buffer.alloc(count, 'x')) },
);
const log = fc.array(chunk, { maxLength: 40 }).map((chunks) => Buffer.concat(chunks));

const view: fc.Arbitrary<LogView> = fc
  .record({
    format: fc.constantFrom('ansi' as const, 'text' as const, 'raw' as const, 'html' as const),
    head: fc.option(fc.nat(4), { nil: undefined, freq: 4 }),
    tail: fc.option(fc.nat(4), { nil: undefined, freq: 4 }),
    timestamps: fc.option(fc.constantFrom(...timestampKinds), { nil: undefined, freq: 3 }),
    grep: fc.option(fc.constant({ pattern: /o|x/u, before: 1, after: 1 }), {
      nil: undefined,
      freq: 3,
    }),
    group: fc.option(
      fc.constant((name: string) => name.includes('o')),
      { nil: undefined, freq: 3 },
    ),
    isFollowed: fc.boolean(),
  })
  .map(({ timestamps, ...view }) =>
    view.format === 'text' || view.format === 'ansi' ? { ...view, timestamps } : view,
  );

/** Splits the log at these offsets. */
function* parted(log: Buffer, places: readonly number[]): Generator<Buffer> {
  let from = 0;
  for (const place of [...places].sort((a, b) => a - b)) {
    const to = Math.min(place, log.length);
    yield log.subarray(from, to);
    from = to;
  }
  yield log.subarray(from);
}

async function shown(chunks: Iterable<Uint8Array>, view: LogView): Promise<string> {
  const stage = await createLogPipeline(view);
  let text = '';
  // The caller may reuse the memory of a chunk.
  for (const chunk of chunks) text += stage.push(new Uint8Array(chunk));
  return text + stage.end();
}

test('any log gives the same text in any chunks, and in single bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      log,
      view,
      fc.array(fc.nat(400), { maxLength: 6 }),
      async (log, view, places) => {
        const whole = await shown([log], view);
        expect(await shown(parted(log, places), view)).toBe(whole);
        if (log.length < 200) expect(await shown(parted(log, [...log.keys()]), view)).toBe(whole);
      },
    ),
    fuzzed(1000),
  );
});

test('text has no control characters, and ansi only colors', async () => {
  await fc.assert(
    fc.asyncProperty(log, view, async (log, view) => {
      const text = await shown([log], { ...view, format: 'text' });
      const ansi = await shown([log], { ...view, format: 'ansi' });
      for (const plain of [text, ansi.replaceAll(/\x1b\[[0-9;:]*m/g, '')])
        expect(Buffer.from(plain, 'latin1').toString()).not.toMatch(
          /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/,
        );
    }),
    fuzzed(1000),
  );
});

test('raw is identical to the input', async () => {
  await fc.assert(
    fc.asyncProperty(log, fc.array(fc.nat(400), { maxLength: 6 }), async (log, places) => {
      expect(await shown(parted(log, places), { format: 'raw' })).toBe(log.toString('latin1'));
    }),
    fuzzed(500),
  );
});
