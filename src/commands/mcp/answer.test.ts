import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../../api/json.ts';
import { bytesOf, fitJson, fitText, createCollector } from './answer.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 300 });
const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

test('truncates lines to their budget, between characters', () => {
  const budget = fc.integer({ min: 2, max: 400 });
  const property = fc.property(
    fc.array(text, { maxLength: 20 }),
    budget,
    fc.constantFrom('start' as const, 'end' as const),
    (lines, bytes, part) => {
      const all = lines.join('\n');
      const cut = fitText(all, bytes, part);
      expect(bytesOf(cut)).toBeLessThanOrEqual(bytes);
      expect(part === 'start' ? all.startsWith(cut) : all.endsWith(cut)).toBe(true);
      if (!half.test(all)) expect(half.test(cut)).toBe(false);
    },
  );
  fc.assert(property, { seed: 1, numRuns: 300 });
});

test.each([
  ['one\ntwo\nthree\n', 'start', 12, 'one\ntwo\n'],
  ['one\ntwo\nthree\n', 'end', 14, 'two\nthree\n'],
  ['a long line without an end', 'start', 10, 'a long l'],
  ['short', 'end', 10, 'short'],
] as const)('%j, the %s in %i bytes', (all, part, bytes, expected) => {
  expect(fitText(all, bytes, part)).toBe(expected);
});

test('reduced JSON is valid, within its budget and marked', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.array(fc.record({ name: text, jobs: fc.array(text) }), { maxLength: 60 }),
  );
  const property = fc.property(value, fc.integer({ min: 100, max: 3000 }), (json, budget) => {
    const { text: small, isCut } = fitJson(json, budget, bytesOf);
    expect(bytesOf(small)).toBeLessThanOrEqual(budget);
    expect(isCut).toBe(bytesOf(stringifyJson(json)) > budget);
    const read: unknown = JSON.parse(small);
    if (isCut) expect(small).toContain('truncated');
    else expect(read).toEqual(JSON.parse(JSON.stringify(json)));
  });
  fc.assert(property, { seed: 1, numRuns: 300 });
});

test('shortens strings before lists, and keeps large numbers', () => {
  const jobs = Array.from({ length: 30 }, (_, n) => ({ n, message: 'x'.repeat(2000) }));
  const value = parseJson(`{"id":12345678901234567890,"jobs":${JSON.stringify(jobs)}}`);
  const { text: small } = fitJson(value, 20_000, bytesOf);
  expect(small).toContain('"id":12345678901234567890');
  expect((JSON.parse(small) as { jobs: unknown[] }).jobs).toHaveLength(30);
  const { text: smaller } = fitJson(value, 3000, bytesOf);
  expect(smaller).toMatch(/"\[truncated: \d+ more\]"\]/);
});

test('keeps the first members of a large document, with a count of the omitted ones', () => {
  const job = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`member_${n}`, 'x'.repeat(30)]),
  );
  const { text: small } = fitJson({ number: 7, jobs: [job, job] }, 500, bytesOf);
  expect(JSON.parse(small)).toEqual({
    number: 7,
    jobs: [expect.objectContaining({ '…': '[truncated: 32 more]' }), '[truncated: 1 more]'],
  });
});

const write = (parts: readonly string[], limit: number, part: 'start' | 'end') => {
  const collector = createCollector(limit, part);
  const ended = new Promise<NodeJS.ErrnoException | null>((resolve) => {
    collector.stream.on('error', resolve);
    collector.stream.on('finish', () => resolve(null));
  });
  for (const one of parts) collector.stream.write(one);
  collector.stream.end();
  return ended.then((error) => ({ error, text: collector.text(), missing: collector.missing }));
};

test.each([
  [['abc', 'def'], 6, 'start', 'abcdef', 0, undefined],
  [['abc', 'def'], 5, 'start', 'abcde', 1, 'EPIPE'],
  [['abc', 'def'], 3, 'end', 'def', 3, undefined],
  [['abc', 'def'], 4, 'end', 'abcdef', 0, undefined],
  [[], 4, 'end', '', 0, undefined],
] as const)('%j: in %i bytes, the %s is %j', async (parts, limit, part, text, missing, code) => {
  const found = await write(parts, limit, part);
  expect([found.text, found.missing, found.error?.code]).toEqual([text, missing, code]);
});
