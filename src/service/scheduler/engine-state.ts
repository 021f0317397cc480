/**
 * The state of the engine, with functions that change builds. `engine.ts` reacts to the changes.
 */
import { startTimer, systemClock, type Clock } from '../../common/clock.ts';
import { demandOf, type RemoteAgent } from '../domain/agents.ts';
import { isDone } from '../domain/job-states.ts';
import type { JobChange } from '../domain/job-list.ts';
import type { Agent, Build, Job, Tree } from '../domain/records.ts';
import type { Runner, Running } from '../runner-port.ts';
import { isStorageError } from '../store/database.ts';
import type { LogPieces, Logs } from '../store/logs.ts';
import type { Store } from '../store/store.ts';
import { concurrencyGroup } from '../store/tables/jobs.ts';
import type { Urls } from '../urls.ts';
import { createChangeFeed } from './change-feed.ts';

export interface EngineParts {
  readonly store: Store;
  readonly logs: Logs;
  readonly logPieces: LogPieces;
  readonly urls: Urls;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly runner: Runner;
  readonly slots: number;
  /** Slots without tags take jobs for `queue=default`, or any job while no agent is connected. */
  readonly tags?: readonly string[] | undefined;
  readonly agents: AgentTimes;
  /** Directory for job checkouts. It is emptied when the service starts. */
  readonly workspaces: string;
  /** Directories to put at the start of each job's PATH. */
  readonly path: readonly string[];
  /** Host variables that jobs inherit. */
  readonly host: Readonly<Record<string, string>>;
  /** Called when the processes of a job have ended, to release its locks. */
  readonly onJobEnd?: (jobId: string) => void;
}

/** All times are in milliseconds. */
export interface AgentTimes {
  /** Expected interval between heartbeats. An agent is lost after three missed heartbeats. */
  readonly heartbeat: number;
  /** A job expires if no agent has taken it after this time. */
  readonly expireAfter: number;
}

export const usualAgentTimes: AgentTimes = {
  heartbeat: 15_000,
  expireAfter: 30 * 24 * 3600 * 1000,
};

/** One of the service's own agents. It runs one job at a time. */
export interface Slot {
  readonly agent: Agent;
  /** Null while the slot is idle. */
  jobId: string | null;
  /** The organization of the job in the slot. */
  organizationId: string | null;
  /** The running job; null while it is being prepared. */
  running: Running | null;
}

/** A registered agent other than a slot, with state that is only kept in memory. */
export interface Session {
  agent: RemoteAgent;
  job: {
    readonly id: string;
    readonly buildId: string;
    readonly organizationId: string;
    /** When the job times out; null if there is no limit or the job has not started. */
    deadline: number | null;
    /** When the agent began to ping as if it were idle while its job sent no requests. */
    unclaimedSince: number | null;
  } | null;
  /** The job that is offered to the agent but not accepted yet. */
  offer: {
    readonly jobId: string;
    readonly buildId: string;
    readonly demand: string;
    readonly at: number;
  } | null;
  /** Sends the response to the agent's open ping. */
  ping: ((response: PingResponse) => void) | null;
  /** When the agent or its job last sent a request. */
  lastSeenAt: number;
}

/** Empty if the agent has nothing to do. */
export interface PingResponse {
  readonly job?: { readonly id: string };
  readonly action?: 'disconnect' | 'pause';
  /** A line that the agent prints to its own log. */
  readonly message?: string;
}

export const newSession = (agent: RemoteAgent, at: number): Session => ({
  ...{ agent, job: null, offer: null, ping: null, lastSeenAt: at },
});

/** Milliseconds before a failed write is retried. */
export const retryDelay = 1000;

export class EngineState {
  readonly parts: EngineParts;
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  phase: 'new' | 'running' | 'stopping' = 'new';
  /** Why changes cannot be written; null if they can. Failed writes are retried. */
  storageError: string | null = null;
  readonly feed = createChangeFeed(() => systemClock.now());
  readonly slots: readonly Slot[];
  /** Jobs in slots, and trigger jobs that are creating builds, until their results are written. */
  readonly jobs = new Set<Promise<void>>();
  /** Concurrency groups to check, because a job has finished or was added. */
  readonly pendingGroups = new Set<string>();
  /** IDs of trigger jobs whose build must be created or canceled, or has finished. */
  readonly pendingTriggers = new Set<string>();
  readonly triggering = new Set<string>();
  /** All agents by ID, except slots and disconnected agents. */
  readonly sessions = new Map<string, Session>();
  /** Demands of scheduled jobs. May contain demands of jobs that are no longer scheduled. */
  readonly demands = new Set<string>();
  /** Demands of new jobs that must still be offered to waiting agents. */
  readonly news = new Set<string>();
  /** IDs of jobs that are offered to agents but not accepted yet. */
  readonly offered = new Set<string>();
  /** The last action that `inTurn` has queued for each name. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #onWake: (engine: EngineState) => void;
  #isAwake = false;

  constructor(parts: EngineParts, onWake: (engine: EngineState) => void) {
    this.parts = parts;
    this.store = parts.store;
    this.clock = parts.clock;
    this.#onWake = onWake;
    const createdAt = parts.clock.now();
    this.slots = Array.from({ length: parts.slots }, (_, index) => ({
      agent: { id: parts.newId(), name: `local-${index + 1}`, createdAt },
      ...{ jobId: null, organizationId: null, running: null },
    }));
  }

  add(tree: Tree): Tree {
    this.store.builds.add(tree);
    for (const job of tree.jobs) this.follow(tree, job);
    this.#noteInLists(tree.build);
    this.wake();
    return tree;
  }

  change(buildId: string, transition: (tree: Tree) => Tree): Tree {
    const { before, after, changes } = this.#write(buildId, transition);
    this.storageError = null;
    for (const { before: old, after: job } of changes) {
      if (job.state === 'canceling' && old?.state !== 'canceling')
        this.slots.find(({ jobId }) => jobId === job.id)?.running?.cancel();
      this.follow(after, job);
    }
    this.#followBuild(before.build, after);
    const onlyStates = before.plan === after.plan && changes.every((one) => one.before);
    this.feed.note(buildId, onlyStates ? changes.map((one) => one.after.id) : null);
    if (listedText(before.build) !== listedText(after.build)) this.#noteInLists(after.build);
    this.wake();
    return after;
  }

  #write(buildId: string, transition: (tree: Tree) => Tree) {
    const { store } = this;
    return store.transaction(() => {
      const before = store.builds.tree(buildId);
      if (before === undefined) throw new Error(`build ${buildId} does not exist`);
      const after = transition(before);
      const changes: readonly JobChange[] = store.builds.update(before, after);
      for (const { before: old, after: job } of changes)
        // Remote agents may still send log output, so `agents/sweep.ts` removes their tokens later.
        if (isDone(job) && old?.agent && old.agent.remote !== true)
          store.accounts.removeTokensOfJob(job.id);
      return { before, after, changes };
    });
  }

  /** Records what to check at the next wake-up after a job was added or changed. */
  follow({ build, plan }: Tree, job: Job): void {
    if (job.state !== 'scheduled') this.offered.delete(job.id);
    else if (job.type === 'script') {
      const demand = demandOf(build, job, plan.steps[job.step]);
      this.demands.add(demand);
      this.news.add(demand);
    }
    if (job.type === 'trigger') this.pendingTriggers.add(job.id);
    const group =
      job.state === 'limited' || isDone(job) ? concurrencyGroup(build, plan.steps[job.step]) : null;
    if (group !== null) this.pendingGroups.add(group);
  }

  #followBuild(before: Build, { build, plan }: Tree): void {
    if (before === build) return;
    if (build.triggeredFrom !== null && build.finishedAt !== null)
      this.pendingTriggers.add(build.triggeredFrom.jobId);
    // While a build is blocked, it does not hold up other builds in its concurrency groups.
    if (build.blocked !== before.blocked)
      for (const step of plan.steps) {
        const group = concurrencyGroup(build, step);
        if (group !== null) this.pendingGroups.add(group);
      }
  }

  #noteInLists({ id, pipelineId, organizationId }: Build): void {
    this.feed.note(pipelineId, [id]);
    this.feed.note(organizationId, [pipelineId]);
  }

  /** Schedules a check of all recorded changes. It runs after the response to the client. */
  wake(): void {
    if (this.#isAwake || this.phase !== 'running') return;
    this.#isAwake = true;
    setImmediate(() => {
      try {
        if (this.phase === 'running') this.#onWake(this);
      } catch (error) {
        // The disk may be full. Scheduled jobs then have to wait.
        if (isStorageError(error)) this.storageError = error.message;
        startTimer(retryDelay, () => this.wake(), { keepsProcess: false });
      } finally {
        this.#isAwake = false;
      }
    });
  }

  /** Runs the action after all earlier actions with the same name have settled. */
  async inTurn<T>(name: string, action: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(name) ?? Promise.resolve();
    const done = before.then(action, action);
    this.#turns.set(name, done);
    try {
      return await done;
    } finally {
      if (this.#turns.get(name) === done) this.#turns.delete(name);
    }
  }

  logLine(jobId: string, line: string): Promise<void> {
    return this.parts.logs.append(jobId, `${line}\n`).catch(() => undefined);
  }
}

/** The fields of a build that are shown in lists and can change. */
const listedText = ({ state, blocked, startedAt, finishedAt }: Build): string =>
  [state, blocked, startedAt, finishedAt].join();
