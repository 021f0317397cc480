/** Creates builds from a short notation. */
import { expect } from 'vitest';
import type { Outcome } from '../../../src/service/runner-port.ts';
import {
  plainCommand,
  plainStep,
  type Dependency,
  type Group,
  type Plan,
  type Step,
} from '../../../src/service/pipeline/plan.ts';
import { createBuild, type NewBuild } from '../../../src/service/domain/build-lifecycle.ts';
import { usualRunOptions } from '../../../src/service/run-options.ts';
import type { Job, Tree } from '../../../src/service/domain/records.ts';
import { startJob, finishJob } from '../../../src/service/domain/job-lifecycle.ts';
import type { Refusal } from '../../../src/service/domain/refusal.ts';

/**
 * Converts a word to a step. `a` is a command, `a?` may fail, `a?3` may fail with that status;
 * `wait`, `wait!` continues after failures, `block:failed`, `input`. After that, `:K` is a key,
 * `<K,L!` are dependencies (`!`: may fail), `/G` is a group, `/G<K` a group that depends on K, and
 * `~` marks a skipped step.
 */
function step(word: string, definition: number): Step {
  const [, name = '', soft, colon, needs, group, groupNeeds, left] =
    /^([^?:<\/~]+)(?:\?(\d*))?(?::(\w+))?(?:<([\w,!]*))?(?:\/(\w+)(?:<([\w,!]*))?)?(~)?$/.exec(
      word,
    ) ?? [];
  const base = {
    ...plainStep,
    key: name === 'block' ? null : (colon ?? null),
    dependsOn: dependencies(needs),
    omitted: left === undefined ? null : ({ state: 'broken', reason: 'left out' } as const),
    group: group === undefined ? null : groupOf(group, dependencies(groupNeeds)),
    definition,
    line: 1,
  };
  if (name.startsWith('wait'))
    return { ...base, type: 'wait', continueOnFailure: name === 'wait!' };
  if (name === 'block' || name === 'input') {
    const blockedState = (colon ?? 'passed') as 'passed' | 'failed' | 'running';
    return { ...base, type: name, prompt: null, fields: [], blockedState };
  }
  return {
    ...plainCommand,
    ...base,
    command: name,
    label: name,
    softFail: soft === undefined ? false : soft === '' ? true : [Number(soft)],
  };
}

const dependencies = (words: string | undefined): Dependency[] | null =>
  words
    ?.split(',')
    .filter((word) => word !== '')
    .map((word) => ({ step: word.replace('!', ''), allowFailure: word.endsWith('!') })) ?? null;

const groupOf = (key: string, dependsOn: Dependency[] | null): Group => ({
  ...{ definition: 1000 + key.charCodeAt(0), key, label: key, dependsOn },
});

export const plan = (words: string): Plan => ({
  ...{ env: {}, steps: words.split(' ').map(step), notices: [] },
});

const given: NewBuild = {
  id: 'build',
  organizationId: 'organization',
  pipelineId: 'pipeline',
  number: 1,
  message: '',
  commit: 'HEAD',
  branch: 'main',
  env: {},
  source: 'api',
  creatorId: null,
  author: null,
  metaData: {},
  pullRequest: null,
  rebuiltFrom: null,
  cleanCheckout: false,
  ignoreBranchFilters: false,
  workspace: 'inplace',
  hostEnv: {},
  options: usualRunOptions,
  triggeredFrom: null,
  ownPlan: false,
};

/** A new build of these steps. Jobs are `job-1` and so on, created at 1000. */
export const build = (words: string): Tree => buildOf(plan(words));

export function buildOf(steps: Plan): Tree {
  const tree = createBuild(given, steps, 1000, countingIds('id'));
  const jobs = tree.jobs.map((job, index) => ({ ...job, id: `job-${index + 1}` }));
  return { ...tree, jobs };
}

export const countingIds = (prefix: string): (() => string) => {
  let ids = 0;
  return () => `${prefix}-${++ids}`;
};

export const agent = { id: 'agent', name: 'local-1', createdAt: 0 };

export const start = (tree: Tree, number: number | string, at = 2000): Tree =>
  startJob(tree, `job-${number}`, agent, at);

export const outcome = (given: Partial<Outcome> = {}): Outcome => ({
  exitStatus: 0,
  signal: null,
  signalReason: null,
  timedOut: false,
  ...given,
});

/** Starts the job if necessary and finishes it with this status. */
export function end(tree: Tree, number: number | string, exitStatus = 0, at = 3000): Tree {
  const id = `job-${number}`;
  const scheduled = tree.jobs.find((job) => job.id === id)?.state === 'scheduled';
  return finish(scheduled ? start(tree, number) : tree, id, outcome({ exitStatus }), at);
}

/** Finishes a job. If a rule retries it, the new one is `job-1a`, then `job-1aa`. */
export const finish = (tree: Tree, id: string, result: Outcome, at: number): Tree =>
  finishJob(tree, id, result, at, () => `${id}a`);

/** `BUILD STATE: JOB STATES`. */
const statesText = ({ build: { state, blocked }, jobs }: Tree): string =>
  `${state}${blocked ? '+blocked' : ''}: ${jobs.map((job) => job.state).join(' ')}`;

export const expectStates = (tree: Tree, text: string): void => {
  expect(statesText(tree)).toBe(text);
};

export const jobOf = (tree: Tree, id: string): Job | undefined =>
  tree.jobs.find((job) => job.id === id);

/** The tree with fields of one job replaced, for states that other functions produce. */
export const withJob = (tree: Tree, id: string, members: Partial<Job>): Tree => ({
  ...tree,
  jobs: tree.jobs.map((job) => (job.id === id ? { ...job, ...members } : job)),
});

export const expectRefusal = (action: () => unknown, kind: Refusal['kind'], text: string): void => {
  expect(action).toThrow(expect.objectContaining({ name: 'Refusal', kind, message: text }));
};
