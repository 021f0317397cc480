import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastLines, logTails } from './tails.ts';

const log = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, at) => `${name} line ${String(at).padStart(5, '0')}\n`).join(
    '',
  );

test('keeps a log that fits', () => {
  const tails = logTails(1000);
  tails.add(0, log('a', 10));
  tails.add(1, log('b', 10));
  expect([tails.linesOf(0), tails.isCut(0)]).toEqual([log('a', 10), false]);
  expect([tails.linesOf(1), tails.isCut(1)]).toEqual([log('b', 10), false]);
});

test('a noisy log does not displace small ones: it is reduced to its end', () => {
  const tails = logTails(1000);
  tails.add(0, log('loud', 10_000));
  tails.add(1, log('b', 10));
  tails.add(2, log('also', 10_000));
  expect(tails.linesOf(1)).toBe(log('b', 10));
  const [first, last] = [tails.linesOf(0), tails.linesOf(2)];
  expect(log('loud', 10_000).endsWith(`\n${first}`)).toBe(true);
  expect(log('also', 10_000).endsWith(`\n${last}`)).toBe(true);
  expect(Math.abs(first.length - last.length)).toBeLessThan(40);
  expect([tails.isCut(0), tails.isCut(1), tails.isCut(2)]).toEqual([true, false, true]);
});

test('reserves the minimum room for one more log', () => {
  const tails = logTails(1000);
  expect(tails.room()).toBe(1000);
  tails.add(0, log('a', 2));
  expect(tails.room()).toBe(1000 - log('a', 2).length);
  tails.add(1, log('b', 1000));
  expect(tails.room()).toBeGreaterThanOrEqual(480);
});

test('truncates a last line that does not fit, between characters', () => {
  const line = Buffer.from(`\x1b[31m${'ä'.repeat(300)}\x1b[0m\n`).toString('latin1');
  const cut = Buffer.from(lastLines(`before\n${line}`, 100), 'latin1').toString();
  expect(cut).toMatch(/^ä{40,49}\n$/);
  expect(lastLines(line, 0)).toBe('');
});

test('logs together never exceed the budget, and each is the end of its log', () => {
  const logs = fc.array(fc.array(fc.stringMatching(/^[a-z ]{0,40}$/)), { maxLength: 8 });
  fc.assert(
    fc.property(logs, fc.integer({ min: 1, max: 400 }), (all, total) => {
      const texts = all.map((lines) => lines.map((line) => `${line}\n`).join(''));
      const tails = logTails(total);
      texts.forEach((text, at) => {
        tails.add(at, text);
      });
      const found = texts.map((_, at) => tails.linesOf(at));
      expect(found.join('').length).toBeLessThanOrEqual(total);
      texts.forEach((text, at) => {
        expect(text.endsWith(found[at] ?? '?')).toBe(true);
        expect(tails.isCut(at)).toBe(found[at] !== text);
      });
    }),
  );
});
