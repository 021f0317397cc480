/** The state of the engine, and the transitions of builds. What a wake-up does is in `engine.ts`. */
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
  /** Default: `queue=default`, or every job as long as no other agent is connected. */
  readonly tags?: readonly string[] | undefined;
  readonly agents: AgentTimes;
  /** Directory for the checkouts of jobs; emptied at the start. */
  readonly workspaces: string;
  /** Directories that jobs get at the start of their PATH. */
  readonly path: readonly string[];
  /** The variables of this machine that jobs get. */
  readonly host: Readonly<Record<string, string>>;
  /** Called when the processes of a job have ended: the locks that it held are free again. */
  readonly onJobEnd?: (jobId: string) => void;
}

/** Milliseconds. */
export interface AgentTimes {
  /** Interval of the heartbeats of an agent; after three missed ones it is lost. */
  readonly heartbeat: number;
  /** After this time, a job that no agent has taken expires. */
  readonly expireAfter: number;
}

export const usualAgentTimes: AgentTimes = {
  heartbeat: 15_000,
  expireAfter: 30 * 24 * 3600 * 1000,
};

/** An agent of this service, which runs one job at a time. */
export interface Slot {
  readonly agent: Agent;
  /** Null while the slot is idle. */
  jobId: string | null;
  /** Organization of that job. */
  organizationId: string | null;
  /** The process of the job; null while it is being prepared. */
  running: Running | null;
}

/** Another agent that is registered, and what is known of it while the service runs. */
export interface Session {
  agent: RemoteAgent;
  job: {
    readonly id: string;
    readonly buildId: string;
    readonly organizationId: string;
    /** When the job times out; null without a limit, or before the job has begun. */
    deadline: number | null;
    /** Since when the agent has pinged as if it had no job, while the job was silent. */
    unclaimedSince: number | null;
  } | null;
  /** The job that the agent was offered and has not accepted yet. */
  offer: {
    readonly jobId: string;
    readonly buildId: string;
    readonly demand: string;
    readonly at: number;
  } | null;
  /** Answers the open ping of the agent. */
  ping: ((response: PingResponse) => void) | null;
  /** Time of the last request of the agent or its job. */
  lastSeenAt: number;
}

/** Empty if there is nothing to do. */
export interface PingResponse {
  readonly job?: { readonly id: string };
  readonly action?: 'disconnect' | 'pause';
  /** A line for the log of the agent. */
  readonly message?: string;
}

export const newSession = (agent: RemoteAgent, at: number): Session => ({
  ...{ agent, job: null, offer: null, ping: null, lastSeenAt: at },
});

/** Milliseconds until a failed write is retried. */
export const retryDelay = 1000;

export class EngineState {
  readonly parts: EngineParts;
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  phase: 'new' | 'running' | 'stopping' = 'new';
  /** Why changes cannot be written; null if they can. Retried until it works. */
  storageError: string | null = null;
  readonly feed = createChangeFeed(() => systemClock.now());
  readonly slots: readonly Slot[];
  /** Jobs that run in slots, and builds that are being triggered, until the result is written. */
  readonly jobs = new Set<Promise<void>>();
  /** Concurrency groups to check: one may have room, or a new job that needs it. */
  readonly pendingGroups = new Set<string>();
  /** IDs of trigger jobs to check: to start or cancel their builds, or because those have finished. */
  readonly pendingTriggers = new Set<string>();
  readonly triggering = new Set<string>();
  /** Agents other than the slots that are not disconnected, by ID. */
  readonly sessions = new Map<string, Session>();
  /** The demands that scheduled jobs may have; stale ones do no harm. */
  readonly demands = new Set<string>();
  /** The demands of new jobs, which waiting agents have not been offered yet. */
  readonly news = new Set<string>();
  /** IDs of the jobs that agents were offered and have not accepted yet. */
  readonly offered = new Set<string>();
  /** The last action of each name in `inTurn`. */
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
      if (before === undefined) throw new Error(`there is no build ${buildId}`);
      const after = transition(before);
      const changes: readonly JobChange[] = store.builds.update(before, after);
      for (const { before: old, after: job } of changes)
        // Other agents still send the end of the log: `agents/sweep.ts` removes their tokens later.
        if (isDone(job) && old?.agent && old.agent.remote !== true)
          store.accounts.removeTokensOfJob(job.id);
      return { before, after, changes };
    });
  }

  /** Remembers what a new or changed job may lead to, for the next wake-up. */
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
    // A blocked build does not delay others in its groups.
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

  /** Acts on what has changed: soon, so that the client that made a build gets its response first. */
  wake(): void {
    if (this.#isAwake || this.phase !== 'running') return;
    this.#isAwake = true;
    setImmediate(() => {
      try {
        if (this.phase === 'running') this.#onWake(this);
      } catch (error) {
        // The disk may be full: scheduled jobs stay scheduled for now.
        if (isStorageError(error)) this.storageError = error.message;
        startTimer(retryDelay, () => this.wake(), { keepsProcess: false });
      } finally {
        this.#isAwake = false;
      }
    });
  }

  /** Runs the action once all earlier ones of this name have ended, even if they failed. */
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

/** The values of a build that lists show and that change. */
const listedText = ({ state, blocked, startedAt, finishedAt }: Build): string =>
  [state, blocked, startedAt, finishedAt].join();
