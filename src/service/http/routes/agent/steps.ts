import { startTimer } from '../../../../common/clock.ts';
import { cancelBuild } from '../../../domain/build-lifecycle.ts';
import type { Tree, Job } from '../../../domain/records.ts';
import { cancelStep, stepsOf, updateStep } from '../../../domain/step-changes.ts';
import { bodyReader } from '../../body-reader.ts';
import { empty, json } from '../../response.ts';
import type { Route } from '../../route.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { checkBuild, jobRoute, withoutSecrets } from './job-route.ts';
import { isCurrent, isDone } from '../../../domain/job-states.ts';
import { badRequest } from '../../api-error.ts';
import type { Step } from '../../../pipeline/plan.ts';

const isHardFailure = ({ state, softFailed }: Job): boolean =>
  !softFailed && ['failed', 'timed_out'].includes(state);

export const agentStepRoutes: readonly Route[] = [
  jobRoute('POST', '/v3/steps/:step/export', async (call, _, own) => {
    const members = bodyReader(await call.body());
    checkBuild(members.text('build_id'), own.buildId);
    const attribute = members.text('attribute') ?? '';
    const format = members.choice('format', ['json', '']);
    members.done();
    const tree = own.tree();
    const steps = stepsOf(tree, call.params.step);
    return json({ output: stepText(tree, steps, attribute, format === 'json') });
  }),
  jobRoute('PUT', '/v3/steps/:step', async (call, { engine, clock, store }, own) => {
    const members = bodyReader(await call.body());
    checkBuild(members.text('build_id'), own.buildId);
    const attribute = members.required('attribute');
    const value = withoutSecrets(own, members.text('value') ?? '');
    const append = members.flag('append');
    const uuid = members.text('idempotency_uuid') ?? '';
    members.done();
    const update = { attribute, value, append };
    const request = { ...own, uuid };
    engine.change(own.buildId, (tree) => {
      // A repeated request must not append the value twice.
      if (uuid !== '' && store.appliedRequests.has(request)) return tree;
      if (uuid !== '') store.appliedRequests.add(request);
      return updateStep(tree, call.params.step, update, clock.now());
    });
    return empty();
  }),
  jobRoute('POST', '/v3/steps/:step/cancel', async (call, { engine, clock }, own) => {
    const members = bodyReader(await call.body());
    checkBuild(members.text('build_id'), own.buildId);
    const force = members.flag('force');
    const grace = members.integer('force_grace_period') ?? 15;
    members.done();
    const { step } = call.params;
    const tree = engine.change(own.buildId, (before) => cancelStep(before, step, clock.now()));
    const canceled = new Set(stepsOf(tree, step));
    if (force) killLater(engine, tree, canceled, grace * 1000);
    return json({ uuid: tree.jobs.find((job) => canceled.has(job.step))?.stepId ?? step });
  }),
  jobRoute('POST', '/v3/builds/:build/cancel', ({ caller }, { engine, clock }, { buildId }) => {
    const { userId } = caller.token;
    engine.change(buildId, (tree) =>
      cancelBuild(tree, 'Canceled by a job of the build', clock.now(), userId),
    );
    return json({ uuid: buildId });
  }),
];

function killLater(
  { slots }: ServiceContext['engine'],
  { jobs }: Tree,
  steps: ReadonlySet<number>,
  grace: number,
): void {
  const ending = jobs.filter(({ step, state }) => steps.has(step) && state === 'canceling');
  const ids = new Set<string | null>(ending.map(({ id }) => id));
  const kill = (): void => {
    for (const { jobId, running } of slots) if (ids.has(jobId)) running?.kill();
  };
  startTimer(grace, kill, { keepsProcess: false });
}

/** `indexes` are positions in the plan. Throws `ApiError` 400 for an unknown attribute. */
function stepText(
  { plan, jobs }: Tree,
  indexes: readonly number[],
  attribute: string,
  asJson: boolean,
): string {
  const own = jobs.filter((job) => indexes.includes(job.step) && isCurrent(job));
  const all = attributesOf(plan.steps[indexes[0] ?? 0], own, indexes.length);
  if (attribute === '') return JSON.stringify(all);
  const found = Object.entries(all).find(([name]) => name === attribute);
  if (found === undefined)
    throw badRequest(`Steps have no attribute "${attribute}" (${Object.keys(all).join(', ')})`);
  const [, value] = found;
  return asJson || value === null ? JSON.stringify(value) : String(value);
}

function attributesOf(step: Step | undefined, jobs: readonly Job[], count: number) {
  const command = step?.type === 'command' ? step : undefined;
  return {
    id: jobs[0]?.stepId ?? null,
    key: step?.key ?? '',
    label: step?.label ?? '',
    type: step?.type ?? 'command',
    state: stateOf(jobs),
    outcome: outcomeOf(jobs),
    command: command?.command ?? '',
    priority: command?.priority ?? 0,
    parallelism: command?.parallel === null ? null : count,
    timeout_in_minutes: command?.timeoutInMinutes ?? null,
    concurrency: command?.concurrency?.limit ?? null,
    concurrency_group: command?.concurrency?.group ?? null,
  };
}

function stateOf(jobs: readonly Job[]): string {
  const areAll = (...states: string[]): boolean =>
    jobs.every(({ state }) => states.includes(state));
  if (jobs.length > 0 && areAll('skipped', 'broken')) return 'ignored';
  if (jobs.every(isDone)) return 'finished';
  const begun = ['accepted', 'running', 'timing_out', 'canceling'];
  if (jobs.some((job) => isDone(job) || begun.includes(job.state)))
    return jobs.some(isHardFailure) ? 'failing' : 'running';
  return areAll('waiting') ? 'waiting_for_dependencies' : 'ready';
}

function outcomeOf(jobs: readonly Job[]): string {
  if (jobs.some(isHardFailure)) return 'hard_failed';
  if (jobs.some(({ state }) => state === 'canceled')) return 'errored';
  if (jobs.some(({ softFailed }) => softFailed)) return 'soft_failed';
  const isGood = jobs.some(({ state }) => state === 'passed' || state === 'unblocked');
  return isGood && jobs.every(isDone) ? 'passed' : 'neutral';
}
