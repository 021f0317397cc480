/** A build as it looks at one moment on a terminal: lines, painted elsewhere. */
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import type { Colors } from '../render/colors.ts';
import { cleanLine } from '../untrusted-text.ts';
import { shorten } from '../render/width.ts';
import { headLine, headWidth } from './frame-head.ts';
import { jobRow, rowLayout, rowWidth, type JobCells } from './frame-row.ts';
import { jobCells } from './job-cells.ts';
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
  /** The sign of what runs; its own where left out. */
  readonly spinner?: string | undefined;
}

/** The frames of several builds below each other; each gets its share of the rows. */
export function frames(builds: readonly Build[], options: FrameOptions): string[] {
  const height = Math.max(1, Math.floor(options.height / builds.length));
  return builds.flatMap((build) => frame(build, { ...options, height }));
}

/** One line for the build, then one a job; where they do not all fit, those that matter most. */
export function frame(build: Build, options: FrameOptions): string[] {
  const { nameOf = (_: Build, job: Job) => jobTitle(job) } = options;
  const jobs = shownJobs(build);
  const available = Math.max(0, options.height - 1);
  const shown = jobs.length <= available ? jobs : mostRelevant(jobs, available - 1);
  const rows = shown.map((job) => jobCells(job, nameOf(build, job), options));
  const width = frameWidth(build, rows, options);
  const layout = rowLayout(rows, width);
  const lines = [
    headLine(build, { ...options, width }),
    ...rows.map((row) => jobRow(row, layout, options.colors)),
  ];
  if (shown.length < jobs.length && available > 0) {
    const isShown = new Set(shown);
    const hidden = jobs.filter((job) => !isShown.has(job));
    lines.push(options.colors.dim(shorten(more(hidden), options.width)));
  }
  return lines;
}

/** What is on the right stands not far from what it belongs to, however wide the terminal is. */
const frameWidth = (build: Build, rows: readonly JobCells[], options: FrameOptions): number =>
  Math.min(options.width, Math.max(80, headWidth(build, options), rowWidth(rows)));

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
    const word = cleanLine(state ?? 'unknown').replaceAll('_', ' ');
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}`);
  return `… and ${hidden.length} more: ${parts.join(', ')}`;
}
