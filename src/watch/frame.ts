import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import type { Colors } from '../render/colors.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { shorten, widthOf, cut } from '../render/width.ts';
import { jobExit } from './outcome.ts';
import { type JobNames, variantOf } from './job-names.ts';
import { jobTitle } from './job-title.ts';
import { shownJobs, currentJobs } from './changes.ts';
import { stateColor, stateGlyph, stateText, stateLabel } from '../render/state.ts';
import { duration, instant } from '../render/time.ts';
import { jobNote } from './view.ts';

export interface FrameOptions {
  /** Milliseconds since the epoch */
  readonly now: number;
  readonly width: number;
  /** Maximum number of lines; `Infinity` for the final frame */
  readonly height: number;
  readonly colors: Colors;
  readonly nameOf?: JobNames;
  readonly spinner?: string | undefined;
}

/** The frames of several builds, one below another. Each gets the same number of rows. */
export function frames(builds: readonly Build[], options: FrameOptions): string[] {
  const height = Math.max(1, Math.floor(options.height / builds.length));
  return builds.flatMap((build) => frame(build, { ...options, height }));
}

/** One line for the build and one per job. Keeps only the most relevant jobs if not all fit. */
export function frame(build: Build, options: FrameOptions): string[] {
  const { nameOf = (_: Build, job: Job) => jobTitle(job) } = options;
  const jobs = shownJobs(build);
  const available = Math.max(0, options.height - 1);
  const shown = jobs.length <= available ? jobs : mostRelevant(jobs, available - 1);
  const rows = shown.map((job) => jobCells(job, nameOf(build, job), options));
  // Keeps the right columns close to the text on a wide terminal.
  const width = Math.min(options.width, Math.max(80, headWidth(build, options), rowWidth(rows)));
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

/** Running and failed jobs come first, then waiting jobs, then other finished jobs. */
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

/** For example, `… and 23 more: 20 passed, 3 waiting`. */
function more(hidden: readonly Job[]): string {
  const counts = new Map<string, number>();
  for (const { state } of hidden) {
    const word = cleanLine(state ?? 'unknown').replaceAll('_', ' ');
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}`);
  return `… and ${hidden.length} more: ${parts.join(', ')}`;
}

type HeadOptions = Pick<FrameOptions, 'now' | 'width' | 'colors'>;

/**
 * Looks like `● web #143 running 0:17 5/8 done · 3 running main 99999999`. Truncates long branches.
 */
function headLine(build: Build, { now, width, colors }: HeadOptions): string {
  const { glyph, word, title, time } = headParts(build, now);
  const color = colors[stateColor(build.state ?? 'unknown', build)];
  const left = `${color(glyph)} ${colors.bold(title)} ${color(word)}${time}`;
  let free = width - widthOf(`${glyph} ${title} ${word}${time}`);
  const counts = fitting(jobCounts(currentJobs(build)), free - 3);
  if (counts !== '') free -= widthOf(counts) + 3;
  const right = revision(build, free - 2);
  const middle = counts === '' ? '' : `   ${counts}`;
  if (right === '') return `${left}${middle}`;
  return `${left}${middle}${' '.repeat(free - widthOf(right))}${colors.dim(right)}`;
}

function headWidth(build: Build, { now }: HeadOptions): number {
  const { glyph, word, title, time } = headParts(build, now);
  const counts = jobCounts(currentJobs(build)).join(' · ');
  return widthOf(`${glyph} ${title} ${word}${time}   ${counts}  ${revision(build, Infinity)}`);
}

function headParts(build: Build, now: number) {
  const state = build.state ?? 'unknown';
  const slug = cleanLine(build.pipeline?.slug ?? build.pipeline?.name ?? 'build');
  return {
    glyph: stateGlyph(state, build),
    word: stateText(state, build),
    title: `${slug} #${build.number ?? '?'}`,
    time: timeOf(build, now),
  };
}

function timeOf(build: Build, now: number): string {
  const ms = elapsed(build, now);
  if (ms === undefined) return '';
  return `${build.finished_at ? ' in' : ''} ${clockTime(ms)}`;
}

function fitting(parts: readonly string[], width: number): string {
  const fits = parts.findLastIndex((_, at) => widthOf(parts.slice(0, at + 1).join(' · ')) <= width);
  return parts.slice(0, fits + 1).join(' · ');
}

const leastBranch = 8;

function revision({ branch, commit }: Build, width: number): string {
  const [name, short] = [cleanLine(branch ?? ''), cleanLine((commit ?? '').slice(0, 8))];
  if (widthOf(short) > width) return '';
  const place = width - widthOf(short) - (short === '' ? 0 : 2);
  const shown = widthOf(name) <= place || place >= leastBranch ? keepEnd(name, place) : '';
  return [shown, short].filter((part) => part !== '').join('  ');
}

/** For example, `5/8 done`, `3 running`, `1 failed`, `1 soft`, `1 blocked`. Omits zero counts. */
function jobCounts(jobs: readonly Job[]): string[] {
  if (jobs.length === 0) return [];
  const count = (is: (job: Job) => boolean): number => jobs.filter(is).length;
  const counts: [number, string][] = [
    [count(({ state }) => state === 'running'), 'running'],
    [count((job) => jobExit(job) === 1), 'failed'],
    [count(isSoft), 'soft'],
    [count((job) => jobExit(job) === 4), 'blocked'],
  ];
  return [
    `${count(isDone)}/${jobs.length} done`,
    ...counts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`),
  ];
}

/** A blocked job is not done. */
function isDone(job: Job): boolean {
  const code = jobExit(job);
  return code !== undefined && code !== 4;
}

const isSoft = (job: Job): boolean =>
  job.soft_failed === true && jobExit({ ...job, soft_failed: false }) === 1;

/** Truncates text at the start, because branches differ at the end. */
export function keepEnd(text: string, width: number): string {
  const columns = widthOf(text);
  if (columns <= width) return text;
  if (width < 2) return '';
  // If half of a wide character is cut off, an empty column remains.
  let missing = cut(text, columns - width + 1);
  while (widthOf(text.slice(missing.length)) > width - 1) {
    const longer = cut(text, widthOf(missing) + 2);
    if (longer.length === missing.length) return '';
    missing = longer;
  }
  return `…${text.slice(missing.length)}`;
}

/** The printable parts of a line. */
interface JobCells {
  readonly color: keyof Colors;
  readonly state: string;
  readonly name: string;
  /** The end of the name, which is never truncated */
  readonly end: string;
  readonly note: string;
  readonly took: string;
}

interface RowLayout {
  readonly state: number;
  readonly name: number;
  readonly note: number;
  readonly took: number;
}

/** Wide enough for 10 minutes, so that the columns do not shift after 9:59. */
const usualTook = 6;

/** Other parts are omitted rather than making the name narrower than this. */
const leastName = 12;

/** Minimum width of a note. A note may also use half of the row, and space not needed by names. */
const usualNote = 24;

function rowWidth(rows: readonly JobCells[]): number {
  const { state, name, note, took } = widest(rows);
  return state + 2 + name + beside(note) + beside(took);
}

function rowLayout(rows: readonly JobCells[], width: number): RowLayout {
  const { state, took, ...full } = widest(rows);
  const available = Math.max(0, width - state - 2);
  const left = available - Math.max(leastName, full.name) - beside(took) - 2;
  const half = Math.floor((available - beside(took)) / 2);
  const note = Math.min(full.note, Math.max(usualNote, half, left));
  for (const parts of [
    { note, took },
    { note: 0, took },
    { note, took: 0 },
  ]) {
    const name = available - beside(parts.note) - beside(parts.took);
    if (name >= leastName) return { state, name, ...parts };
  }
  return { state, name: available, note: 0, took: 0 };
}

function jobRow(cells: JobCells, layout: RowLayout, colors: Colors): string {
  const { color, state, name, end, note, took } = cells;
  const parts = [
    `${colors[color](state)}${' '.repeat(layout.state - widthOf(state))}  `,
    padded(shortenName(name, end, layout.name), layout.name),
    ...(layout.note > 0 ? [`  ${padded(shorten(note, layout.note), layout.note)}`] : []),
    ...(layout.took > 0 ? [`  ${took.padStart(layout.took)}`] : []),
  ];
  return parts.join('').trimEnd();
}

function widest(rows: readonly JobCells[]): RowLayout {
  return {
    state: columnsOf(rows, 'state'),
    name: columnsOf(rows, 'name'),
    note: columnsOf(rows, 'note'),
    took: Math.max(usualTook, columnsOf(rows, 'took')),
  };
}

/** Measures each distinct text once: except for names, many jobs have the same few texts. */
const columnsOf = (rows: readonly JobCells[], part: 'state' | 'name' | 'note' | 'took'): number =>
  [...new Set(rows.map((row) => row[part]))].reduce(
    (most, text) => Math.max(most, widthOf(text)),
    0,
  );

const beside = (columns: number): number => (columns > 0 ? columns + 2 : 0);

const padded = (text: string, columns: number): string =>
  `${cut(text, columns)}${' '.repeat(Math.max(0, columns - widthOf(text)))}`;

function jobCells(
  job: Job,
  name: string,
  { now, spinner }: Pick<FrameOptions, 'now' | 'spinner'>,
): JobCells {
  const { state: known, soft_failed } = job;
  const state = known ?? 'unknown';
  const shown = cleanLine(name);
  const label = stateLabel(state, { soft_failed });
  return {
    color: stateColor(state, { soft_failed }),
    state: spinner === undefined ? label : label.replace(/^●/, spinner),
    name: shown,
    end: distinctEnd(shown, variantOf(job, '').join(' ')),
    // The column is too narrow for "exit status".
    note: cleanLine(jobNote({ ...job, soft_failed: false }).replace('exit status', 'exit')),
    took: took(job, now),
  };
}

/** For example, `1m35s`, in whole seconds while the job is running. */
function took(job: Job, now: number): string {
  const ms = elapsed(job, now);
  if (ms === undefined) return '';
  const isOver = Boolean(job.finished_at);
  return !isOver && ms < 1000 ? '0s' : duration(ms).replaceAll(' ', '');
}

/** Truncates the title, not the end, because the end distinguishes the jobs of a step. */
function shortenName(name: string, end: string, width: number): string {
  if (widthOf(name) <= width) return name;
  const left = width - widthOf(end);
  return left < leastTitle ? shorten(name, width) : shorten(without(name, end), left) + end;
}

const leastTitle = 6;

const without = (name: string, end: string): string => name.slice(0, name.length - end.length);

/** The part of a name that distinguishes parallel jobs, such as ` 2/3`, ` linux` or ` (2)`. */
function distinctEnd(name: string, variant: string): string {
  const counted = counter.exec(name)?.[0] ?? '';
  const end = ` ${variant}${/ \(\d+\)$/.exec(name)?.[0] ?? ''}`;
  return variant !== '' && name.endsWith(end) ? end : counted;
}

const counter = /(?: #?\d{1,6}(?:\/\d{1,6})?)?(?: \(\d{1,6}\))?$/;

interface Times {
  readonly started_at?: string | null | undefined;
  readonly finished_at?: string | null | undefined;
}

/** Milliseconds from the start to the finish, or to now. Undefined if it has not started. */
export function elapsed({ started_at, finished_at }: Times, now: number): number | undefined {
  const start = instant(started_at ?? '');
  return start === undefined ? undefined : (instant(finished_at ?? '') ?? now) - start;
}

export function clockTime(ms: number): string {
  const all = Math.floor(Math.max(0, ms) / 1000);
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  const seconds = twoDigits(all % 60);
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${twoDigits(minutes)}:${seconds}`;
}

const twoDigits = (count: number): string => String(count).padStart(2, '0');
