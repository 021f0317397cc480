import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { shownJobs } from './changes.ts';
import { jobTitleLine } from './job-title.ts';
import { emojisFor, withShortcodes } from '../render/shortcodes.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { cut, shorten, widthOf } from '../render/width.ts';

/** What a job of that build is called for as long as it is watched. */
export type JobNames = (build: Build, job: Job) => string;

/**
 * Names by which the jobs of a build are told apart. Those of one title get what makes them
 * different, `test linux` or `test 2/3`, else a number: `test (2)`. A job keeps its name when others
 * come later, and what retries it takes that over.
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
  // At most looks at a build there is nobody new.
  if (jobs.every(({ id }) => given.has(id ?? ''))) return;
  const current = jobs.filter(({ retried }) => retried !== true);
  const taken = new Set(current.map(({ id }) => given.get(id ?? '')));
  const counts = countsOf(current.map(nameOf));
  const numbers = new Map<string, number>();
  for (const job of jobs) {
    if (!job.id || given.has(job.id)) continue;
    const title = nameOf(job);
    const name = (counts.get(title) ?? 0) > 1 ? withVariant(title, job) : title;
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

const withVariant = (title: string, job: Job): string =>
  [title, ...variantOf(job, title)].join(' ');

const numbered = (name: string, number: number): string =>
  number === 1 ? name : `${name} (${number})`;

interface WrittenNames {
  readonly nameOf: JobNames;
  /** To be called before a build is named: what its names need is loaded then. */
  readonly prepare: (build: Build) => Promise<void>;
}

/** The names of jobs for people: with the emojis that their shortcodes stand for. */
export function writtenNames(): WrittenNames {
  let write = withShortcodes;
  return {
    nameOf: createJobNames((job) => write(jobTitleLine(job))),
    prepare: async (build) => {
      if (write === withShortcodes) write = await emojisFor(shownJobs(build).map(jobTitleLine));
    },
  };
}

/** Columns of a name, and of what tells it apart from the other jobs of its step. */
const columns = 20;

/**
 * What stands before each line of a job's log, in a few columns: its label without emoji codes,
 * else its key, else the first words of its command; then which of the jobs of its step it is,
 * `test 2/3` or `test linux`.
 */
export function shortName(job: Job): string {
  const name = [labelOf(job), job.step_key, firstWords(job.command), job.id].find(isText) ?? 'job';
  const short = shorten(cleanLine(name).trim(), columns);
  const variant = variantOf(job, short);
  return variant.length === 0 ? short : `${short} ${shorten(variant.join(' '), columns)}`;
}

const isText = (text: string | null | undefined): text is string =>
  text !== undefined && text !== null && text.trim() !== '';

/** A service calls a step without a label by its command, all of it. */
function labelOf({ name, label, command }: Job): string | undefined {
  const own = [name, label].find((text) => isText(text) && text !== command);
  return own?.replace(/:[a-z_+-][\w+-]*:/gi, '').replace(/ {2,}/g, ' ');
}

/** As many whole words of the first line as fit, at least a part of the first. */
function firstWords(command: string | null | undefined): string | undefined {
  const [line = ''] = (command ?? '').trim().split('\n', 1);
  if (widthOf(cut(line, columns + 1)) <= columns) return line;
  const kept = cut(line, columns - 1).replace(/\s+\S*$/, '');
  return `${kept}…`;
}

/** `2/3` of `parallelism`, the values of a matrix; without what the name says already. */
export const variantOf = (job: Job, name: string): string[] =>
  variants(job).filter((part) => !hasWord(name, part));

function variants({ parallel_group_index: index, parallel_group_total: total, matrix }: Job) {
  if (typeof index === 'number' && typeof total === 'number' && total > 1)
    return [`${index + 1}/${total}`];
  if (typeof matrix !== 'object' || matrix === null) return [];
  return Object.values(matrix).map((value) => cleanLine(String(value)));
}

const hasWord = (text: string, word: string): boolean => ` ${text} `.includes(` ${word} `);

/**
 * `lint | compiling…`: every line of a text behind the name of its job; the last one gets a
 * newline. A job without a name is called by its command, of which the first line is enough here.
 */
export function prefixLines(text: string, name: string): string {
  const [title = ''] = name.trim().split('\n', 1);
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line) => `${title} | ${line}\n`).join('');
}
