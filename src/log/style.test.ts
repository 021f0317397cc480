import { expect, test } from 'vitest';
import { plain, restyle, styleAfter, transition, closeStyleInLine } from './style.ts';
import { eachLine } from './text.ts';

const after = (...parameters: string[]): string => parameters.reduce(restyle, plain).sgr;

test.each<[string[], string]>([
  [['1'], '1'],
  [['9;1;5'], '1;5;9'],
  [['1', '4', '1'], '1;4'],
  [['53'], '53'],
  [['1;2', '21'], ''],
  [['10'], ''],
  [['52'], ''],
  [['1;2;3;4;5;6;7;8;9;53', '22'], '3;4;5;6;7;8;9;53'],
  [['1;2;3;4;5;6;7;8;9;53', '23;24'], '1;2;5;6;7;8;9;53'],
  [['1;2;3;4;5;6;7;8;9;53', '25'], '1;2;3;4;7;8;9;53'],
  [['1;2;3;4;5;6;7;8;9;53', '27'], '1;2;3;4;5;6;8;9;53'],
  [['1;2;3;4;5;6;7;8;9;53', '28;29;55'], '1;2;3;4;5;6;7'],
  [['1;31;42', '0'], ''],
  [['1;31;42', ''], ''],
  [['1;31', ';4'], '4'],
  [['4:3'], '4'],
  [['4:3', '4:0'], ''],
  [['1;4', '4:0'], '1'],
  [['30'], '30'],
  [['37'], '37'],
  [['90'], '90'],
  [['97'], '97'],
  [['40'], '40'],
  [['47'], '47'],
  [['100'], '100'],
  [['107'], '107'],
  [['29'], ''],
  [['89'], ''],
  [['98'], ''],
  [['99'], ''],
  [['108'], ''],
  [['31;42', '39'], '42'],
  [['31;42', '49'], '31'],
  [['31', '32'], '32'],
  [['42', '41'], '41'],
  [['41;31;1'], '1;31;41'],
  [['x;1'], '1'],
])('%j gives %j', (parameters, sgr) => {
  expect(after(...parameters)).toBe(sgr);
});

test.each<[string, string]>([
  ['38;5;0', '38;5;0'],
  ['38;5;255', '38;5;255'],
  ['48;5;9', '48;5;9'],
  ['38;2;0;128;255', '38;2;0;128;255'],
  ['48;2;1;2;3', '48;2;1;2;3'],
  ['38;5;9;1', '1;38;5;9'],
  ['38;2;1;2;3;4', '4;38;2;1;2;3'],
  ['38;5;9;48;5;8', '38;5;9;48;5;8'],
  // Invalid or incomplete codes have no effect and do not consume the codes after them.
  ['38;5;256;1', '1'],
  ['38;2;1;2;256;1', '1'],
  ['38;2;1;2', ''],
  ['38;5', ''],
  ['38', ''],
  ['38;7;1', '1'],
  // The color of an underline is skipped.
  ['58;5;1;3', '3'],
  ['58;2;1;4;9;3', '3'],
  ['38:5:9', '38;5;9'],
  ['38:5:9;1', '1;38;5;9'],
  ['48:2:1:2:3', '48;2;1;2;3'],
  ['38:2::1:2:3', '38;2;1;2;3'],
  ['38:2:7:1:2:3', '38;2;1;2;3'],
  ['38:5:999', ''],
  ['38:2:1:x:3', ''],
  ['58:5:9', ''],
])('the color %s is %j', (parameters, sgr) => {
  expect(after(parameters)).toBe(sgr);
});

test('reads the parts of a style', () => {
  expect(restyle(plain, '4;1;31;48;5;9')).toEqual({
    sgr: '1;4;31;48;5;9',
    on: [1, 4],
    foreground: '31',
    background: '48;5;9',
  });
  expect(restyle(restyle(plain, '1;31;42'), '22;39;49')).toBe(plain);
});

test('computes any number of styles without caching them all', () => {
  for (let round = 0; round < 2; round++)
    for (let colour = 0; colour < 5000; colour++) {
      const wanted = `38;2;1;${colour >> 8};${colour & 255}`;
      expect(restyle(plain, wanted).sgr).toBe(wanted);
    }
});

test.each([
  ['', '', ''],
  ['1', '1', ''],
  ['', '1;31', '\x1b[1;31m'],
  ['1', '', '\x1b[0m'],
  ['1', '31', '\x1b[0;31m'],
])('%j to %j takes %j', (from, to, sequence) => {
  expect(transition(restyle(plain, from), restyle(plain, to))).toBe(sequence);
});

test.each([
  ['text', '1'],
  ['\x1b]0;t\x07', '1'],
  ['\x1b[31mred', '1;31'],
  ['\x1b[31ma\x1b[42mb\x1b[22m', '31;42'],
  ['\x1b[0;31ma\x1b[4mb', '4;31'],
  ['\x1b[31ma\x1b[0mb', ''],
  ['\x1b[31ma\x1b[mb', ''],
  ['\x1b[31ma\x1b[0m\x1b[K', ''],
  ['\x1b[0m\x1b[32m', '32'],
  ['\x1b[2Kx', '1'],
])('after bold and %j, the style is %j', (lines, sgr) => {
  expect(styleAfter(restyle(plain, '1'), lines).sgr).toBe(sgr);
});

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
])('turns %j into %j, at once or line by line', (log, expected) => {
  const whole = closeStyleInLine();
  expect(whole.push(log) + whole.end()).toBe(expected);
  const stage = closeStyleInLine();
  const lines = [...eachLine(log)].map((line) => stage.push(line)).join('');
  expect(lines + stage.end()).toBe(expected);
});

test('buffers little of a log that ends with many blank lines', () => {
  const stage = closeStyleInLine();
  const shown = stage.push(`${red}a${'\n'.repeat(1_000_000)}`);
  expect(shown.length).toBeGreaterThan(900_000);
  expect((shown + stage.end()).replace(reset, '')).toBe(`${red}a${'\n'.repeat(1_000_000)}`);
});
