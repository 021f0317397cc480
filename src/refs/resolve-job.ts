/** JOB, with its build: named, left out, or chosen by the user. */
import { buildName, type BuildRef, type JobRef } from '../api/refs.ts';
import type { Job } from '../api/resources/job.ts';
import { usageError } from '../errors.ts';
import { findJob, idOf, labelOf, severalJobs, type FoundJob } from './find-job.ts';
import {
  isUuid,
  looksLikeBuild,
  noJobButBuild,
  parseBuild,
  parseJob,
  type ParsedJob,
} from './parse-reference.ts';
import { namedBuild, resolveBuild, surroundingBuild, type Surroundings } from './resolve-build.ts';
import { completePipeline } from './resolve-pipeline.ts';

export interface JobOptions {
  /** The command changes something: without JOB the user is asked, nothing is guessed. */
  readonly mutates: boolean;
  /** `--build`: the build of a JOB that stands alone. */
  readonly build?: string;
  /** Jobs that were retried count from the first; else they do where no other job is meant. */
  readonly includeRetriedJobs?: boolean;
  /** Of several jobs of one name, the only one of these is meant. */
  readonly preferred?: (job: Job) => boolean;
  /** Without JOB, the jobs to choose from: `{ word: 'failed', test: isFailedJob }`. */
  readonly candidates?: { readonly word: string; readonly test: (job: Job) => boolean };
}

/**
 * The job that `text` names, with its build. Codes: 2 malformed, ambiguous or left out; 7 not
 * there.
 */
export async function resolveJob(
  context: Surroundings,
  text: string | undefined,
  options: JobOptions,
): Promise<FoundJob> {
  const { ref, job } = await locate(context, text, options);
  return job === undefined ? chooseJob(context, ref, options) : findJob(context, ref, job, options);
}

/** The same where the id is all that is needed: an id is not looked up. */
export const resolveJobRef = async (
  context: Surroundings,
  text: string | undefined,
  options: JobOptions,
): Promise<JobRef> => (await resolveNamedJob(context, text, options)).ref;

/** The same with the job itself, where it was looked up. */
export async function resolveNamedJob(
  context: Surroundings,
  text: string | undefined,
  options: JobOptions,
): Promise<{ readonly ref: JobRef; readonly job?: Job }> {
  const { ref, job } = await locate(context, text, options);
  if (job === undefined) return chooseJob(context, ref, options);
  return isUuid(job) ? { ref: { ...ref, job } } : findJob(context, ref, job, options);
}

interface JobScope {
  ref: BuildRef;
  /** As typed; undefined when it is left out. */
  job?: string;
}

async function locate(
  context: Surroundings,
  text: string | undefined,
  options: JobOptions,
): Promise<JobScope> {
  if (text === undefined) return locateDefault(context, options);
  const parsed = parse(text, options.build);
  const { build, job } = parsed;
  const ref = build
    ? await namedBuild(context, build)
    : await resolveBuild(context, options.build, { mutates: options.mutates });
  return { ref, job };
}

/** With `--build`, a `#` that follows no BUILD belongs to the name of the job. */
function parse(text: string, buildFlag: string | undefined): ParsedJob {
  if (buildFlag === undefined) {
    if (looksLikeBuild(text)) throw noJobButBuild(text);
    return parseJob(text);
  }
  parseBuild(buildFlag);
  const parsed = attempt(() => parseJob(text)) ?? { job: text };
  if (parsed.build === undefined) return parsed;
  throw usageError(`${JSON.stringify(text)} names a build already: leave --build out`);
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

async function locateDefault(context: Surroundings, options: JobOptions): Promise<JobScope> {
  const own = options.mutates ? undefined : ownJob(context, options);
  if (own !== undefined) return own;
  const asks = options.mutates || options.candidates === undefined;
  if (asks && !context.prompts.available) throw leftOut(options);
  return { ref: await resolveBuild(context, options.build, { mutates: options.mutates }) };
}

/** A reading command inside a job means that job, unless another build is named. */
function ownJob(context: Surroundings, { build }: JobOptions): JobScope | undefined {
  const { jobId, build: chosen } = context.settings;
  if (jobId === undefined || build !== undefined || chosen !== undefined) return undefined;
  const pipeline = completePipeline(context, {});
  const number = surroundingBuild(context, pipeline);
  return number === undefined ? undefined : { ref: { ...pipeline, number }, job: jobId };
}

const leftOut = ({ build = 'BUILD' }: JobOptions) =>
  usageError(
    'which job? Name it by id, step key or name: JOB --build BUILD, or BUILD#JOB',
    `cictl job list ${build}`,
  );

/** JOB left out: the only one where that can harm nothing, else the one that the user chooses. */
async function chooseJob(
  context: Surroundings,
  ref: BuildRef,
  { candidates, mutates, includeRetriedJobs = false }: JobOptions,
): Promise<FoundJob> {
  const { builds } = await context.client();
  const build = await builds.get(ref, { includeRetriedJobs });
  const jobs = (build.jobs ?? []).filter((job) => job.id && (candidates?.test(job) ?? true));
  const word = candidates ? `${candidates.word} job` : 'job';
  if (jobs.length === 0) throw noJob(ref, word);
  const only = candidates !== undefined && !mutates && jobs.length === 1 ? jobs[0] : undefined;
  if (only === undefined && !context.prompts.available) {
    throw severalJobs(`which ${word}? There are`, ref, jobs);
  }
  const choices = jobs.map((job) => ({ label: labelOf(job), value: job }));
  const job = only ?? (await context.prompts.choose('Which job?', choices));
  return { ref: { ...ref, job: idOf(job) }, build, job };
}

const noJob = (ref: BuildRef, word: string) =>
  usageError(
    `which job? Build ${buildName(ref)} has no ${word}: name one`,
    `cictl job list ${buildName(ref)}`,
  );
