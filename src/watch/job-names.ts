import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { shownJobs } from './changes.ts';
import { jobTitleLine } from './job-title.ts';
import { emojisFor, withShortcodes } from '../render/shortcodes.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { cut, shorten, widthOf } from '../render/width.ts';

export type JobNames = (build: Build, job: Job) => string;

/**
 * Distinguishes jobs with the same title by their variant (`test linux`, `test 2/3`) or otherwise
 * by a number (`test (2)`). A job keeps its name when jobs are added. Its retries have the same
 * name.
 */
export function createJobNames(nameOf: (job: Job) => string = jobTitleLine): JobNames {
  const given = new Map<string, string>();
  const seen = new WeakSet<Build>();
  return (build, job) => {
    if (!seen.has(build)) nameNew(build, given, nameOf);
    seen.add(build);
    return given.get(job.id ?? '') ?? nameOf(job);
  };
}

function nameNew(build: Build, given: Map<string, string>, nameOf: (job: Job) => string): void {
  const jobs = shownJobs(build);
  // Most polls return no new jobs.
  if (jobs.every(({ id }) => given.has(id ?? ''))) return;
  const current = jobs.filter(({ retried }) => retried !== true);
  const taken = new Set(current.map(({ id }) => given.get(id ?? '')));
  const counts = countsOf(current.map(nameOf));
  const numbers = new Map<string, number>();
  for (const job of jobs) {
    if (!job.id || given.has(job.id)) continue;
    const title = nameOf(job);
    const name = (counts.get(title) ?? 0) > 1 ? [title, ...variantOf(job, title)].join(' ') : title;
    let number = numbers.get(name) ?? 1;
    while (taken.has(numbered(name, number))) number++;
    numbers.set(name, number);
    given.set(job.id, numbered(name, number));
    if (job.retried !== true) taken.add(numbered(name, number));
  }
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const numbered = (name: string, number: number): string =>
  number === 1 ? name : `${name} (${number})`;

/** Job names for display, with emojis instead of shortcodes. */
export function writtenNames() {
  let write = withShortcodes;
  return {
    nameOf: createJobNames((job) => write(jobTitleLine(job))),
    /** Loads what the names of a build need. Must be called before the build's jobs are named */
    prepare: async (build: Build): Promise<void> => {
      if (write === withShortcodes) write = await emojisFor(shownJobs(build).map(jobTitleLine));
    },
  };
}

const columns = 20;

/**
 * The prefix for the lines of a job's log, such as `test 2/3` or `test linux`: the label without
 * emoji shortcodes (or, without a label, the key or the first words of the command), and the variant.
 */
export function shortName(job: Job): string {
  const name = [labelOf(job), job.step_key, firstWords(job.command), job.id].find(isText) ?? 'job';
  const short = shorten(cleanLine(name).trim(), columns);
  const variant = variantOf(job, short);
  return variant.length === 0 ? short : `${short} ${shorten(variant.join(' '), columns)}`;
}

const isText = (text: string | null | undefined): text is string =>
  text !== undefined && text !== null && text.trim() !== '';

/** If a step has no label, services use its whole command as the name. */
function labelOf({ name, label, command }: Job): string | undefined {
  const own = [name, label].find((text) => isText(text) && text !== command);
  return own?.replace(/:[a-z_+-][\w+-]*:/gi, '').replace(/ {2,}/g, ' ');
}

function firstWords(command: string | null | undefined): string | undefined {
  const [line = ''] = (command ?? '').trim().split('\n', 1);
  if (widthOf(cut(line, columns + 1)) <= columns) return line;
  const kept = cut(line, columns - 1).replace(/\s+\S*$/, '');
  return `${kept}…`;
}

/** The index, such as `2/3`, or the values of a matrix, unless the name contains them. */
export const variantOf = (job: Job, name: string): string[] =>
  variants(job).filter((part) => !hasWord(name, part));

const hasWord = (name: string, part: string): boolean =>
  name
    .split(part)
    .some((before, at, { [at + 1]: after }) => after !== undefined && isApart(before, after));

const isApart = (before: string, after: string): boolean =>
  !/[\w.]$/.test(before) && !/^[\w.]/.test(after);

function variants({ parallel_group_index: index, parallel_group_total: total, matrix }: Job) {
  if (typeof index === 'number' && typeof total === 'number' && total > 1)
    return [`${index + 1}/${total}`];
  if (typeof matrix !== 'object' || matrix === null) return [];
  return Object.values(matrix).map((value) => cleanLine(String(value)));
}

/** Prefixes each line with the first line of the name, as in `lint | compiling…`. */
export function prefixLines(text: string, name: string): string {
  const [title = ''] = name.trim().split('\n', 1);
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line) => `${title} | ${line}\n`).join('');
}
