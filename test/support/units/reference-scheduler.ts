/**
 * A simple scheduler that follows the rules literally and evaluates everything after each event. It
 * is slow and shares no code with the real one.
 */
import type { AutomaticRetry, Dependency, Step } from '../../../src/service/pipeline/plan.ts';
import type { JobState } from '../../../src/service/domain/records.ts';

interface State {
  state: JobState;
  soft: boolean;
  started: boolean;
  runs: number;
  /** The number of retries by each rule. */
  readonly retried: Map<AutomaticRetry, number>;
}

export interface Reference {
  readonly states: readonly JobState[];
  readonly build: string;
  readonly executions: number;
  start(step: number): void;
  finish(step: number, exitStatus: number): void;
  unblock(step: number): void;
  admit(step: number): void;
  trigger(step: number): void;
  triggered(step: number, passed: boolean): void;
  retry(step: number): void;
  cancelStep(step: number): void;
  cancelBuild(): void;
}

const over: readonly JobState[] = [
  ...(['passed', 'unblocked', 'skipped', 'broken', 'failed', 'timed_out', 'canceled'] as const),
  ...(['waiting_failed', 'blocked_failed'] as const),
];
const good: readonly JobState[] = ['passed', 'unblocked', 'skipped', 'broken'];

/** Everything in a build of these steps that the real scheduler must agree with. */
export function reference(steps: readonly Step[]): Reference {
  const all: State[] = steps.map(({ omitted }) => ({
    state: omitted?.state ?? 'waiting',
    ...{ soft: false, started: false, runs: 1, retried: new Map() },
  }));
  let ended: 'canceling' | null = null;
  const at = (step: number): State => all[step] ?? missing(step);

  const isOver = (step: number): boolean => over.includes(at(step).state);
  const isGood = (step: number): boolean =>
    good.includes(at(step).state) || (isOver(step) && at(step).soft);

  /** The steps that must finish before this one, and whether they may have failed. */
  function conditions(index: number): { step: number; mayFail: boolean }[] {
    const step = steps[index] ?? missing(index);
    const groupNeeds = step.group?.dependsOn ?? null;
    const named = (wanted: readonly Dependency[]) =>
      wanted.flatMap(({ step: key, allowFailure }) =>
        [...steps.keys()]
          .filter((other) => steps[other]?.key === key || steps[other]?.group?.key === key)
          .map((other) => ({ step: other, mayFail: allowFailure || step.allowDependencyFailure })),
      );
    const asked = [...named(step.dependsOn ?? []), ...named(groupNeeds ?? [])];
    // Steps with explicit dependencies are independent of the file order.
    if (step.dependsOn !== null) return asked;
    const before = [...steps.keys()]
      .slice(0, index)
      .filter(
        (other) =>
          groupNeeds === null || steps[other]?.group?.definition === step.group?.definition,
      );
    // Every earlier gate must be passed.
    for (const other of before) if (isGate(other)) asked.push({ step: other, mayFail: false });
    // A wait step waits for everything before it, and may continue after failures. A block step
    // only waits for the gate before it.
    if (isGate(index)) {
      const mayFail = step.type === 'wait' && step.continueOnFailure;
      const last =
        step.type === 'block' ? before.findLastIndex((one) => isGateOf(one, groupNeeds)) : 0;
      asked.push(...before.slice(Math.max(last, 0)).map((other) => ({ step: other, mayFail })));
    }
    return asked;
  }

  /** Whether it is a gate in the order of the file, or of a group with its own dependencies. */
  const isGateOf = (index: number, groupNeeds: readonly Dependency[] | null): boolean =>
    isGate(index) &&
    steps[index]?.dependsOn === null &&
    (groupNeeds !== null || (steps[index].group?.dependsOn ?? null) === null);

  const isGate = (index: number): boolean => {
    const step = steps[index];
    return step?.omitted === null && (step.type === 'wait' || step.type === 'block');
  };

  function look(index: number): boolean {
    const one = at(index);
    if (!['waiting', 'waiting_failed', 'blocked_failed'].includes(one.state)) return false;
    const step = steps[index] ?? missing(index);
    const needed = conditions(index);
    const before = one.state;
    if (needed.some((need) => !need.mayFail && isOver(need.step) && !isGood(need.step)))
      one.state =
        step.type === 'block' || step.type === 'input' ? 'blocked_failed' : 'waiting_failed';
    else if (!needed.every((need) => isOver(need.step))) one.state = 'waiting';
    else if (step.type === 'wait') one.state = 'passed';
    else if (step.type === 'block' || step.type === 'input') one.state = 'blocked';
    else one.state = step.type === 'command' && step.concurrency !== null ? 'limited' : 'scheduled';
    return one.state !== before;
  }

  function lookAtAll(): void {
    if (ended !== null) return;
    while ([...steps.keys()].map(look).includes(true));
    const isFailing = all.some(
      ({ state, soft }) => (state === 'failed' || state === 'timed_out') && !soft,
    );
    const canceled = [...steps.keys()].filter((index) => {
      const step = steps[index];
      const isAsked = step?.type === 'command' && step.cancelOnBuildFailing;
      return isAsked && isFailing && !isOver(index) && at(index).state !== 'canceling';
    });
    canceled.forEach(cancel);
    while ([...steps.keys()].map(look).includes(true));
  }

  function cancel(index: number): void {
    const one = at(index);
    if (isOver(index) || one.state === 'canceling') return;
    const hasProcess = one.state === 'running' && steps[index]?.type === 'command';
    one.state = hasProcess ? 'canceling' : 'canceled';
    if (one.state === 'canceled') one.soft = false;
  }

  const run = (index: number): void => {
    Object.assign(at(index), { state: 'waiting', soft: false, runs: at(index).runs + 1 });
  };

  function finish(index: number, exitStatus: number): void {
    const one = at(index);
    const step = steps[index];
    if (step?.type !== 'command') return;
    if (one.state === 'canceling') one.state = 'canceled';
    else if (exitStatus === 0) one.state = 'passed';
    else {
      const rule = step.retry.automatic.find(
        (each) => each.exitStatus === '*' || each.exitStatus.includes(exitStatus),
      );
      const used = rule === undefined ? 0 : (one.retried.get(rule) ?? 0);
      if (rule !== undefined && used < rule.limit) {
        one.retried.set(rule, used + 1);
        run(index);
      } else {
        one.state = 'failed';
        one.soft =
          step.softFail === true || (step.softFail !== false && step.softFail.includes(exitStatus));
      }
    }
    lookAtAll();
  }

  function buildState(): string {
    const states = all.map(({ state }) => state);
    const goesOn = states.some((state) =>
      ['limited', 'scheduled', 'running', 'canceling'].includes(state),
    );
    if (ended !== null) return goesOn ? 'canceling' : 'canceled';
    const hasFailed = all.some(
      ({ state, soft }) => ['failed', 'timed_out', 'canceled'].includes(state) && !soft,
    );
    if (goesOn) {
      if (hasFailed) return 'failing';
      return all.some(({ started }) => started) ? 'running' : 'scheduled';
    }
    const waiting = states.indexOf('blocked');
    if (waiting >= 0) {
      const step = steps[waiting];
      const asked = step?.type === 'block' || step?.type === 'input' ? step.blockedState : '';
      return `${hasFailed ? 'failed' : asked} blocked`;
    }
    const ran = [...steps.keys()].filter(
      (index) => steps[index]?.type !== 'wait' && steps[index]?.omitted === null,
    );
    if (ran.length === 0 && steps.some(({ omitted }) => omitted !== null)) return 'not_run';
    return hasFailed ? 'failed' : 'passed';
  }

  const set = (index: number, state: JobState, members: Partial<State> = {}): void => {
    Object.assign(at(index), { state }, members);
    lookAtAll();
  };

  lookAtAll();
  return {
    get states() {
      return all.map(({ state }) => state);
    },
    get build() {
      return buildState();
    },
    get executions() {
      return all.reduce((sum, { runs }) => sum + runs, 0);
    },
    start: (index) => set(index, 'running', { started: true }),
    finish,
    unblock: (index) => set(index, 'unblocked'),
    admit: (index) => set(index, 'scheduled'),
    trigger: (index) => {
      const step = steps[index];
      set(index, step?.type === 'trigger' && step.async ? 'passed' : 'running', { started: true });
    },
    triggered: (index, passed) => {
      const step = steps[index];
      const soft = !passed && step?.type === 'trigger' && step.softFail === true;
      set(index, passed ? 'passed' : 'failed', { soft });
    },
    retry: (index) => {
      run(index);
      lookAtAll();
    },
    cancelStep: (index) => {
      const { definition } = steps[index] ?? missing(index);
      for (const other of steps.keys()) if (steps[other]?.definition === definition) cancel(other);
      lookAtAll();
    },
    cancelBuild: () => {
      for (const index of steps.keys()) cancel(index);
      ended = 'canceling';
    },
  };
}

function missing(step: number): never {
  throw new Error(`no step ${step}`);
}
