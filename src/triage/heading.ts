import type { BuildRef } from '../api/refs.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { isMissing } from '../render/cell.ts';
import type { Colors } from '../render/colors.ts';
import { stateColor, stateGlyph, stateText, type StateMarks } from '../render/state.ts';
import { compactDuration, instant, relativeTime } from '../render/time.ts';
import { scopedBuild, scopedCommand, type CommandScope } from '../watch/command-scope.ts';
import { agentWait, jobLabel } from './job-words.ts';
import { unblockCommand, logCommand } from './next-commands.ts';
import { joined, rowLines } from './words.ts';
import { wrap } from './wrap.ts';

export interface ScreenOptions {
  readonly colors: Colors;
  /** Columns of the terminal; `Infinity` if there is no limit */
  readonly width: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface Timed {
  readonly created_at?: string | null | undefined;
  readonly started_at?: string | null | undefined;
  readonly finished_at?: string | null | undefined;
}

/** For example, `✗ web #141 failed in 6m56s, 56m ago`, in the color of the state. */
export const buildHeading = (
  build: Timed & { readonly pipeline: string; readonly number: number; readonly state: string },
  options: Omit<ScreenOptions, 'width'>,
): string => stateHeading(`${build.pipeline} #${build.number}`, build, options);

function stateHeading(
  title: string,
  { state, soft_failed, ...times }: Timed & StateMarks & { readonly state: string },
  { colors, now }: Omit<ScreenOptions, 'width'>,
): string {
  const marks = { soft_failed };
  const paint = colors[stateColor(state, marks)];
  const word = stateText(state, marks);
  const name = colors.bold(cleanLine(title));
  return `${paint(stateGlyph(state, marks))} ${name} ${paint(word)}${when(times, word, now)}`;
}

function when({ started_at, finished_at, created_at }: Timed, word: string, now: number): string {
  const from = instant(started_at ?? '');
  const to = instant(finished_at ?? '');
  if (from !== undefined && to !== undefined) {
    const took = compactDuration(to - from);
    return `${word === 'blocked' ? ' after' : ' in'} ${took}, ${ago(finished_at, now)}`;
  }
  if (to !== undefined) return `, ${ago(finished_at, now)}`;
  if (from === undefined) return isMissing(created_at) ? '' : `, created ${ago(created_at, now)}`;
  const isRunning = /ing$/.test(word);
  return isRunning ? ` for ${compactDuration(now - from)}` : `, started ${ago(started_at, now)}`;
}

const ago = (text: string | null | undefined, now: number): string =>
  relativeTime(cleanLine(text ?? ''), now);

/** For example, `✗ Unit tests 1/2 failed in 1m35s, 56m ago · exit 1 · web #141` and a newline. */
export function jobHeading(job: Job, ref: BuildRef, options: ScreenOptions): string {
  const { exit_status: status, retries_count: retries, signal } = job;
  const parts = [
    stateHeading(jobLabel(job), { ...job, state: job.state ?? 'unknown' }, options),
    status === null || status === undefined ? '' : `exit ${String(status)}`,
    signal ? `signal ${signal}` : '',
    retries ? `retried ${retries === 1 ? 'once' : `${retries} times`}` : '',
    agentWait(job),
    `${ref.pipeline} #${ref.number}`,
  ];
  return rowLines(wrap(joined(parts, ' · '), { width: options.width, indent: 2, byWords: true }));
}

/** The command that prints or follows the job's log, or unblocks the job. */
export function nextOfJob(
  job: Job,
  ref: BuildRef,
  build: Build,
  scope: CommandScope,
): string | undefined {
  if (job.state === 'blocked') return unblockCommand(ref, build, job, scope);
  if (!job.started_at || (job.type ?? 'script') !== 'script') return undefined;
  const jobs = (build.jobs ?? []).filter((one) => one === job || one.retried !== true);
  const command = logCommand(job, scopedBuild(ref, scope), jobs);
  if (command === null) return undefined;
  return scopedCommand(job.finished_at ? command : `${command} --follow`, scope);
}

/** How long something has taken, such as `6m56s`. Empty if it has not started. */
export function spanOf({ started_at: started, finished_at: finished }: Timed, now: number): string {
  const from = instant(started ?? '');
  return from === undefined ? '' : compactDuration((instant(finished ?? '') ?? now) - from);
}
