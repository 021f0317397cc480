import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureLogs } from './html.ts';

const fitted = (logs: readonly string[], total: number) => {
  const markup = measureLogs(
    logs.length,
    (at) => ({ lines: logs[at] ?? '', name: `l${at}-`, hasFailed: true }),
    total,
  ).fit(total);
  return logs.map((_, at) => markup(at));
};

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');

test('a log that fits is complete, with its own ids', () => {
  const [one, other] = fitted(['a\n', 'b\n'], 1000);
  expect(one).toEqual({
    html: '<div id="l0-1"><i>1</i>a</div>\n',
    count: 1,
    isCut: false,
  });
  expect(other?.html).toContain('id="l1-1"');
});

test('keeps the end of a long log, using most of its share', () => {
  const [first, second] = fitted([numbered(10_000), numbered(3)], 20_000);
  expect(second?.isCut).toBe(false);
  expect(first?.isCut).toBe(true);
  expect(first?.html).toMatch(/line 9999<\/div>\n$/);
  const size = (first?.html.length ?? 0) + (second?.html.length ?? 0);
  expect(size).toBeLessThanOrEqual(20_000);
  expect(size).toBeGreaterThan(16_000);
});

test('the last section of a failed log is open, the others can be opened', () => {
  const [one] = fitted(['--- Set up\nfine\n--- Test\nwrong\n'], 10_000);
  expect(one?.html.match(/<details( open)?/g)).toEqual(['<details', '<details open']);
});

test('never exceeds the budget, whatever the lines', () => {
  const line = fc.oneof(
    fc.constant('--- Section'),
    fc.constant('<<<<&&&&""""'),
    fc.stringMatching(/^[ -~]{0,120}$/),
    fc.constant('\x1b[31mred\x1b[0m \x1b[48;5;200mblue\x1b[0m'),
  );
  const log = fc
    .array(line, { maxLength: 60 })
    .map((lines) => lines.map((one) => `${one}\n`).join(''));
  fc.assert(
    fc.property(
      fc.array(log, { maxLength: 5 }),
      fc.integer({ min: 0, max: 8000 }),
      (logs, total) => {
        const found = fitted(logs, total);
        expect(found.map(({ html }) => html).join('').length).toBeLessThanOrEqual(total);
      },
    ),
  );
});
