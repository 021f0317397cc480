import { expect, test } from 'vitest';
import { closeStyleInLine } from './close-style-in-line.ts';
import { eachLine } from './text.ts';

const red = '\x1b[31m';
const reset = '\x1b[0m';

test.each([
  ['', ''],
  ['\n', '\n'],
  ['a\nb\n', 'a\nb\n'],
  ['a', 'a'],
  [`${red}a\n`, `${red}a${reset}\n`],
  [`${red}a`, `${red}a${reset}`],
  [`${red}a\nb\n`, `${red}a\nb${reset}\n`],
  [`${red}a\n\n\n`, `${red}a${reset}\n\n\n`],
  [`${red}a\n${reset}`, `${red}a${reset}\n`],
  [`${red}a\n${reset}\n\x1b[m`, `${red}a${reset}\n\n`],
  [`${red}a${reset}\n`, `${red}a${reset}\n`],
  [`${red}a${reset}\n${reset}`, `${red}a${reset}\n`],
  [`${red}a\n${red}${reset}\n${reset}${red}`, `${red}a${reset}\n\n`],
  [`${red}a\n${reset}b\n`, `${red}a\n${reset}b\n`],
  [`${red}\n${reset}`, `${red}${reset}\n`],
  [`a\n${red}\n`, 'a\n\n'],
  ['a\nm', 'a\nm'],
  ['a\n\x1b[2Jm', 'a\n\x1b[2Jm'],
])('makes of %j %j, in one piece or line by line', (log, expected) => {
  const whole = closeStyleInLine();
  expect(whole.push(log) + whole.end()).toBe(expected);
  const stage = closeStyleInLine();
  const lines = [...eachLine(log)].map((line) => stage.push(line)).join('');
  expect(lines + stage.end()).toBe(expected);
});

test('keeps little of a log that ends with any number of blank lines', () => {
  const stage = closeStyleInLine();
  const shown = stage.push(`${red}a${'\n'.repeat(1_000_000)}`);
  expect(shown.length).toBeGreaterThan(900_000);
  expect((shown + stage.end()).replace(reset, '')).toBe(`${red}a${'\n'.repeat(1_000_000)}`);
});
