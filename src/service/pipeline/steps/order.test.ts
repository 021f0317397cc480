import { expect, test } from 'vitest';
import { loadPipeline } from '../load.ts';
import { load, names, problems } from '../../../../test/support/units/load-steps.ts';

const dependsOn = (text: string) => load(text).steps.at(-1)?.dependsOn;

test.each([
  ['~', null],
  ['[]', []],
  ['a', [{ step: 'a', allowFailure: false }]],
  ['[a, b]', ['a', 'b'].map((step) => ({ step, allowFailure: false }))],
  ['[{step: a, allow_failure: true}]', [{ step: 'a', allowFailure: true }]],
  ['[{step: g}]', [{ step: 'g', allowFailure: false }]],
])('reads depends_on: %s', (text, expected) => {
  const steps = `[{command: x, key: a}, {block: x, key: b}, {group: x, key: g, steps: [wait]}`;
  expect(dependsOn(`${steps}, {command: z, depends_on: ${text}}]`)).toEqual(expected);
});

test('an uploaded step can depend on steps of the build', () => {
  const options = { file: 'p.yml', env: {}, keys: ['build'] };
  const { steps } = loadPipeline('[{command: x, depends_on: build}]', options);
  expect(steps[0]?.dependsOn).toEqual([{ step: 'build', allowFailure: false }]);
  expect(() => loadPipeline('[{command: x, depends_on: test}]', options)).toThrow('a problem');
});

test('an upload may contain no steps', () => {
  const options = { file: 'p.yml', env: {}, keys: [] };
  expect(loadPipeline('steps: []', options).steps).toEqual([]);
  expect(loadPipeline('[]', options).steps).toEqual([]);
  expect(() => loadPipeline('env: {}', options)).toThrow('a problem');
});

test('a step can depend on a later step', () => {
  expect(problems('[{command: x, depends_on: y}, {command: z, key: y}]')).toEqual([]);
});

test('reads allow_dependency_failure', () => {
  const text =
    '[{command: x, key: a}, {command: y, depends_on: a, allow_dependency_failure: true}]';
  expect(load(text).steps[1]).toMatchObject({ allowDependencyFailure: true });
});

test('the steps of a group are consecutive in the plan and refer to it', () => {
  const text = `
- {command: x, key: a}
- group: Tests
  key: tests
  depends_on: a
  allow_dependency_failure: true
  notify: [github_check]
  steps:
    - {command: unit, key: unit}
    - wait
    - {command: more, key: more, depends_on: [], parallelism: 2}
- {command: y, key: b}
`;
  const { steps } = load(text);
  expect(names(steps)).toEqual(['a', 'unit', 'wait', 'more', 'more', 'b']);
  expect(steps.map(({ definition }) => definition)).toEqual([0, 2, 3, 4, 4, 5]);
  const group = {
    definition: 1,
    key: 'tests',
    label: 'Tests',
    dependsOn: [{ step: 'a', allowFailure: true }],
  };
  expect(steps.map((step) => step.group)).toEqual([null, group, group, group, group, null]);
});

test.each([
  ['{group: A, steps: [wait]}', 'A'],
  ['{group: , label: B, steps: [wait]}', 'B'],
  ['{group: , name: B, steps: [wait]}', 'B'],
  ['{type: group, label: C, steps: [wait]}', 'C'],
  ['{group: , steps: [wait]}', null],
])('reads the label of %s', (text, label) => {
  expect(load(`[${text}]`).steps[0]?.group?.label).toBe(label);
});

test('skip of a group applies to its steps', () => {
  const { steps } = load('[{group: A, skip: later, steps: [wait, {command: x, skip: own}]}]');
  const omitted = { state: 'skipped', reason: 'later' };
  expect(steps.map((step) => step.omitted)).toEqual([omitted, omitted]);
});

test('reads every form of input, block and wait', () => {
  const text = `
- input
- block
- wait
- waiter
- input: Which?
  fields: [{text: a, key: a}]
- {type: input, label: I}
- {manual: M, allowed_teams: x}
- wait: {key: w, continue_on_failure: true}
- block: {block: B, blocked_state: failed}
`;
  expect(load(text).steps).toMatchObject([
    { type: 'input', label: null },
    { type: 'block' },
    { type: 'wait' },
    { type: 'wait' },
    { type: 'input', label: 'Which?', fields: [{ key: 'a' }] },
    { type: 'input', label: 'I' },
    { type: 'block', label: 'M' },
    { type: 'wait', key: 'w', continueOnFailure: true },
    { type: 'block', label: 'B', blockedState: 'failed' },
  ]);
});

test('reads a trigger with all its attributes', () => {
  const text = `
- trigger: deploy
  label: Deploy
  key: d
  async: true
  soft_fail: true
  skip: no reason
  build:
    commit: abc
    branch: $B
    message: hi
    env: {A: 1}
    meta_data: {m: 2, n: }
- trigger: other
`;
  expect(load(text, { B: 'main' }).steps).toMatchObject([
    {
      type: 'trigger',
      pipeline: 'deploy',
      label: 'Deploy',
      async: true,
      softFail: true,
      omitted: { state: 'skipped', reason: 'no reason' },
      build: {
        commit: 'abc',
        branch: 'main',
        message: 'hi',
        env: { A: '1' },
        metaData: { m: '2', n: '' },
      },
    },
    { pipeline: 'other', async: false, build: { commit: null, env: {}, metaData: {} } },
  ]);
});

test.each([
  [
    '[{command: x, key: abc}, {command: y, depends_on: abd}]',
    ['1:51: no step or group has the key `abd`; did you mean `abc`?'],
  ],
  [
    '[{command: x, depends_on: {a: b}}]',
    [
      '1:27: a `depends_on` entry must be a key, or have `step`',
      '1:28: unknown key `a` in a `depends_on` entry',
    ],
  ],
  ['[{command: x, depends_on: [~]}]', ['1:28: a `depends_on` entry must be a key, or have `step`']],
  ['[{command: x, key: a, depends_on: a}]', ['1:35: `a` depends on itself']],
  [
    '[{command: x, key: a, depends_on: b}, {command: y, key: b, depends_on: [a]}]',
    ['1:35: circular dependency: `a` -> `b` -> `a`'],
  ],
  [
    '[{group: g, key: g, steps: [{command: x, key: a, depends_on: g}]}]',
    ['1:62: circular dependency: `g` -> `a` -> `g`'],
  ],
  [
    '[{command: x, key: a, depends_on: b}, {wait: , key: w}, {command: y, key: b}]',
    ['1:35: circular dependency: `a` -> `b` -> `w` -> `a`'],
  ],
  [
    '[{group: g, key: g, depends_on: b, steps: [{command: x, key: a}]}, {command: y, key: b, depends_on: a}]',
    ['1:101: circular dependency: `a` -> `b` -> `a`'],
  ],
  [
    '[{command: x, key: a}, {group: g, key: a, steps: [wait]}]',
    ['1:24: the key `a` is already used by the step on line 1'],
  ],
  [
    '[{group: g, key: a, steps: [{command: x, key: a}]}]',
    ['1:29: the key `a` is already used by the group on line 1'],
  ],
  ['[{group: g, steps: []}]', ['1:13: the group has no steps']],
  ['[{group: g}]', ['1:2: the group has no steps']],
  [
    '[{group: g, steps: [{comand: x}, {command: y, kee: z}]}]',
    [
      '1:22: unknown key `comand` in a step; did you mean `command`?',
      '1:47: unknown key `kee` in a command step; did you mean `key`?',
    ],
  ],
  [
    '[{group: g, steps: [{group: h, steps: [{comand: x}]}]}]',
    [
      '1:21: a group cannot contain another group',
      '1:41: unknown key `comand` in a step; did you mean `command`?',
    ],
  ],
  [
    '[{group: g, stesp: [wait]}]',
    ['1:2: the group has no steps', '1:13: unknown key `stesp` in a group; did you mean `steps`?'],
  ],
  [
    '[{trigger: a, bild: {}}]',
    ['1:15: unknown key `bild` in a trigger step; did you mean `build`?'],
  ],
  [
    '[{trigger: a, build: {envv: {}}}]',
    ["1:23: unknown key `envv` in a trigger step's `build`; did you mean `env`?"],
  ],
  ['[{trigger: a, build: x}]', ['1:22: `build` must be a mapping such as `branch: main`']],
  ['[{trigger: a, command: b}]', ['1:2: a step cannot have `trigger` and `command` together']],
  ['[{command: b, wait: }]', ['1:2: a step cannot have `command` and `wait` together']],
  [
    '[{type: comand, label: x}]',
    ['1:9: `type: comand` does not match this step; did you mean `command`?'],
  ],
])('rejects %s', (text, expected) => {
  expect(problems(text)).toEqual(expected);
});

test('an excluded gate blocks nothing, so it creates no cycle', () => {
  const text = '[{command: x, key: a, depends_on: b}, {wait: , skip: true}, {command: y, key: b}]';
  expect(problems(text)).toEqual([]);
});
