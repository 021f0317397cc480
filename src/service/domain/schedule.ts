/**
 * An index of the jobs in a tree: the number of open dependencies of each step, and the number of
 * jobs in each group of states. After a change, only the steps that depend on it are updated.
 */
import {
  hasFailed,
  isActive,
  isDone,
  isFailing,
  isFine,
  isHardFailure,
  isOmitted,
} from './job-states.ts';
import { jobsNow, tokenOf } from './job-list.ts';
import type { Job, Tree } from './records.ts';
import type { Plan } from '../pipeline/plan.ts';
import { needsOf, type StepList } from './needs.ts';

export interface Schedule {
  readonly graph: Graph;
  /** The latest attempt of each step. */
  readonly current: Job[];
  /** The step of each job, by job ID. */
  readonly stepOf: Map<string, number>;
  /** For each set of steps, the number of unfinished steps and the number of failed steps. */
  readonly openIn: Int32Array;
  readonly badIn: Int32Array;
  /** For each step, how many of the sets it depends on are unfinished, and how many have failed. */
  readonly openFor: Int32Array;
  readonly badFor: Int32Array;
  readonly counts: Counts;
  /** Steps whose state must be recomputed. */
  readonly queue: number[];
  readonly changed: Set<number>;
  /** Number of updates to steps and sets since the schedule was created, for performance tests. */
  touched: number;
}

/** Counts over the latest attempts of all steps. */
interface Counts {
  active: number;
  /** Jobs that failed on their own, not because of a dependency. */
  failed: number;
  /** Jobs whose failure fails the build. */
  hard: number;
  omitted: number;
  /** Wait steps that are not omitted. */
  waiters: number;
  /** Whether any job has ever started. */
  hasStarted: boolean;
  readonly blocked: Set<number>;
  /** Unfinished steps that a failing build cancels. */
  readonly cancelable: Set<number>;
}

/** Keys are the tokens that identify the versions of job lists. */
const knownSchedules = new WeakMap<object, Schedule>();

export function scheduleOf(tree: Tree): Schedule {
  const schedule = find(tree) ?? makeSchedule(tree);
  knownSchedules.set(tokenOf(tree), schedule);
  return schedule;
}

/** Removes the schedule from a tree. The caller updates it and attaches it to the next tree. */
export function takeSchedule(tree: Tree): Schedule {
  const schedule = find(tree) ?? makeSchedule(tree);
  knownSchedules.delete(tokenOf(tree));
  return schedule;
}

export function giveSchedule(tree: Tree, schedule: Schedule): void {
  schedule.changed.clear();
  knownSchedules.set(tokenOf(tree), schedule);
}

function find(tree: Tree): Schedule | undefined {
  const schedule = knownSchedules.get(tokenOf(tree));
  return schedule?.graph === graphOf(tree.plan) ? schedule : undefined;
}

/** Replaces the latest attempt of a step. */
export function put(schedule: Schedule, tree: Tree, job: Job): void {
  const before = schedule.current[job.step];
  schedule.current[job.step] = job;
  schedule.stepOf.set(job.id, job.step);
  schedule.changed.add(job.step);
  if (job.state === 'waiting') schedule.queue.push(job.step);
  if (before !== undefined) count(schedule, tree, before, -1);
  count(schedule, tree, job, 1);
  const open = Number(!isDone(job)) - Number(before !== undefined && !isDone(before));
  const bad = Number(isBad(job)) - Number(before !== undefined && isBad(before));
  if (open === 0 && bad === 0) return;
  for (const set of schedule.graph.setsOf[job.step] ?? []) shift(schedule, set, open, bad);
}

const isBad = (job: Job): boolean => isDone(job) && !isFine(job);

/** Updates a set and then the sets that contain it. Stops at a set whose state does not change. */
function shift(schedule: Schedule, first: number, open: number, bad: number): void {
  const { openIn, badIn, openFor, badFor, graph, queue } = schedule;
  let opened = open;
  let worsened = bad;
  for (let number: number | null = first; number !== null;) {
    const set: StepSet | undefined = graph.sets[number];
    opened = add(openIn, number, opened);
    worsened = add(badIn, number, worsened);
    schedule.touched++;
    if (opened === 0 && worsened === 0) return;
    for (const { step, allowFailure } of set?.dependents ?? []) {
      add(openFor, step, opened);
      if (!allowFailure) add(badFor, step, worsened);
      queue.push(step);
      schedule.touched++;
    }
    number = set?.whole ?? null;
  }
}

/** Adds to a counter. Returns 1 if it became positive, -1 if it became 0, and otherwise 0. */
function add(counters: Int32Array, index: number, difference: number): number {
  const before = counters[index] ?? 0;
  const after = before + difference;
  counters[index] = after;
  return Number(after > 0) - Number(before > 0);
}

function count({ counts }: Schedule, { plan }: Tree, job: Job, sign: 1 | -1): void {
  counts.active += sign * Number(isActive(job));
  counts.failed += sign * Number(hasFailed(job) || isFailing(job));
  counts.hard += sign * Number(isHardFailure(job) || isFailing(job));
  counts.omitted += sign * Number(isOmitted(job));
  counts.waiters += sign * Number(job.type === 'waiter' && !isOmitted(job));
  counts.hasStarted ||= job.startedAt !== null;
  mark(counts.blocked, job.step, sign === 1 && job.state === 'blocked');
  const step = plan.steps[job.step];
  if (step?.type === 'command' && step.cancelOnBuildFailing)
    mark(counts.cancelable, job.step, sign === 1 && isCancelable(job));
}

/** A job whose own failure made the build fail is not canceled. */
const isCancelable = (job: Job): boolean =>
  !isDone(job) && job.state !== 'canceling' && !isFailing(job);

function mark(steps: Set<number>, step: number, isIn: boolean): void {
  if (isIn) steps.add(step);
  else steps.delete(step);
}

function makeSchedule(tree: Tree): Schedule {
  const graph = graphOf(tree.plan);
  const { size, sets } = graph;
  const jobs = jobsNow(tree);
  const schedule: Schedule = {
    graph,
    current: [],
    stepOf: new Map(),
    openIn: new Int32Array(sets.length),
    badIn: new Int32Array(sets.length),
    openFor: new Int32Array(size),
    badFor: new Int32Array(size),
    counts: {
      active: 0,
      failed: 0,
      hard: 0,
      omitted: 0,
      waiters: 0,
      hasStarted: jobs.some(({ startedAt }) => startedAt !== null),
      blocked: new Set(),
      cancelable: new Set(),
    },
    queue: [],
    changed: new Set(),
    touched: 0,
  };
  for (const job of jobs) {
    schedule.stepOf.set(job.id, job.step);
    if (job.retriedInJobId === null) put(schedule, tree, job);
  }
  schedule.changed.clear();
  schedule.queue.length = 0;
  for (let step = 0; step < size; step++) schedule.queue.push(step);
  return schedule;
}

/** The dependencies of a plan, from each step to the steps that need it. */
interface Graph {
  readonly size: number;
  readonly sets: readonly StepSet[];
  /** For each step: the sets that it belongs to. */
  readonly setsOf: readonly (readonly number[])[];
}

/** A list of steps that other steps depend on. */
interface StepSet {
  readonly dependents: readonly Dependent[];
  /** Number of the set that contains this set, if any. */
  readonly whole: number | null;
}

interface Dependent {
  readonly step: number;
  readonly allowFailure: boolean;
}

const knownGraphs = new WeakMap<Plan['steps'], Graph>();

/** Cached per list of steps. Takes time linear in the file size, even if many jobs share a key. */
export function graphOf({ steps }: Pick<Plan, 'steps'>): Graph {
  const graph = knownGraphs.get(steps) ?? makeGraph(steps);
  knownGraphs.set(steps, graph);
  return graph;
}

/** Replaces the steps with other steps that have the same dependencies, and reuses the graph. */
export function withSteps(plan: Plan, steps: Plan['steps']): Plan {
  knownGraphs.set(steps, graphOf(plan));
  return { ...plan, steps };
}

function makeGraph(steps: Plan['steps']): Graph {
  const numbers = new Map<StepList, number>();
  const sets: { dependents: Dependent[]; whole: number | null }[] = [];
  const setsOf = steps.map((): number[] => []);
  const addSet = (list: StepList): number => {
    const number = sets.push({ dependents: [], whole: null }) - 1;
    numbers.set(list, number);
    for (const member of list.steps) setsOf[member]?.push(number);
    return number;
  };
  const numberOf = (list: StepList): number => {
    const number = numbers.get(list) ?? addSet(list);
    let whole = number;
    for (let part = list.earlier; part !== null; part = part.earlier) {
      const before = numbers.get(part);
      const set = before ?? addSet(part);
      sets[set] = { dependents: sets[set]?.dependents ?? [], whole };
      // If this list was seen before, the earlier lists that it contains are already linked.
      if (before !== undefined) break;
      whole = set;
    }
    return number;
  };
  for (const [step, needs] of needsOf(steps).entries())
    for (const { list, allowFailure } of needs)
      sets[numberOf(list)]?.dependents.push({ step, allowFailure });
  return { size: steps.length, sets, setsOf };
}
