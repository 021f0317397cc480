import { expect, test } from 'vitest';
import { loadPipeline } from '../../service/pipeline/load.ts';
import { stepDefaults } from '../../service/pipeline/plan.ts';
import { keysOf } from '../../service/pipeline/steps/steps.ts';
import { CictlError } from '../../errors.ts';
import { usualRunOptions } from '../../service/run-options.ts';
import type { WantedRun } from './create.ts';
import { stepResource } from './index.ts';
import { checkPipeline, planRows } from './plan.ts';

const rows = (yaml: string): object[] => planRows(loadPipeline(yaml, { file: 'p.yml', env: {} }));

test('a job shows its dependencies, and whether the file states them', () => {
  const yaml = `
- {command: a, key: a, parallelism: 2}
- wait
- {command: b, depends_on: [{step: a, allow_failure: true}]}
- {command: c}
`;
  expect(rows(yaml)).toMatchObject([
    { number: 1, line: 2, needs: [], depends_on: [], variant: '1/2', step: 0 },
    { number: 2, line: 2, needs: [], depends_on: [], variant: '2/2', step: 0 },
    {
      type: 'wait',
      needs: ['a'],
      depends_on: [{ name: 'a', key: 'a', line: 2, allow_failure: false, implicit: true }],
    },
    {
      needs: ['a (may fail)'],
      depends_on: [{ name: 'a', key: 'a', line: null, allow_failure: true, implicit: false }],
    },
    {
      needs: ['wait on line 3'],
      depends_on: [
        { name: 'wait on line 3', key: null, line: 3, allow_failure: false, implicit: true },
      ],
    },
  ]);
});

test('names a matrix job by its values', () => {
  expect(rows('[{command: x, matrix: [a]}]')).toMatchObject([{ variant: 'a' }]);
  expect(rows('[{command: x, matrix: {setup: {os: [mac], n: [1]}}}]')).toMatchObject([
    { variant: 'os=mac n=1', matrix: { os: 'mac', n: '1' } },
  ]);
});

test('all members are snake case, and names given by users are kept', () => {
  const yaml = `
- command: x
  env: {camelCase: 1}
  plugins: [{a: {camelCase: 1}}]
  retry: {automatic: true}
- {block: b, fields: [{text: t, key: k}]}
- {trigger: t, build: {meta_data: {camelCase: 1}}}
- wait
`;
  const names = new Set<string>();
  JSON.stringify(rows(yaml), (key, value: unknown) => {
    names.add(key);
    return value;
  });
  expect([...names].filter((name) => /[A-Z]/.test(name))).toEqual(['camelCase']);
});

const steps = {
  command: '{command: x}',
  wait: 'wait',
  block: '{block: b}',
  input: '{input: i}',
  trigger: '{trigger: t}',
};

/** Keys that are shown under another name. */
const shownAs: Readonly<Record<string, string>> = {
  ...{ id: 'key', identifier: 'key', name: 'label' },
  ...{ if: 'omitted', branches: 'omitted', if_changed: 'omitted', skip: 'omitted' },
  ...{ commands: 'command', script: 'command', timeout: 'timeout_in_minutes' },
  ...{ parallelism: 'parallel', checkout: 'skip_checkout' },
  ...{ concurrency_group: 'concurrency', concurrency_method: 'concurrency' },
  ...{ wait: 'type', waiter: 'type', block: 'label', manual: 'label', input: 'label' },
  trigger: 'pipeline',
};

test.each(Object.entries(steps))('shows every key and attribute of a %s step', (kind, step) => {
  const [row = {}] = rows(`[${step}]`);
  const keys = keysOf[kind as keyof typeof steps].run.map((key) => shownAs[key] ?? key);
  expect(keys.filter((key) => !Object.hasOwn(row, key))).toEqual([]);
  const attributes = Object.keys(stepDefaults[kind as keyof typeof steps]);
  const names = attributes.map((name) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`));
  expect(names.filter((name) => !Object.hasOwn(row, name))).toEqual([]);
  // For `--fields`.
  expect(names.filter((name) => !Object.hasOwn(stepResource.members, name))).toEqual([]);
});

test('Ctrl-C interrupts the reading of a large file', async () => {
  const text = `steps: [{ command: echo }]${' '.repeat(64 * 1024)}`;
  const file = { path: '/none/p.yml', name: 'p.yml', folder: '/none', text, isUsual: true };
  const build = { commit: 'HEAD', branch: 'main', message: '', env: {} };
  const settings = { options: usualRunOptions } as unknown as WantedRun['settings'];
  const interrupt = new CictlError('interrupted', 'interrupted');
  const context = { env: {}, signal: AbortSignal.abort(interrupt) };
  await expect(checkPipeline({ file, build, settings }, context)).rejects.toBe(interrupt);
});
