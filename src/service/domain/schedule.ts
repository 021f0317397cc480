/**
 * What is known of the jobs of a tree beside the jobs themselves: how much of what each step needs is
 * still open, and how many jobs count for what in their build. A change touches the steps that need
 * what has changed, and no others.
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
  /** By step: its newest execution. */
  readonly current: Job[];
  /** By id of a job: its step. */
  readonly stepOf: Map<string, number>;
  /** By set: its steps that are open, and those that have ended badly. */
  readonly openIn: Int32Array;
  readonly badIn: Int32Array;
  /** By step: the sets that it waits for, and those whose failure it cannot stand. */
  readonly openFor: Int32Array;
  readonly badFor: Int32Array;
  readonly counts: Counts;
  /** Steps to look at, in the order of the file where many are. */
  readonly queue: number[];
  /** Steps whose job has changed since the tree. */
  readonly changed: Set<number>;
  /** How many steps and sets were touched since it was made: what its changes cost. */
  touched: number;
}

/** How many newest executions count for what. */
interface Counts {
  active: number;
  /** Those that failed by themselves. */
  failed: number;
  /** Those that fail the build. */
  hard: number;
  omitted: number;
  /** Waits, which run nothing; not those that are left out. */
  waiters: number;
  /** Whether any job has ever started. */
  hasStarted: boolean;
  /** Steps that wait for a person. */
  readonly blocked: Set<number>;
  /** Steps that a failing build cancels, where they are not over. */
  readonly cancelable: Set<number>;
}

/** By what stands for the jobs of a tree. */
const knownSchedules = new WeakMap<object, Schedule>();

/** The schedule of a tree, to read. */
export function scheduleOf(tree: Tree): Schedule {
  const schedule = find(tree) ?? makeSchedule(tree);
  knownSchedules.set(tokenOf(tree), schedule);
  return schedule;
}

/**
 * The schedule of a tree, to change: the tree has none any more, so that it is made anew where the
 * change comes to nothing. Whoever takes it gives it to the next tree.
 */
export function takeSchedule(tree: Tree): Schedule {
  const schedule = find(tree) ?? makeSchedule(tree);
  knownSchedules.delete(tokenOf(tree));
  return schedule;
}

export function giveSchedule(tree: Tree, schedule: Schedule): void {
  schedule.changed.clear();
  knownSchedules.set(tokenOf(tree), schedule);
}

const find = (tree: Tree): Schedule | undefined => {
  const schedule = knownSchedules.get(tokenOf(tree));
  return schedule?.graph === graphOf(tree.plan) ? schedule : undefined;
};

/** Puts the newest execution of a step in the place of the one before. */
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

/**
 * The steps that need a set, and the set that it is a part of, hear of it only where it becomes open
 * or over, bad or good again.
 */
function shift(schedule: Schedule, first: number, open: number, bad: number): void {
  const { openIn, badIn, graph } = schedule;
  let opened = open;
  let worsened = bad;
  for (let set: number | null = first; set !== null; set = graph.sets[set]?.whole ?? null) {
    opened = add(openIn, set, opened);
    worsened = add(badIn, set, worsened);
    schedule.touched++;
    if (opened === 0 && worsened === 0) return;
    notify(schedule, set, opened, worsened);
  }
}

function notify(schedule: Schedule, set: number, opened: number, worsened: number): void {
  const { openFor, badFor, graph, queue } = schedule;
  for (const { step, allowFailure } of graph.sets[set]?.dependents ?? []) {
    add(openFor, step, opened);
    if (!allowFailure) add(badFor, step, worsened);
    queue.push(step);
    schedule.touched++;
  }
}

/** Adds to a counter: 1 where it has left 0, -1 where it has come back, else 0. */
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

/** What fails the build itself is left to its end. */
const isCancelable = (job: Job): boolean =>
  !isDone(job) && job.state !== 'canceling' && !isFailing(job);

function mark(steps: Set<number>, step: number, isIn: boolean): void {
  if (isIn) steps.add(step);
  else steps.delete(step);
}

/** All steps are to be looked at: nobody knows what has been. */
function makeSchedule(tree: Tree): Schedule {
  const graph = graphOf(tree.plan);
  const schedule: Schedule = {
    graph,
    current: [],
    stepOf: new Map(),
    openIn: new Int32Array(graph.sets.length),
    badIn: new Int32Array(graph.sets.length),
    openFor: new Int32Array(graph.needs.length),
    badFor: new Int32Array(graph.needs.length),
    counts: newCounts(tree),
    queue: [],
    changed: new Set(),
    touched: 0,
  };
  for (const job of jobsNow(tree)) {
    schedule.stepOf.set(job.id, job.step);
    if (job.retriedInJobId === null) put(schedule, tree, job);
  }
  schedule.changed.clear();
  schedule.queue.length = 0;
  graph.needs.forEach((_, step) => schedule.queue.push(step));
  return schedule;
}

const newCounts = (tree: Tree): Counts => ({
  active: 0,
  failed: 0,
  hard: 0,
  omitted: 0,
  waiters: 0,
  hasStarted: jobsNow(tree).some(({ startedAt }) => startedAt !== null),
  blocked: new Set(),
  cancelable: new Set(),
});

// The dependencies of a plan in the form in which changes run along them.

interface Graph {
  /** Sets of steps that others need as a whole. */
  readonly sets: readonly StepSet[];
  /** By step: the numbers of the sets that it belongs to. */
  readonly setsOf: readonly (readonly number[])[];
  /** By step: the numbers of the sets that it needs. */
  readonly needs: readonly (readonly SetNeed[])[];
}

interface StepSet {
  /** The steps that need it. */
  readonly dependents: readonly Dependent[];
  /** The set that it is a part of, as if it were one of its steps. */
  readonly whole: number | null;
}

interface SetNeed {
  readonly set: number;
  readonly allowFailure: boolean;
}

interface Dependent {
  readonly step: number;
  readonly allowFailure: boolean;
}

const knownGraphs = new WeakMap<Plan['steps'], Graph>();

/** Computed once per list of steps. Its size is that of the file, however many jobs share a key. */
export function graphOf({ steps }: Pick<Plan, 'steps'>): Graph {
  const graph = knownGraphs.get(steps) ?? makeGraph(steps);
  knownGraphs.set(steps, graph);
  return graph;
}

/** The plan with steps whose dependencies are those of `plan`: its graph is not computed again. */
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
      // What is earlier than a set that was there already belongs to it.
      if (before !== undefined) break;
      whole = set;
    }
    return number;
  };
  const needs = needsOf(steps).map((needed, step) =>
    needed.map(({ list, allowFailure }) => {
      const set = numberOf(list);
      sets[set]?.dependents.push({ step, allowFailure });
      return { set, allowFailure };
    }),
  );
  return { sets, setsOf, needs };
}
