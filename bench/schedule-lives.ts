/** Whole lives of builds by the state machine of the built-in service, from the first job to the last. */
import { createBuild, type NewBuild } from '../src/service/domain/create.ts';
import { finishJob, startJob } from '../src/service/domain/job-lifecycle.ts';
import { plainCommand, plainStep, type Step } from '../src/service/pipeline/plan.ts';
import { usualRunOptions } from '../src/service/run-options.ts';

const agent = { id: 'agent', name: 'local-1', createdAt: 0 };
const passed = { exitStatus: 0, signal: null, signalReason: null, timedOut: false };

/** Microseconds a job that a build of so many takes, with so many waits between them. */
export function microsecondsPerJob(jobs: number, waits: number): number {
  const steps = stepsOf(jobs, waits);
  let ids = 0;
  const newId = (): string => `job-${++ids}`;
  const from = process.hrtime.bigint();
  let tree = createBuild(build, { env: {}, steps, notices: [] }, 0, newId);
  for (const { id, type } of tree.jobs) {
    if (type !== 'script') continue;
    tree = finishJob(startJob(tree, id, agent, 1), id, passed, 2, newId);
  }
  const took = Number(process.hrtime.bigint() - from) / 1000;
  if (tree.build.state !== 'passed') throw new Error(`the build is ${tree.build.state}`);
  return took / steps.length;
}

const stepsOf = (jobs: number, waits: number): Step[] =>
  Array.from({ length: jobs }, (_, index): Step[] => {
    const base = { ...plainStep, line: 1, definition: index };
    const command: Step = { ...plainCommand, ...base, command: 'true' };
    const isLast = waits > 0 && (index + 1) % Math.ceil(jobs / waits) === 0;
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
