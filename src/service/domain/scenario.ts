/** Test support: builds of a few words, for the tests beside it. */
import { expect } from 'vitest';
import type { Outcome } from '../runner-port.ts';
import { plainCommand, plainStep, type Step } from '../pipeline/plan.ts';
import { createBuild, type NewBuild } from './create.ts';
import { usualRunOptions } from '../run-options.ts';
import type { Job, Tree } from './records.ts';
import { startJob, finishJob } from './job-lifecycle.ts';
import type { Refusal } from './refusal.ts';

/** `a` is a command, `a?` one that may fail, `a?3` with that status; `wait`, `wait!` goes on after failures. */
function step(word: string, definition: number): Step {
  const base = { ...plainStep, definition, line: 1 };
  if (word.startsWith('wait'))
    return { ...base, type: 'wait', continueOnFailure: word === 'wait!' };
  if (word.startsWith('block')) {
    const blockedState = (word.split(':')[1] ?? 'passed') as 'passed' | 'failed' | 'running';
    return { ...base, type: 'block', prompt: null, fields: [], blockedState };
  }
  const [command = '', soft] = word.split('?');
  return {
    ...plainCommand,
    ...base,
    command,
    label: command,
    softFail: soft === undefined ? false : soft === '' ? true : [Number(soft)],
  };
}

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

/** A new build of these steps; jobs are `job-1` and so on, created at 1000. */
export function build(words: string): Tree {
  const steps = words.split(' ').map(step);
  let ids = 0;
  const newId = (): string => `id-${++ids}`;
  const tree = createBuild(given, { env: {}, steps, notices: [] }, 1000, newId);
  const jobs = tree.jobs.map((job, index) => ({ ...job, id: `job-${index + 1}` }));
  return { ...tree, jobs };
}

const agent = { id: 'agent', name: 'local-1', createdAt: 0 };

export const start = (tree: Tree, number: number, at = 2000): Tree =>
  startJob(tree, `job-${number}`, agent, at);

export const outcome = (given: Partial<Outcome> = {}): Outcome => ({
  exitStatus: 0,
  signal: null,
  signalReason: null,
  timedOut: false,
  ...given,
});

/** Starts the job where need be and ends it with this status. */
export function end(tree: Tree, number: number, exitStatus = 0, at = 3000): Tree {
  const id = `job-${number}`;
  const scheduled = tree.jobs.find((job) => job.id === id)?.state === 'scheduled';
  return finishJob(scheduled ? start(tree, number) : tree, id, outcome({ exitStatus }), at);
}

/** `state: the states of the jobs`. */
const statesText = ({ build: { state, blocked }, jobs }: Tree): string =>
  `${state}${blocked ? '+blocked' : ''}: ${jobs.map((job) => job.state).join(' ')}`;

export const expectStates = (tree: Tree, text: string): void => {
  expect(statesText(tree)).toBe(text);
};

export const jobOf = (tree: Tree, id: string): Job | undefined =>
  tree.jobs.find((job) => job.id === id);

/** The tree with members of one job set by hand, for states that come about elsewhere. */
export const withJob = (tree: Tree, id: string, members: Partial<Job>): Tree => ({
  ...tree,
  jobs: tree.jobs.map((job) => (job.id === id ? { ...job, ...members } : job)),
});

export const expectRefusal = (action: () => unknown, kind: Refusal['kind'], text: string): void => {
  expect(action).toThrow(expect.objectContaining({ name: 'Refusal', kind, message: text }));
};
