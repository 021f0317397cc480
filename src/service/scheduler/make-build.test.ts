import { expect, test } from 'vitest';
import { order, until, useScheduler } from '../../../test/support/scheduler.ts';
import type { Pipeline } from '../domain/records.ts';
import { plainStep } from '../pipeline/plan.ts';
import { type BuildOrder, rebuild } from './make-build.ts';

const script = '{ command: a }';

test('a build has the given values, a number and the steps of the file', async () => {
  const { steps, build, store, organization, user } = useScheduler();
  steps(`${script}, wait`);
  const wanted = {
    ...{ commit: 'c', branch: 'b', message: 'm', env: { A: 'b' }, metaData: { k: 'v' } },
    ...{ creatorId: user.id, pullRequest: { id: '7', base: 'main', repository: null } },
  };
  const made = await build(wanted);
  expect(made).toMatchObject({
    ...wanted,
    ...{ organizationId: organization.id, pipelineId: 'pipeline', number: 1, state: 'scheduled' },
    ...{ author: { name: 'Ann', email: 'ann@x' }, source: 'api', rebuiltFrom: null },
    ...{ workspace: 'inplace', hostEnv: {}, ownPlan: false },
  });
  expect(store.builds.byId(made.id)).toEqual(made);
  expect(store.builds.tree(made.id)?.jobs.map(({ type }) => type)).toEqual(['script', 'waiter']);
  expect((await build()).number).toBe(2);
});

test('the creator is the default author, and there is none without a creator', async () => {
  const { steps, build, user } = useScheduler();
  steps(script);
  const author = { name: 'Bea', email: 'bea@x' };
  expect((await build({ author, creatorId: user.id })).author).toEqual(author);
  expect((await build({ creatorId: 'gone' })).author).toBeNull();
  expect((await build()).author).toBeNull();
});

test('values given by the creator override defaults', async () => {
  const { build, store } = useScheduler();
  const step = {
    ...plainStep,
    definition: 0,
    line: 1,
    type: 'wait',
    continueOnFailure: false,
  } as const;
  const plan = { env: { P: 'q' }, steps: [step], notices: [] };
  const wanted = { source: 'ui', workspace: 'copy', hostEnv: { H: 'i' } } as const;
  const made = await build({ ...wanted, plan });
  expect(made).toMatchObject({ ...wanted, ownPlan: true });
  expect(made).not.toHaveProperty('plan');
  expect(store.builds.tree(made.id)?.plan).toEqual(plan);
});

test('the file is interpolated with the variables of the build, including given ones', async () => {
  const { steps, build, store } = useScheduler();
  steps('{ command: "$BUILDKITE_BRANCH $BUILDKITE_BUILD_NUMBER $BUILDKITE_BUILD_URL $A" }');
  const { id } = await build({ branch: 'b', env: { A: 'given', BUILDKITE_BRANCH: 'forged' } });
  const command = 'b 1 http://127.0.0.1:1/local/p/builds/1 given';
  expect(store.builds.tree(id)?.plan.steps).toMatchObject([{ command }]);
});

test('a rejected build leaves nothing behind and uses no number', async () => {
  const { steps, build } = useScheduler();
  const filtered = { branchConfiguration: 'main' };
  await expect(build()).rejects.toMatchObject({ name: 'Refusal', kind: 'invalid' });
  steps(script);
  await expect(build({ branch: 'other' }, filtered)).rejects.toMatchObject({
    ...{ name: 'Refusal', kind: 'invalid' },
    message: 'Branches have been disabled for this pipeline',
  });
  expect((await build({ branch: 'main' }, filtered)).number).toBe(1);
  const forced = await build({ branch: 'other', ignoreBranchFilters: true }, filtered);
  expect(forced.number).toBe(2);
});

const skipping = { skipQueuedBranchBuilds: true };
const canceling = { cancelRunningBranchBuilds: true };

test.each<[string, Partial<Pipeline>, string, string]>([
  ['by default', {}, 'running: running', 'scheduled: scheduled'],
  ['skipping', skipping, 'running: running', 'skipped: skipped'],
  ['canceling', canceling, 'canceling: canceling', 'scheduled: scheduled'],
  [
    'skipping and canceling other branches',
    {
      ...{ ...skipping, skipQueuedBranchBuildsFilter: '!main' },
      ...{ ...canceling, cancelRunningBranchBuildsFilter: '!main' },
    },
    'running: running',
    'scheduled: scheduled',
  ],
])(
  'with %s, a newer build makes older ones of its branch so',
  async (_, members, running, queued) => {
    const { engine, runner, steps, build, states, store } = useScheduler({ slots: 1 });
    steps(script);
    await engine.start();
    const first = await build();
    await until(() => runner.works.length === 1);
    const second = await build();
    const elsewhere = await build({ branch: 'other' });
    const third = await build({}, members);
    expect([states(first), states(second)]).toEqual([running, queued]);
    expect([states(elsewhere), states(third)]).toEqual(Array(2).fill('scheduled: scheduled'));
    const reasons = [first, second].flatMap(({ id }) => store.builds.byId(id)?.cancelReason ?? []);
    const reason = 'Superseded by build 4 on the same branch';
    expect(reasons).toEqual(members === skipping || members === canceling ? [reason] : []);
  },
);

test('a failing build is superseded like a running one', async () => {
  const { engine, runner, steps, build, states } = useScheduler();
  steps(`${script}, { command: b }`);
  await engine.start();
  const first = await build();
  await until(() => runner.works.length === 2);
  runner.finish('a', { exitStatus: 1 });
  await until(() => states(first) === 'failing: failed running');
  await build({}, canceling);
  expect(states(first)).toBe('canceling: failed canceling');
});

test('a rebuild uses the same values and names its source', async () => {
  const { steps, build, states, organization, pipeline, parts, engine } = useScheduler();
  steps(script);
  const asked: BuildOrder = {
    ...{ ...order, commit: 'c', branch: 'b', message: 'again', env: { A: 'b' } },
    ...{ metaData: { k: 'v' }, author: { name: 'Bea', email: 'bea@x' }, cleanCheckout: true },
    ...{ ignoreBranchFilters: true, hostEnv: { H: 'i' } },
    pullRequest: { id: '7', base: null, repository: null },
    workspace: 'copy',
  };
  const made = await build(asked);
  const { id } = made;
  steps('wait, wait');
  const location = { organization, pipeline };
  const again = await rebuild({ ...parts, engine }, location, made, 'user');
  expect(again).toMatchObject({ ...asked, creatorId: 'user', rebuiltFrom: { id, number: 1 } });
  expect(again).toMatchObject({ number: 2, ownPlan: false });
  expect(states(again)).toBe('passed: passed passed');
  expect((await rebuild({ ...parts, engine }, location, made, undefined)).creatorId).toBeNull();
});

test('a rebuild of a build with given steps has them again', async () => {
  const { steps, build, store, organization, pipeline, parts, engine } = useScheduler();
  steps(script);
  const fromFile = store.builds.tree((await build()).id);
  const given = await build({ plan: fromFile?.plan });
  steps('wait');
  const again = await rebuild({ ...parts, engine }, { organization, pipeline }, given, 'user');
  expect(again.ownPlan).toBe(true);
  expect(store.builds.tree(again.id)?.plan).toEqual(fromFile?.plan);
});

test('concurrent builds get different numbers, known in their files', async () => {
  const { steps, build, store } = useScheduler();
  steps('{ command: "$BUILDKITE_BUILD_NUMBER" }');
  const made = await Promise.all([build(), build(), build()]);
  const numbers = made.map(({ number }) => String(number));
  expect([...numbers].sort()).toEqual(['1', '2', '3']);
  const commands = made.map(({ id }) => store.builds.tree(id)?.plan.steps[0]);
  expect(commands).toMatchObject(numbers.map((command) => ({ command })));
});

test('a rejected file delays no waiting build', async () => {
  const { steps, build } = useScheduler();
  steps(script);
  const text = { path: '(stdin)', text: 'steps: [{ comand: a }]' };
  const [refused, made] = await Promise.allSettled([build({ text }), build()]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'Refusal' } });
  expect(made).toMatchObject({ status: 'fulfilled', value: { number: 1 } });
});

test('a given pipeline replaces the file for the build and its rebuilds', async () => {
  const { steps, build, store, organization, pipeline, parts, engine } = useScheduler();
  steps('wait');
  const text = { path: '(stdin)', text: 'steps: [{ command: given }, { command: other, key: k }]' };
  const made = await build({ text, only: { steps: ['k'] } });
  const again = await rebuild({ ...parts, engine }, { organization, pipeline }, made, undefined);
  const commands = store.builds.tree(again.id)?.plan.steps;
  expect(commands).toMatchObject([
    { command: 'given', omitted: { state: 'skipped', reason: 'not selected by --step k' } },
    { command: 'other', omitted: null },
  ]);
  expect(store.builds.tree(again.id)?.jobs.map(({ state }) => state)).toEqual([
    'skipped',
    'scheduled',
  ]);
});
