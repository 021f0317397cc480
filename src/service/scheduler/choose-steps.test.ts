import { expect, test } from 'vitest';
import { command, planOf, trigger, wait } from '../../../test/support/plans.ts';
import { plainStep, type Group } from '../pipeline/plan.ts';
import { usualRunOptions, type PluginPolicy } from '../run-options.ts';
import { chooseSteps, type Only } from './choose-steps.ts';

const group: Group = { definition: 9, key: 'checks', label: 'Checks', dependsOn: null };

const plan = planOf(
  command('a', { key: 'build' }),
  wait,
  command('b', { key: 'unit', group }),
  command('c', { label: 'Lint', group }),
  command('d', { key: 'old', omitted: { state: 'broken', reason: 'its `if` does not hold' } }),
);

const choose = (only: Only | undefined, secrets: Record<string, string> = {}) =>
  chooseSteps(plan, { ...usualRunOptions, secrets }, [], only);

const left = (only: Only): string =>
  choose(only)
    .steps.flatMap(({ omitted }, index) => (omitted === null ? [index] : []))
    .join();

test.each<[Only, string]>([
  [{ steps: ['unit'] }, '2'],
  [{ steps: ['Lint'] }, '3'],
  [{ steps: ['checks'] }, '2,3'],
  [{ steps: ['Checks'] }, '2,3'],
  [{ steps: ['build', 'Lint'] }, '0,3'],
  [{ steps: ['build,, Lint,', 'unit'] }, '0,2,3'],
  [{ steps: ['unit'], needs: true }, '0,1,2'],
  [{ steps: ['build'], needs: true }, '0'],
  [{ from: 'unit' }, '2,3'],
  [{ from: 'checks' }, '2,3'],
  [{ from: 'build' }, '0,1,2,3'],
])('%j selects: %s', (only, steps) => {
  expect(left(only)).toBe(steps);
});

test('a label with a comma is one name, and --needs follows depends_on', () => {
  const dependsOn = [{ step: 'a', allowFailure: false }];
  const plan = planOf(
    command('a', { key: 'a' }),
    command('b', { key: 'b', dependsOn }),
    command('c', { label: 'b, c', dependsOn: [{ step: 'b', allowFailure: true }] }),
  );
  const left = (only: Only) =>
    chooseSteps(plan, usualRunOptions, [], only).steps.map(({ omitted }) => omitted === null);
  expect(left({ steps: ['b, c'] })).toEqual([false, false, true]);
  expect(left({ steps: ['b, c'], needs: true })).toEqual([true, true, true]);
});

test('jobs with the same key run together', () => {
  const [first, second] = [command('x', { key: 'many' }), command('y', { key: 'many' })];
  const { steps } = chooseSteps(planOf(first, wait, second), usualRunOptions, [], {
    steps: ['many'],
  });
  expect(steps.map(({ omitted }) => omitted === null)).toEqual([true, false, true]);
});

test.each([[['']], [[',']], [[]]])('rejects a selection without a name: %j', (steps) => {
  expect(() => choose({ steps })).toThrow('--step needs a step key or label');
});

test('an excluded step gives the reason, or keeps its own', () => {
  const unselected = 'not selected by --step unit';
  const reasons = (only: Only) => choose(only).steps.map(({ omitted }) => omitted?.reason ?? null);
  expect(reasons({ steps: ['unit'] })).toEqual([
    ...[unselected, unselected, null, unselected],
    'its `if` does not hold',
  ]);
  expect(reasons({ from: 'unit' })[0]).toBe('not selected by --from unit');
});

test('an unknown step is rejected with a suggestion or all names', () => {
  expect(() => choose({ steps: ['untit'] })).toThrow(
    'The pipeline has no step "untit"; did you mean unit?',
  );
  expect(() => choose({ from: 'nowhere' })).toThrow(
    'The pipeline has no step "nowhere" (it has build, unit, checks, Checks, Lint, old)',
  );
  const nameless = planOf({ ...plainStep, type: 'wait', continueOnFailure: false });
  expect(() => chooseSteps(nameless, usualRunOptions, [], { steps: ['x'] })).toThrow(
    /^The pipeline has no step "x"$/,
  );
});

test('a missing secret is reported before anything runs, one line each', () => {
  const secret = (key: string) => ({ key, variable: `MY_${key}` });
  const asking = planOf(
    command('a', { key: 'a', secrets: [secret('ONE'), secret('TWO')] }),
    command('b', { key: 'b', secrets: [secret('ONE')] }),
  );
  const check = (secrets: Record<string, string>, only?: Only) =>
    chooseSteps(asking, { ...usualRunOptions, secrets }, [], only);
  expect(() => check({ THREE: '3' })).toThrow(
    'The step on line 1 needs the secret ONE, which was not provided (use --secret ONE, --secret-file FILE, or cictl local secret set ONE)\n' +
      'The step on line 1 needs the secret TWO, which was not provided (use --secret TWO, --secret-file FILE, or cictl local secret set TWO)',
  );
  expect(check({ ONE: '1', TWO: '' }).steps).toEqual(asking.steps);
  expect(check({ ONE: '1' }, { steps: ['b'] }).steps[1]?.omitted).toBeNull();
});

test('reports everything that is missing at once', () => {
  const asking = planOf(
    command('a', { secrets: [{ key: 'ONE', variable: 'ONE' }] }),
    trigger('here'),
    trigger('gone'),
    trigger('hree'),
  );
  expect(() => chooseSteps(asking, usualRunOptions, ['here'], undefined)).toThrow(
    [
      'The step on line 1 needs the secret ONE, which was not provided (use --secret ONE, --secret-file FILE, or cictl local secret set ONE)',
      'The trigger on line 3 cannot run: pipeline gone does not exist here. Add it (cictl local pipeline add DIR --slug gone), or skip it (--triggers skip)',
      'The trigger on line 4 cannot run: pipeline hree does not exist here; did you mean here? Add it (cictl local pipeline add DIR --slug hree), or skip it (--triggers skip)',
    ].join('\n'),
  );
});

test('a forbidden plugin is reported before anything runs', () => {
  const config = null;
  const uses = [
    { source: 'ecr#v2', config },
    { source: 'org/docker-buildkite-plugin#v5', config },
  ];
  const asking = planOf(command('a', { plugins: uses }), command('b', { plugins: uses }));
  const check = (plugins: PluginPolicy) =>
    chooseSteps(asking, { ...usualRunOptions, plugins }, [], undefined);
  expect(() => check({ default: 'error', named: { ecr: 'skip' } })).toThrow(
    /^The step on line 1 uses the plugin docker, which is not allowed to run \(to allow it, use --plugins run=docker; to run without it, use --plugins skip=docker\)$/,
  );
  expect(check({ default: 'run', named: { other: 'error' } }).steps).toEqual(asking.steps);
});
