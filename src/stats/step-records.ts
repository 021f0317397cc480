import { type Job, jobTitle, partOfParallel } from '../api/resources/job.ts';
import { createRunCounter, type RunCounter } from './count-runs.ts';
import type { Example } from './stats-resource.ts';

export interface StepRecord {
  readonly pipeline: string | null;
  readonly key: string | null;
  /** Of the newest job. For matrix jobs with different names, the common start. */
  name: string;
  readonly runs: RunCounter;
  /** Seconds on the critical path of all builds */
  critical: number;
  retried: number;
  flaky: number;
  /** The newest ones */
  readonly examples: Example[];
}

/** `part` identifies one of several jobs of a step, for comparison between builds. */
export interface StepPart {
  readonly step: StepRecord;
  readonly part: number;
}

interface StepRecords {
  /** `id` distinguishes pipelines with the same slug in different organizations. */
  of(pipeline: { readonly id: string; readonly slug: string | null }, job: Job): StepPart;
  readonly all: Iterable<StepRecord>;
}

export function createStepRecords(): StepRecords {
  const steps = new Map<string, StepRecord>();
  const parts = new Map<string, number>();
  return {
    all: { [Symbol.iterator]: () => steps.values() },
    of(pipeline, job) {
      const { key, name, part } = stepOfJob(job);
      const id = JSON.stringify([pipeline.id, key, key === null ? name : null]);
      const step = steps.get(id) ?? newRecord(pipeline.slug, key, name);
      steps.set(id, step);
      if (part !== '') step.name = commonStart(step.name, name);
      const partId = id + part;
      const number = parts.get(partId) ?? parts.size;
      parts.set(partId, number);
      return { step, part: number };
    },
  };
}

const newRecord = (pipeline: string | null, key: string | null, name: string): StepRecord => ({
  ...{ pipeline, key, name, runs: createRunCounter() },
  ...{ critical: 0, retried: 0, flaky: 0, examples: [] },
});

/** Compares whole words. */
function commonStart(one: string, other: string): string {
  if (one === other) return one;
  const [words, others] = [one.split(' '), other.split(' ')];
  const end = words.findIndex((word, index) => word !== others[index]);
  return (end === -1 ? words : words.slice(0, end)).join(' ');
}

interface StepOfJob {
  readonly key: string | null;
  /** Without `1/4` */
  readonly name: string;
  /** Distinguishes parallel jobs of a step; empty if there is only one job */
  readonly part: string;
}

export function stepOfJob(job: Job): StepOfJob {
  const title = jobTitle(job) ?? 'job';
  const index = job.parallel_group_index ?? null;
  const matrix = job.matrix ?? null;
  const isOne = index === null && matrix === null;
  return {
    key: job.step_key || null,
    name: withoutPart(title, job),
    part: isOne ? '' : JSON.stringify([index, matrix]),
  };
}

/** A name may contain the index: `Test 1/4`. */
function withoutPart(title: string, job: Job): string {
  const { parallel_group_index: index, parallel_group_total: total } = job;
  if (typeof index !== 'number' || partOfParallel(job) !== undefined) return title;
  const part = `${index + 1}/${total ?? 0}`;
  return ` ${title} `.replace(` ${part} `, ' ').trim() || title;
}
