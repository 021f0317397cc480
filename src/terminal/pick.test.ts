import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { alignedLines, pick } from './pick.ts';

const rows = [
  ['142', '● running', 'main', 'Rework the checkout: prices'],
  ['9', '■ blocked', 'feature/日本語', ''],
];

test('aligns cells in columns, with wide characters', () => {
  expect(alignedLines(rows, 80)).toEqual([
    '142  ● running  main            Rework the checkout: prices',
    '9    ■ blocked  feature/日本語',
  ]);
});

test.each([60, 50, 40, 30, 20, 10, 3])('at %i columns, a row is one line that fits', (width) => {
  const lines = alignedLines(rows, width);
  expect(lines.map((line) => line.split('\n').length)).toEqual([1, 1]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  expect(lines.map((line) => line.trim())).not.toContain('');
});

test('keeps states complete before names, and the end of branches', () => {
  const jobs = [
    ['! failed (soft)', 'End to end (Chrome, mobile viewport)', '#lint:x'],
    ['✓ passed', 'Unit', '#unit'],
  ];
  expect(alignedLines(jobs, 37)).toEqual([
    '! failed (soft)  End to end…  #lint:x',
    '✓ passed         Unit         #unit',
  ]);
  const builds = [['142', '■ blocked', 'feature/JIRA-1234-in-practice', 'Rework the checkout']];
  expect(alignedLines(builds, 38, [2])).toEqual(['142  ■ blocked  …-practice  Rework th…']);
});

test('no rows give no lines', () => {
  expect(alignedLines([], 80)).toEqual([]);
});

test('the question and the chosen row fit on one line', async () => {
  const stdin = new PassThrough();
  const screen = Object.assign(new PassThrough(), { columns: 30 });
  const written: string[] = [];
  const isShown = new Promise<void>((resolve) => {
    screen.on('data', (chunk) => {
      written.push(stripVTControlCharacters(String(chunk)));
      if (written.join('').includes('❯')) resolve();
    });
  });
  const { signal } = new AbortController();
  const question = 'Which build?';
  const picked = pick({ stdin, screen, color: false, question, rows, signal });
  await isShown;
  stdin.write('\r');
  expect(await picked).toBe(0);
  const answered = written.join('').split('✓').at(-1) ?? '';
  expect(answered.split('\n')[0]).toBe(' Which build? 142 ● runnin…');
});
