import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { shownJobs } from './changes.ts';
import { jobTitleLine } from './job-title.ts';
import { variantOf } from './short-name.ts';

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
