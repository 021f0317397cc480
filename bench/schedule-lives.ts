/** Complete builds in the state machine of the built-in service, from the first job to the last. */
import { createBuild, type NewBuild } from '../src/service/domain/build-lifecycle.ts';
import { finishJob, startJob } from '../src/service/domain/job-lifecycle.ts';
import { plainCommand, plainStep, type Step } from '../src/service/pipeline/plan.ts';
import { usualRunOptions } from '../src/service/run-options.ts';

const agent = { id: 'agent', name: 'local-1', createdAt: 0 };
const passed = { exitStatus: 0, signal: null, signalReason: null, timedOut: false };

/**
 * Microseconds per job for builds of this size, ten thousand jobs in total, with a wait step after
 * every `waitEach` jobs (0: none).
 */
export function microsecondsPerJob(jobs: number, waitEach: number): number {
  const steps = stepsOf(jobs, waitEach);
  const from = process.hrtime.bigint();
  for (let builds = 0; builds < 10_000 / jobs; builds++) live([...steps]);
  return Number(process.hrtime.bigint() - from) / 10_000_000;
}

/** A separate build: nothing about its steps is cached. */
function live(steps: readonly Step[]): void {
  let ids = 0;
  const newId = (): string => `job-${++ids}`;
  let tree = createBuild(build, { env: {}, steps, notices: [] }, 0, newId);
  for (const { id, type } of tree.jobs) {
    if (type !== 'script') continue;
    tree = finishJob(startJob(tree, id, agent, 1), id, passed, 2, newId);
  }
  if (tree.build.state !== 'passed') throw new Error(`the build is ${tree.build.state}`);
}

const stepsOf = (jobs: number, waitEach: number): Step[] =>
  Array.from({ length: jobs }, (_, index): Step[] => {
    const base = { ...plainStep, line: 1, definition: index };
    const command: Step = { ...plainCommand, ...base, command: 'true' };
    const isLast = waitEach > 0 && (index + 1) % waitEach === 0;
    const wait: Step = { ...base, definition: -index, type: 'wait', continueOnFailure: false };
    return isLast ? [command, wait] : [command];
  }).flat();

const build: NewBuild = {
  ...{ id: 'build', organizationId: 'o', pipelineId: 'p', number: 1, message: '', commit: 'HEAD' },
  ...{ branch: 'main', env: {}, source: 'api', creatorId: null, author: null, metaData: {} },
  ...{ pullRequest: null, rebuiltFrom: null, cleanCheckout: false, ignoreBranchFilters: false },
  ...{ workspace: 'inplace', hostEnv: {}, options: usualRunOptions, triggeredFrom: null },
  ownPlan: false,
};
