import { isMissing } from '../render/cell.ts';
import type { Colors } from '../render/colors.ts';
import { stateColor, stateGlyph, stateText, type StateMarks } from '../render/state.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { instant, relativeTime, duration } from '../render/time.ts';
import type { BuildRef } from '../api/refs.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { scopedBuild, scopedCommand, type CommandScope } from '../watch/command-scope.ts';
import { agentWait, jobLabel } from './job-words.ts';
import { unblockCommand, logCommand } from './next-commands.ts';
import type { ScreenOptions } from './job-table.ts';
import { wrap } from './wrap.ts';

interface HeadedBuild extends Timed {
  readonly pipeline: string;
  readonly number: number;
  /** With `blocked` while a block step waits. */
  readonly state: string;
}

interface Timed {
  readonly created_at?: string | null | undefined;
  readonly started_at?: string | null | undefined;
  readonly finished_at?: string | null | undefined;
}

/** `✗ web #141 failed in 6m56s, 56m ago`, in the color of the state. */
export const buildHeading = (build: HeadedBuild, options: HeadingOptions): string =>
  stateHeading(`${build.pipeline} #${build.number}`, build, options);

interface HeadingOptions {
  readonly colors: Colors;
  readonly now: number;
}

function stateHeading(
  title: string,
  { state, soft_failed: soft, ...times }: Timed & StateMarks & { readonly state: string },
  { colors, now }: HeadingOptions,
): string {
  const marks = { soft_failed: soft };
  const paint = colors[stateColor(state, marks)];
  const word = stateText(state, marks);
  const name = colors.bold(cleanLine(title));
  return `${paint(stateGlyph(state, marks))} ${name} ${paint(word)}${when(times, word, now)}`;
}

function when(build: Timed, word: string, now: number): string {
  const { started_at: started, finished_at: finished, created_at: created } = build;
  const from = instant(started ?? '');
  const to = instant(finished ?? '');
  if (from !== undefined && to !== undefined) {
    return `${word === 'blocked' ? ' after' : ' in'} ${took(to - from)}, ${ago(finished, now)}`;
  }
  if (to !== undefined) return `, ${ago(finished, now)}`;
  if (from === undefined) return isMissing(created) ? '' : `, created ${ago(created, now)}`;
  return /ing$/.test(word) ? ` for ${took(now - from)}` : `, started ${ago(started, now)}`;
}

const ago = (text: string | null | undefined, now: number): string =>
  relativeTime(cleanLine(text ?? ''), now);

/** `✗ Unit tests 1/2 failed in 1m35s, 56m ago · exit 1 · web #141`; ends with a newline. */
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
  const line = parts.filter((part) => part !== '').join(' · ');
  const rows = wrap(line, { width: options.width, indent: 2, byWords: true });
  return `${rows.join('\n')}\n`;
}

/**
 * The next command for a job: its log (followed while it runs), or the command that unblocks it.
 */
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

const took = (ms: number): string => duration(ms).replaceAll(' ', '');

/**
 * `6m56s`: how long something ran, or has been running at `now` (milliseconds since the epoch);
 * empty before it started.
 */
export function spanOf({ started_at: started, finished_at: finished }: Times, now: number): string {
  const from = instant(started ?? '');
  return from === undefined ? '' : took((instant(finished ?? '') ?? now) - from);
}

interface Times {
  readonly started_at?: string | null | undefined;
  readonly finished_at?: string | null | undefined;
}
