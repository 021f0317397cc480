/** What a step is and what has become of it, as `buildkite-agent step get` prints it. */
import { isCurrent, isDone } from '../../../domain/job-states.ts';
import type { Job, Tree } from '../../../domain/records.ts';
import { badRequest } from '../../api-error.ts';
import type { Step } from '../../../pipeline/plan.ts';

/**
 * One attribute as text, or the whole step as JSON where none is named. `indexes` are those of one step in
 * the plan. Throws `ApiError` 400 for an attribute that steps do not have.
 */
export function stepText(
  { plan, jobs }: Tree,
  indexes: readonly number[],
  attribute: string,
  asJson: boolean,
): string {
  const wanted = new Set(indexes);
  const own = jobs.filter((job) => wanted.has(job.step) && isCurrent(job));
  const attributes = attributesOf(plan.steps[indexes[0] ?? 0], own, indexes.length);
  if (attribute === '') return JSON.stringify(attributes);
  if (!Object.hasOwn(attributes, attribute))
    throw badRequest(
      `A step has no attribute "${attribute}" (${Object.keys(attributes).join(', ')})`,
    );
  const value = attributes[attribute] ?? null;
  return asJson || value === null ? JSON.stringify(value) : String(value);
}

type Attributes = Readonly<Record<string, string | number | null>>;

function attributesOf(step: Step | undefined, jobs: readonly Job[], count: number): Attributes {
  const command = step?.type === 'command' ? step : undefined;
  return {
    id: jobs[0]?.stepId ?? null,
    key: step?.key ?? '',
    label: step?.label ?? '',
    type: step?.type ?? 'command',
    state: stateOf(jobs),
    outcome: outcomeOf(jobs),
    command: command?.command ?? '',
    priority: command?.priority ?? 0,
    parallelism: command?.parallel === null ? null : count,
    timeout_in_minutes: command?.timeoutInMinutes ?? null,
    concurrency: command?.concurrency?.limit ?? null,
    concurrency_group: command?.concurrency?.group ?? null,
  };
}

function stateOf(jobs: readonly Job[]): string {
  if (jobs.length > 0 && jobs.every((job) => ['skipped', 'broken'].includes(job.state)))
    return 'ignored';
  if (jobs.every((job) => isDone(job))) return 'finished';
  if (
    jobs.some(
      (job) =>
        isDone(job) || ['accepted', 'running', 'timing_out', 'canceling'].includes(job.state),
    )
  )
    return jobs.some(isHardFailure) ? 'failing' : 'running';
  return jobs.every((job) => job.state === 'waiting') ? 'waiting_for_dependencies' : 'ready';
}

/** The worst of its jobs; `neutral` while there is none to go by. */
function outcomeOf(jobs: readonly Job[]): string {
  if (jobs.some(isHardFailure)) return 'hard_failed';
  if (jobs.some(({ state }) => state === 'canceled')) return 'errored';
  if (jobs.some(({ softFailed }) => softFailed)) return 'soft_failed';
  const isGood = ({ state }: Job): boolean => ['passed', 'unblocked'].includes(state);
  return jobs.length > 0 && jobs.every((job) => isDone(job)) && jobs.some(isGood)
    ? 'passed'
    : 'neutral';
}

const isHardFailure = ({ state, softFailed }: Job): boolean =>
  !softFailed && ['failed', 'timed_out'].includes(state);
