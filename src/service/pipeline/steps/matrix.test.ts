import { expect, test } from 'vitest';
import { first, load, problems } from '../../../../test/support/units/load-steps.ts';

const labels = (text: string): (string | null)[] => load(text).steps.map(({ label }) => label);

test('a list creates a job for each value', () => {
  const { steps } = load(
    '[{command: "echo {{matrix}} {{ matrix }}", label: "on {{matrix}}", key: k, matrix: [a, 1.10, true]}, wait]',
  );
  expect(steps).toMatchObject([
    { command: 'echo a a', label: 'on a', key: 'k', definition: 0, matrix: { '': 'a' } },
    { command: 'echo 1.10 1.10', label: 'on 1.10', key: 'k', definition: 0 },
    { command: 'echo true true', label: 'on true', key: 'k', definition: 0 },
    { type: 'wait', definition: 1 },
  ]);
});

test.each([
  ['setup: [a, b]', ['a', 'b']],
  ['setup: [a, b], adjustments: [{with: c}]', ['a', 'b', 'c']],
  ['setup: [a, b], adjustments: [{with: [c]}]', ['a', 'b', 'c']],
])('reads a simple setup: {%s}', (matrix, expected) => {
  expect(labels(`[{command: x, label: "{{matrix}}", matrix: {${matrix}}}]`)).toEqual(expected);
});

const twoDimensions = (adjustments: string): string => `
- label: "{{matrix.os}}-{{ matrix.arch }}"
  command: x
  env: {A: own, OS: "{{matrix.os}}"}
  soft_fail: [{exit_status: 3}]
  matrix:
    setup: {os: [linux, mac], arch: [arm, amd]}
    adjustments: ${adjustments}
`;

test('combines dimensions, the first changing slowest', () => {
  expect(labels(twoDimensions('[]'))).toEqual(['linux-arm', 'linux-amd', 'mac-arm', 'mac-amd']);
});

test('adjustments change a combination or add one', () => {
  const text = twoDimensions(
    '[{with: {arch: arm, os: mac}, skip: broken, soft_fail: true, env: {A: new}}, {with: {os: plan9, arch: mips}}]',
  );
  expect(load(text).steps).toMatchObject([
    { label: 'linux-arm', omitted: null, softFail: [3], env: { A: 'own', OS: 'linux' } },
    { label: 'linux-amd' },
    {
      label: 'mac-arm',
      omitted: { state: 'skipped', reason: 'broken' },
      softFail: true,
      env: { A: 'new', OS: 'mac' },
    },
    { label: 'mac-amd', omitted: null },
    { label: 'plan9-mips', matrix: { os: 'plan9', arch: 'mips' }, softFail: [3] },
  ]);
});

test('an adjustment without a dimension applies to all its values', () => {
  const text = twoDimensions(
    '[{with: {os: mac}, skip: true}, {with: {arch: arm}, soft_fail: true}]',
  );
  expect(load(text).steps).toMatchObject([
    { label: 'linux-arm', omitted: null, softFail: true },
    { label: 'linux-amd', omitted: null, softFail: [3] },
    { label: 'mac-arm', omitted: { reason: 'skip' }, softFail: true },
    { label: 'mac-amd', omitted: { reason: 'skip' }, softFail: [3] },
  ]);
});

test('replaces values in every string of the step', () => {
  const text = `
- command: x
  agents: {queue: "q-{{matrix}}"}
  artifact_paths: "out/{{matrix}}/*"
  plugins:
    - docker#v5: {image: "node:{{matrix}}", list: ["{{matrix}}"], "{{matrix}}": 1}
    - "tool-{{matrix}}#v1"
  soft_fail: [{exit_status: "{{matrix}}"}]
  timeout_in_minutes: "{{matrix}}"
  concurrency: 1
  concurrency_group: "g-{{matrix}}"
  matrix: [20]
`;
  expect(first(text)).toMatchObject({
    agentQueryRules: ['queue=q-20'],
    artifactPaths: 'out/20/*',
    plugins: [
      { source: 'docker#v5', config: { image: 'node:20', list: ['20'], '20': 1 } },
      { source: 'tool-20#v1', config: null },
    ],
    softFail: [20],
    timeoutInMinutes: 20,
    concurrency: { group: 'g-20' },
  });
});

test('interpolates variables in values, and keeps a dollar sign in a value', () => {
  const step = first('[{command: "echo {{matrix}}", matrix: ["$V$$HOME"]}]', { V: 'v' });
  expect(step.command).toBe('echo v$HOME');
});

test('without a matrix, the markers stay text', () => {
  expect(first('[{command: "echo {{matrix}}"}]').command).toBe('echo {{matrix}}');
});

const many = (count: number): string => `[${Array.from({ length: count }, (_, n) => n).join()}]`;

test.each([
  ['matrix: x', '1:24: `matrix` must be a list of values, or have `setup`'],
  ['matrix: []', '1:24: the matrix has no values'],
  ['matrix: {setup: {}}', '1:32: the matrix has no values'],
  ['matrix: {setup: {a-b: [1]}}', '1:38: `a-b` in the matrix is not a valid dimension name'],
  ['matrix: {stup: [1]}', '1:25: unknown key `stup` in `matrix`; did you mean `setup`?'],
  [`matrix: ${many(26)}`, '1:24: the matrix has 26 values; the maximum is 25'],
  [`matrix: {setup: {a: ${many(26)}}}`, '1:36: `a` in the matrix has 26 values; the maximum is 25'],
  [
    'matrix: {setup: {a: [1], b: [1], c: [1], d: [1], e: [1], f: [1], g: [1]}}',
    '1:32: the matrix has 7 dimensions; the maximum is 6',
  ],
  [
    `matrix: {setup: {a: ${many(25)}, b: [1, 2, 3]}}`,
    '1:16: the matrix has 75 jobs; the maximum is 50',
  ],
  ['matrix: [[a]]', '1:25: a matrix value must be a string'],
  ['matrix: {setup: [a], adjustments: [{skip: true}]}', '1:51: an `adjustments` entry must have'],
  [
    'matrix: {setup: {a: [1], b: [2]}, adjustments: [{with: {a: 3}}]}',
    '1:65: `with` matches no combination of the matrix; to add one, also set `b`',
  ],
  [
    'matrix: {setup: {a: [1]}, adjustments: [{with: {a: 1, b: 1}}]}',
    '1:70: `b` is not a dimension of the matrix',
  ],
  [
    'matrix: {setup: {a: [1], b: [2]}, adjustments: [{with: 1}]}',
    '1:71: `with` must have a value for `a`, `b`',
  ],
  [
    'label: "{{matrix.a}}", matrix: [a]',
    '1:23: `{{matrix.a}}` is not a dimension of the matrix; use `{{matrix}}`',
  ],
  [
    'label: "{{matrix}}", matrix: {setup: {a: [1], b: [2]}}',
    '1:23: `{{matrix}}` is not a dimension of the matrix; use `{{matrix.a}}`, `{{matrix.b}}`',
  ],
  [
    'key: "k-{{matrix}}", matrix: [a]',
    '1:21: `k-{{matrix}}` is not a valid step key (the jobs of a matrix share the key of their step',
  ],
])('rejects %s', (text, expected) => {
  expect(problems(`- {command: x, ${text}}`)[0]).toContain(expected);
});

test('rejects a matrix too large for memory', () => {
  const dimension = many(25);
  const setup = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}: ${dimension}`).join();
  expect(problems(`- {command: x, matrix: {setup: {${setup}}}}`)).toHaveLength(1);
});

test('an invalid matrix hides no other problem of its step', () => {
  const step =
    '{command: "echo {{matrix.a}}", timeout_in_minutes: "{{matrix.a}}", matrix: {setup: {a: [], b: []}}, soft_fail: maybe, env: [A=1]}';
  expect(problems(`- ${step}`)).toEqual([
    '1:90: `a` in the matrix has no values',
    '1:97: `b` in the matrix has no values',
    '1:114: `soft_fail` must be true, false or a list of `exit_status`',
    "1:126: a step's `env` must be a mapping (only a pipeline's can be a list)",
  ]);
});
