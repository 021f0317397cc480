import { expect, test } from 'vitest';
import { shortName } from './short-name.ts';

test.each([
  [{ name: ':rocket: Deploy', step_key: 'd', command: 'x' }, 'Deploy'],
  [{ name: ':rocket:', step_key: 'deploy', command: 'x' }, 'deploy'],
  [{ name: 'at 10:30:15', command: 'x' }, 'at 10:30:15'],
  [{ name: 'make all', step_key: 'build', command: 'make all' }, 'build'],
  [
    { name: 'make -j4 all tests and more', command: 'make -j4 all tests and more' },
    'make -j4 all tests…',
  ],
  [{ name: 'set -e\nmake', command: 'set -e\nmake' }, 'set -e'],
  [{ name: 'a label that is longer than twenty columns' }, 'a label that is lon…'],
  [{ name: '日本語日本語日本語日本語日本語' }, '日本語日本語日本語…'],
  [{ name: null, command: '\n', id: '0193d7c2' }, '0193d7c2'],
  [{ name: 'a\x1b[31mb\nc' }, 'ab c'],
  [{}, 'job'],
])('%j', (job, name) => {
  expect(shortName(job)).toBe(name);
});

test.each([
  [{ name: 'test', parallel_group_index: 1, parallel_group_total: 3 }, 'test 2/3'],
  [{ name: 'test 2/3', parallel_group_index: 1, parallel_group_total: 3 }, 'test 2/3'],
  [{ name: 'test', matrix: { '': 'linux' } }, 'test linux'],
  [{ name: 'test', matrix: { os: 'linux', node: '22' } }, 'test linux 22'],
  [{ name: 'test linux', matrix: { os: 'linux', node: '22' } }, 'test linux 22'],
  [{ name: 'test', matrix: { os: 'x'.repeat(60) } }, `test ${'x'.repeat(19)}…`],
  [{ name: 'test', matrix: ['odd'] }, 'test odd'],
  [{ name: 'test', matrix: 'odd' }, 'test'],
])('tells jobs of one step apart: %j', (job, name) => {
  expect(shortName(job)).toBe(name);
});
