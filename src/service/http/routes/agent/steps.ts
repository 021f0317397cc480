/** `buildkite-agent step` and `build cancel`, for the steps of the caller's own build. */
import { startTimer } from '../../../../common/clock.ts';
import { cancelBuild } from '../../../domain/cancel.ts';
import type { Tree } from '../../../domain/records.ts';
import { cancelStep, stepsOf, updateStep } from '../../../domain/step-changes.ts';
import { bodyReader, objectOf } from '../../body-reader.ts';
import { empty, json } from '../../response.ts';
import type { Route } from '../../route.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { checkBuild, jobRoute } from './job-route.ts';
import { stepText } from './step-text.ts';
import { withoutSecrets } from './without-secrets.ts';

export const agentStepRoutes: readonly Route[] = [
  jobRoute('POST', '/v3/steps/:step/export', async (call, _, own) => {
    const members = bodyReader(objectOf(await call.body()));
    checkBuild(members.text('build_id'), own.buildId);
    const attribute = members.text('attribute') ?? '';
    const format = members.choice('format', ['json', '']);
    members.done();
    const tree = own.tree();
    const steps = stepsOf(tree, call.params.step);
    return json({ output: stepText(tree, steps, attribute, format === 'json') });
  }),
  jobRoute('PUT', '/v3/steps/:step', async (call, { engine, clock, store }, own) => {
    const members = bodyReader(objectOf(await call.body()));
    checkBuild(members.text('build_id'), own.buildId);
    const attribute = members.required('attribute');
    const value = withoutSecrets(own, members.text('value') ?? '');
    const append = members.flag('append');
    const uuid = members.text('idempotency_uuid') ?? '';
    members.done();
    const update = { attribute, value, append };
    const request = { ...own, uuid };
    engine.change(own.buildId, (tree) => {
      // What is appended must not come twice because an agent read no answer.
      if (uuid !== '' && store.appliedRequests.has(request)) return tree;
      if (uuid !== '') store.appliedRequests.add(request);
      return updateStep(tree, call.params.step, update, clock.now());
    });
    return empty();
  }),
  jobRoute('POST', '/v3/steps/:step/cancel', async (call, { engine, clock }, own) => {
    const members = bodyReader(objectOf(await call.body()));
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
      cancelBuild(tree, 'A job of the build canceled it', clock.now(), userId),
    );
    return json({ uuid: buildId });
  }),
];

/** Without it a job gets its ten seconds after TERM. */
function killLater(
  { slots }: ServiceContext['engine'],
  { jobs }: Tree,
  steps: ReadonlySet<number>,
  grace: number,
): void {
  const ending = jobs.filter(({ step, state }) => steps.has(step) && state === 'canceling');
  const ids = new Set<string | null>(ending.map(({ id }) => id));
  const kill = (): void =>
    slots.filter(({ jobId }) => ids.has(jobId)).forEach(({ running }) => running?.kill());
  startTimer(grace, kill, { keepsProcess: false });
}
