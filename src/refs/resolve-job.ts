import { buildName, type BuildRef, type JobRef } from '../api/refs.ts';
import type { Job } from '../api/resources/job.ts';
import { usageError } from '../errors.ts';
import { findJob, idOf, severalJobs, type FoundJob } from './find-job.ts';
import {
  isUuid,
  looksLikeBuild,
  noJobButBuild,
  parseBuild,
  parseJob,
  type ParsedJob,
} from './parse-reference.ts';
import {
  namedBuild,
  resolveBuild,
  surroundingBuild,
  type Surroundings,
  type PickableBuilds,
} from './resolve-build.ts';
import { completePipeline } from './resolve-pipeline.ts';
import { stateLabel } from '../render/state.ts';

export interface JobOptions {
  /** The command makes changes, so it prompts for a missing JOB instead of guessing. */
  readonly mutates: boolean;
  /** `--build`: the build, if JOB does not include one */
  readonly build?: string | undefined;
  /** Always searches retried jobs as well, not only if no other job matches */
  readonly includeRetriedJobs?: boolean;
  readonly preferred?: (job: Job) => boolean;
  /** The jobs to choose from if JOB is missing: `{ word: 'failed', test: isFailedJob }` */
  readonly candidates?: PickableJobs;
  readonly pickableBuilds?: PickableBuilds;
}

/** Exit code 2 if JOB is malformed, ambiguous or missing, 7 if the job does not exist. */
export async function resolveJob(
  context: Surroundings,
  text: string | undefined,
  options: JobOptions,
): Promise<FoundJob> {
  const { ref, job } = await locate(context, text, options);
  return job === undefined ? chooseJob(context, ref, options) : findJob(context, ref, job, options);
}

export const resolveJobRef = async (
  context: Surroundings,
  text: string | undefined,
  options: JobOptions,
): Promise<JobRef> => (await resolveNamedJob(context, text, options)).ref;

/** Like `resolveJobRef`, but also returns the job if it was looked up. */
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
    ? await namedBuild(context, build, options)
    : await resolveBuild(context, options.build, { mutates: options.mutates });
  return { ref, job };
}

/** With `--build`, the name of the job may contain a `#`. */
function parse(text: string, buildFlag: string | undefined): ParsedJob {
  if (buildFlag === undefined) {
    if (looksLikeBuild(text)) throw noJobButBuild(text);
    return parseJob(text);
  }
  parseBuild(buildFlag);
  const parsed = attempt(() => parseJob(text)) ?? { job: text };
  if (parsed.build === undefined) return parsed;
  throw usageError(`${JSON.stringify(text)} already names a build and cannot be used with --build`);
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
  const { mutates, pickableBuilds: pickable } = options;
  return { ref: await resolveBuild(context, options.build, { mutates, pickable }) };
}

/** Inside a job, read-only commands default to that job, unless another build is given. */
function ownJob(context: Surroundings, { build }: JobOptions): JobScope | undefined {
  const { jobId, build: chosen } = context.settings;
  if (jobId === undefined || build !== undefined || chosen !== undefined) return undefined;
  const pipeline = completePipeline(context, {});
  const number = surroundingBuild(context, pipeline);
  return number === undefined ? undefined : { ref: { ...pipeline, number }, job: jobId };
}

const leftOut = ({ build = 'BUILD' }: JobOptions) =>
  usageError('no JOB given; use JOB --build BUILD, or BUILD#JOB', `cictl job list ${build}`);

/** If JOB is missing, uses the only candidate. Prompts if there are several, or before a change. */
async function chooseJob(
  context: Surroundings,
  ref: BuildRef,
  { candidates, mutates, includeRetriedJobs = false }: JobOptions,
): Promise<FoundJob> {
  const { builds } = await context.client();
  const build = await builds.get(ref, { includeRetriedJobs });
  const all = (build.jobs ?? []).filter((job) => job.id && job.type !== 'waiter');
  const jobs = all.filter((job) => candidates?.test(job) ?? true);
  const only = candidates !== undefined && !mutates && jobs.length === 1 ? jobs[0] : undefined;
  const job = only ?? (await askForJob(context, ref, all, jobs, candidates));
  return { ref: { ...ref, job: idOf(job) }, build, job };
}

function askForJob(
  { prompts }: Surroundings,
  ref: BuildRef,
  all: readonly Job[],
  jobs: readonly Job[],
  candidates: PickableJobs | undefined,
): Promise<Job> {
  const kind = candidates ? `${candidates.word} job` : 'job';
  const others = all.filter((job) => !jobs.includes(job) && candidates?.others?.(job));
  const offered = prompts.available ? [...jobs, ...others] : jobs;
  if (offered.length === 0) throw noJob(ref, kind);
  if (!prompts.available)
    throw severalJobs(
      `no JOB given, and build ${buildName(ref)} has ${jobs.length} ${kind}s`,
      ref,
      jobs,
    );
  const what = others.length > 0 ? 'job' : kind;
  const choices = offered.map((job) => ({ cells: cellsOf(job), value: job }));
  return prompts.choose(`Which ${what} of ${buildName(ref)}?`, choices);
}

const noJob = (ref: BuildRef, kind: string) =>
  usageError(
    `no JOB given, and build ${buildName(ref)} has no ${kind}`,
    `cictl job list ${buildName(ref)}`,
  );

interface PickableJobs {
  readonly word: string;
  readonly test: (job: Job) => boolean;
  /** Jobs that a prompt lists after the candidates. Defaults to none */
  readonly others?: (job: Job) => boolean;
}

const cellsOf = (job: Job): string[] => [
  stateLabel(job.state ?? '', job),
  titleOf(job),
  job.step_key ? `#${job.step_key}` : '',
  typeof job.exit_status === 'number' ? `exit ${job.exit_status}` : '',
  job.retried === true ? 'retried' : '',
];

/** Adds the index of a parallel job, because parallel jobs have the same name. */
function titleOf(job: Job): string {
  const { parallel_group_index: index, parallel_group_total: total } = job;
  const name = job.name ?? job.label ?? job.step_key ?? job.type ?? '';
  return typeof index === 'number' && typeof total === 'number'
    ? `${name} ${index + 1}/${total}`
    : name;
}
