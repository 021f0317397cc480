/** A build as it looks at one moment on a terminal: lines, painted elsewhere. */
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import type { Colors } from '../render/colors.ts';
import { paintState, stateLabel, type StateMarks } from '../render/state.ts';
import { cleanLine } from '../render/text.ts';
import { duration, instant } from '../render/time.ts';
import { shorten, widthOf } from '../render/width.ts';
import { jobNote } from './event-line.ts';
import { jobExit } from './outcome.ts';
import type { JobNames } from './job-names.ts';
import { jobTitle } from './job-title.ts';
import { shownJobs } from './changes.ts';

export interface FrameOptions {
  /** Milliseconds since the epoch, for what has not ended. */
  readonly now: number;
  /** Columns; no line is wider. */
  readonly width: number;
  /** Rows; there are no more lines. `Infinity` for the frame that stays. */
  readonly height: number;
  readonly colors: Colors;
  /** By their titles where left out. */
  readonly nameOf?: JobNames;
}

/** The frames of several builds below each other; each gets its share of the rows. */
export function frames(builds: readonly Build[], options: FrameOptions): string[] {
  const height = Math.max(1, Math.floor(options.height / builds.length));
  return builds.flatMap((build) => frame(build, { ...options, height }));
}

/** One line for the build, then one a job; where they do not all fit, those that matter most. */
export function frame(build: Build, options: FrameOptions): string[] {
  const jobs = shownJobs(build);
  const available = Math.max(0, options.height - 1);
  const shown = jobs.length <= available ? jobs : mostRelevant(jobs, available - 1);
  const isShown = new Set(shown);
  const hidden = jobs.filter((job) => !isShown.has(job));
  const stateWidth = widestState(jobs);
  const lines = [
    buildLine(build, options),
    ...shown.map((job) => jobLine(job, build, stateWidth, options)),
  ];
  if (hidden.length > 0 && available > 0)
    lines.push(options.colors.dim(shorten(more(hidden), options.width)));
  return lines;
}

function buildLine(build: Build, { now, width, colors }: FrameOptions): string {
  const slug = cleanLine(build.pipeline?.slug ?? build.pipeline?.name ?? 'build');
  const title = `${slug} #${build.number ?? '?'}`;
  const revision = [build.branch, build.commit?.slice(0, 10)].map((text) => cleanLine(text ?? ''));
  const rest = [...revision, elapsed(build, now)].filter(Boolean).join('  ');
  const available = width - widthOf(title) - widthOf(stateLabel(build.state ?? '?', build)) - 4;
  const state = paintState(build.state ?? 'unknown', build, colors);
  return `${colors.bold(title)}  ${state}  ${colors.dim(shorten(rest, available))}`;
}

function jobLine(job: Job, build: Build, stateWidth: number, options: FrameOptions): string {
  const { now, width, colors, nameOf = (_: Build, one: Job) => jobTitle(one) } = options;
  const marks = marksOf(job);
  const state = job.state ?? 'unknown';
  const padding = ' '.repeat(stateWidth - widthOf(label(job)));
  const rest = [jobNote({ ...job, soft_failed: false }), elapsed(job, now)].filter(Boolean);
  const available = width - stateWidth - 4;
  const text = beside(cleanLine(nameOf(build, job)), rest.map(cleanLine).join('  '), available);
  return `  ${paintState(state, marks, colors)}${padding}  ${text}`;
}

/** Columns of the widest label of a state: there are many jobs, and few states. */
const widestState = (jobs: readonly Job[]): number =>
  Math.max(0, ...[...new Set(jobs.map(label))].map(widthOf));

/** A long name leaves place for what is said of it, up to a half. */
function beside(name: string, rest: string, width: number): string {
  if (rest === '') return shorten(name, width);
  const place = Math.max(Math.floor(width / 2) - 1, width - widthOf(rest) - 2);
  return shorten(`${shorten(name, place)}  ${rest}`, width);
}

const marksOf = ({ soft_failed }: Job): StateMarks => ({ soft_failed });
const label = (job: Job): string => stateLabel(job.state ?? 'unknown', marksOf(job));

/** From start to end, or to now. */
function elapsed({ started_at, finished_at }: Build | Job, now: number): string {
  const start = instant(started_at ?? '');
  return start === undefined ? '' : duration((instant(finished_at ?? '') ?? now) - start);
}

/**
 * What runs and what went wrong before what waits, and that before what is done; in their order.
 */
function mostRelevant(jobs: readonly Job[], count: number): Job[] {
  const ranked = [...jobs].sort((a, b) => rank(a) - rank(b));
  const chosen = new Set(ranked.slice(0, Math.max(0, count)));
  return jobs.filter((job) => chosen.has(job));
}

function rank(job: Job): number {
  if (job.state === 'running') return 0;
  const code = jobExit(job);
  if (code === undefined) return 2;
  return code === 0 ? 3 : 1;
}

/** `… and 23 more: 20 passed, 3 waiting`. */
function more(hidden: readonly Job[]): string {
  const counts = new Map<string, number>();
  for (const { state } of hidden) {
    const word = cleanLine(state ?? 'unknown');
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}`);
  return `  … and ${hidden.length} more: ${parts.join(', ')}`;
}
