import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { braces, glob } from './glob.ts';

let folder = '';
const files = [
  'a.txt',
  'b.log',
  'out/a.txt',
  'out/sub/b.txt',
  'out/.dot',
  '.hid/h.txt',
  'w [1].txt',
  'x+y',
];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cictl-glob-'));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  symlinkSync('out', join(folder, 'link'));
  symlinkSync('out/a.txt', join(folder, 'to-a'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['*', ['a.txt', 'b.log', 'to-a', 'w [1].txt', 'x+y']],
  ['out/*', ['out/.dot', 'out/a.txt']],
  ['./out//*.txt', ['out/a.txt']],
  ['**/*.txt', ['.hid/h.txt', 'a.txt', 'out/a.txt', 'out/sub/b.txt', 'w [1].txt']],
  ['out/**', ['out/.dot', 'out/a.txt', 'out/sub/b.txt']],
  ['out/**/b.txt', ['out/sub/b.txt']],
  ['**/sub/**/*', ['out/sub/b.txt']],
  ['{out,nope,.hid}/*.txt', ['.hid/h.txt', 'out/a.txt']],
  ['{a,b}.{txt,log}', ['a.txt', 'b.log']],
  ['out/[a-c].txt', ['out/a.txt']],
  ['[!a]*.log', ['b.log']],
  ['[^b]*.log', []],
  ['out/?.txt', ['out/a.txt']],
  ['link/*.txt', ['link/a.txt']],
  ['*/a.txt', ['link/a.txt', 'out/a.txt']],
  [String.raw`w \[1\].txt`, ['w [1].txt']],
  ['x+y', ['x+y']],
  ['?+?', ['x+y']],
  ['out', []],
  ['nothing/*', []],
  ['[b-a]*', []],
  ['', []],
])('%j', (pattern, found) => {
  expect(glob(folder, pattern, { followLinks: false })).toEqual(found);
});

test('an absolute pattern gives absolute paths', () => {
  const found = glob('/', `${folder}/out/*.txt`, { followLinks: false });
  expect(found).toEqual([`${folder}/out/a.txt`]);
});

test('`**` follows links on request and stops at cycles', () => {
  symlinkSync('..', join(folder, 'out', 'up'));
  const found = glob(folder, 'link/**/b.txt', { followLinks: false });
  expect(found).toEqual(['link/sub/b.txt']);
  expect(glob(folder, '**/sub/b.txt', { followLinks: true })).toContain('link/sub/b.txt');
});

test('many asterisks take no longer than one', () => {
  const pattern = `${'**/'.repeat(12)}${'*a'.repeat(4)}.txt`;
  expect(glob(folder, pattern, { followLinks: false })).toEqual([]);
});

test('expands nested braces', () => {
  expect(braces('a{b,{c,d}e}f').sort()).toEqual(['abf', 'acef', 'adef']);
  expect(braces('a{b')).toEqual(['a{b']);
});
