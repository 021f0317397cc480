/** What the jobs of a build make of it. */
import { endTime } from './end-time.ts';
import type { Plan } from '../pipeline/plan.ts';
import type { Build } from './records.ts';
import type { Schedule } from './schedule.ts';

type Standing = Pick<Build, 'state' | 'blocked' | 'blockedState'>;

/** The build as its jobs have it; the same object where nothing changed. */
export function settleBuild(build: Build, plan: Plan, schedule: Schedule, at: number): Build {
  const next = standing(build, plan, schedule);
  const same =
    next.state === build.state &&
    next.blocked === build.blocked &&
    next.blockedState === build.blockedState;
  if (same) return build;
  return { ...build, ...next, finishedAt: isSettled(next) ? endTime(build, at) : null };
}

/** Specification, "Timestamps": a build that waits for a person counts as finished. */
const isSettled = ({ state, blocked }: Pick<Build, 'state' | 'blocked'>): boolean =>
  blocked || !['scheduled', 'running', 'failing', 'canceling'].includes(state);

const free = { blocked: false, blockedState: '' } as const;

function standing({ state }: Build, plan: Plan, { counts, current }: Schedule): Standing {
  if (state === 'skipped' || state === 'canceled') return { ...free, state };
  if (state === 'canceling') return { ...free, state: counts.active > 0 ? state : 'canceled' };
  const failed = counts.hard > 0;
  if (counts.active > 0)
    return { ...free, state: failed ? 'failing' : counts.hasStarted ? 'running' : 'scheduled' };
  if (counts.blocked.size > 0) return whileBlocked(plan, counts.blocked, failed);
  // Waits run nothing: a build of them and of steps that are left out has not run.
  if (counts.omitted > 0 && counts.omitted + counts.waiters >= current.length)
    return { ...free, state: 'not_run' };
  return { ...free, state: failed ? 'failed' : 'passed' };
}

/** The first of the steps that wait for a person says what the build is meanwhile. */
function whileBlocked(plan: Plan, blocked: ReadonlySet<number>, failed: boolean): Standing {
  const first = [...blocked].reduce((least, step) => Math.min(least, step));
  const step = plan.steps[first];
  const blockedState = step !== undefined && 'blockedState' in step ? step.blockedState : 'passed';
  return { state: failed ? 'failed' : blockedState, blocked: true, blockedState };
}
