/** What the engine works with, and what it remembers while the service runs. */
import type { LocalClock } from '../clock.ts';
import type { Runner } from '../runner-port.ts';
import type { LogPieces, Logs } from '../store/logs.ts';
import type { Store } from '../store/store.ts';
import type { Urls } from '../urls.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { Session } from './agents/session.ts';
import type { Slot } from './slots.ts';
import { isDone } from '../domain/job-states.ts';
import type { JobChange } from '../domain/job-list.ts';
import type { Build, Tree, Job } from '../domain/records.ts';
import { demandOf } from '../domain/agents.ts';
import { concurrencyGroup } from '../store/tables/jobs.ts';

export interface EngineParts {
  readonly store: Store;
  readonly logs: Logs;
  readonly logPieces: LogPieces;
  readonly urls: Urls;
  readonly clock: LocalClock;
  readonly newId: () => string;
  readonly runner: Runner;
  readonly slots: number;
  /** What the slots are for; left out, `queue=default`, or everything while there are no other agents. */
  readonly tags?: readonly string[] | undefined;
  readonly agents: AgentTimes;
  /** Folder for the checkouts that are made for jobs; nothing in it lasts. */
  readonly workspaces: string;
  /** Folders that jobs find before their PATH. */
  readonly path: readonly string[];
  /** What jobs get of the variables of this machine. */
  readonly host: Readonly<Record<string, string>>;
  /** Called when the processes of a job have ended: what it had locked is free again. */
  readonly onJobEnd?: (jobId: string) => void;
}

/** Milliseconds. */
export interface AgentTimes {
  /** Between two signs of life of an agent; after three without one it is lost. */
  readonly heartbeat: number;
  /** After which a job that no agent has taken is given up. */
  readonly expireAfter: number;
}

export const usualAgentTimes: AgentTimes = {
  heartbeat: 15_000,
  expireAfter: 30 * 24 * 3600 * 1000,
};

export interface EngineState {
  readonly parts: EngineParts;
  readonly slots: readonly Slot[];
  /** The agents beside them that have not gone, by id. */
  readonly sessions: Map<string, Session>;
  /** What scheduled jobs may demand of an agent; more than there is does no harm. */
  readonly demands: Set<string>;
  /** Those of jobs that are new: agents that wait are to be offered them. */
  readonly news: Set<string>;
  /** Ids of the jobs that agents were offered and have not accepted yet. */
  readonly offered: Set<string>;
  /** Looks after the agents while the service runs. */
  sweeping: { stop(): void } | null;
  /** Jobs that run, until their outcomes are written. */
  readonly jobs: Set<Promise<void>>;
  phase: 'new' | 'running' | 'stopping';
  /** Whether free slots are about to be filled. */
  isFillScheduled: boolean;
  /** For those who watch builds. */
  readonly feed: ChangeFeed;
  /** What follows from changes and is still to be done. */
  readonly pending: Pending;
  /** Trigger jobs whose builds are being made. */
  readonly triggering: Set<string>;
  /** The last action that waits its turn, by what it is about. */
  readonly turns: Map<string, Promise<unknown>>;
  /** Why what has happened cannot be written down; null while it can. */
  storageError: string | null;
}

/** Milliseconds until a write is tried again. */
export const retryDelay = 1000;

/** Adds a line to the log of a job, where that can be written. */
export const logLine = ({ parts }: EngineState, jobId: string, line: string): Promise<void> =>
  parts.logs.append(jobId, `${line}\n`).catch(() => undefined);

// One transition of one build: written down, and noted what follows from it.

export type Transition = (tree: Tree) => Tree;

interface Written {
  readonly before: Tree;
  readonly after: Tree;
  readonly changes: readonly JobChange[];
}

/** Throws where the build is not there, and what the transition throws. */
export function change(engine: EngineState, buildId: string, transition: Transition): Tree {
  const written = writeTransition(engine.parts.store, buildId, transition);
  const { before, after, changes } = written;
  engine.storageError = null;
  for (const { before: old, after: job } of changes) {
    if (job.state === 'canceling' && old?.state !== 'canceling')
      engine.slots.find(({ jobId }) => jobId === job.id)?.running?.cancel();
    followJob(engine, after, job);
  }
  followBuild(engine, before, after);
  engine.feed.note(buildId, isOfStates(written) ? changes.map((one) => one.after.id) : null);
  if (listedOf(before.build) !== listedOf(after.build)) noteInLists(engine, after.build);
  return after;
}

/** For those who watch the builds of a pipeline, or the pipelines of an organization. */
export function noteInLists({ feed }: EngineState, build: Build): void {
  feed.note(build.pipelineId, [build.id]);
  feed.note(build.organizationId, [build.pipelineId]);
}

/** What lists show of a build and what changes, in a word. */
const listedOf = ({ state, blocked, startedAt, finishedAt }: Build): string =>
  [state, blocked, startedAt, finishedAt].join();

/** Nothing but the states of jobs has changed: no step, and no job more or less. */
const isOfStates = ({ before, after, changes }: Written): boolean =>
  before.plan === after.plan && changes.every((one) => one.before !== undefined);

const writeTransition = (store: Store, buildId: string, transition: Transition): Written =>
  store.transaction(() => {
    const before = store.builds.tree(buildId);
    if (before === undefined) throw new Error(`there is no build ${buildId}`);
    const after = transition(before);
    const changes = store.builds.update(before, after);
    for (const { before: old, after: job } of changes)
      // Those that run elsewhere have something to send yet (`agents/sweep.ts`).
      if (isDone(job) && old?.agent && old.agent.remote !== true)
        store.accounts.removeTokensOfJob(job.id);
    return { before, after, changes };
  });

// What follows from changes, beyond the build itself: noted here, done soon (`engine-fill.ts`).

/** To be looked at again: that something stands here is no proof that there is something to do. */
interface Pending {
  /** Groups of concurrency in which there may be room, or somebody who wants it. */
  readonly groups: Set<string>;
  /** Ids of trigger jobs that may have to make or cancel their builds, or whose builds have ended. */
  readonly triggers: Set<string>;
}

export const noPending = (): Pending => ({ groups: new Set(), triggers: new Set() });

export function followNew(engine: EngineState, tree: Tree): void {
  for (const job of tree.jobs) followJob(engine, tree, job);
}

export function followJob(
  { pending, demands, news, offered }: EngineState,
  { build, plan }: Tree,
  job: Job,
): void {
  if (job.state !== 'scheduled') offered.delete(job.id);
  else if (job.type === 'script') {
    const demand = demandOf(build, job, plan.steps[job.step]);
    demands.add(demand);
    news.add(demand);
  }
  if (job.type === 'trigger') pending.triggers.add(job.id);
  const group =
    job.state === 'limited' || isDone(job) ? concurrencyGroup(build, plan.steps[job.step]) : null;
  if (group !== null) pending.groups.add(group);
}

/** A build that ends is what the job waits for that made it. */
function followBuild({ pending }: EngineState, before: Tree, { build, plan }: Tree): void {
  if (before.build === build) return;
  if (build.triggeredFrom !== null && build.finishedAt !== null)
    pending.triggers.add(build.triggeredFrom.jobId);
  // A build that waits for a person holds nobody up in its groups.
  if (build.blocked !== before.build.blocked)
    for (const step of plan.steps) {
      const group = concurrencyGroup(build, step);
      if (group !== null) pending.groups.add(group);
    }
}

// Actions about the same thing, one after another.

/** Starts the action when those before it of this name have ended, however they did. */
export async function inTurn<T>(
  turns: Map<string, Promise<unknown>>,
  name: string,
  action: () => Promise<T>,
): Promise<T> {
  const before = turns.get(name) ?? Promise.resolve();
  const done = before.then(action, action);
  turns.set(name, done);
  try {
    return await done;
  } finally {
    if (turns.get(name) === done) turns.delete(name);
  }
}
