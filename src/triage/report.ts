import type { BuildRef } from '../api/refs.ts';
import type { Annotation } from '../api/resources/annotation.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job, Execution } from '../api/resources/job.ts';
import { byteLength, cutText, fairShares, maxOthers, type Limits } from './limits.ts';
import { noExcerpt, type Excerpt, fitExcerpt, wantedBytes } from './excerpt.ts';
import { logCommand } from './next-commands.ts';
import { quoted } from './quoted.ts';
import type {
  Note,
  Report,
  Attempt,
  Failure,
  Follower,
  Recovery,
  Counts,
} from './report-resource.ts';
import { jobTitle } from '../watch/job-title.ts';
import { shownState, currentExecutions } from '../watch/changes.ts';

/** The value, or the message of the error. */
export type ReadResult<T> = { readonly value: T } | { readonly error: string };

export interface Findings {
  readonly ref: BuildRef;
  readonly build: Build;
  readonly sorted: Sorted;
  /**
   * Logs of the first failures, as many as the report may contain; an empty excerpt if there is no
   * log.
   */
  readonly logs: readonly ReadResult<Excerpt>[];
  /** Errors and warnings, most important first. */
  readonly annotations: ReadResult<readonly Annotation[]>;
  /** Whether an annotation is truncated. Default: none is. */
  readonly isCut?: ((annotation: Annotation) => boolean) | undefined;
  /** The number of further errors and warnings. Default 0. */
  readonly moreAnnotations?: number | undefined;
  /** Converts rendered HTML to text. */
  readonly toText: (html: string) => string;
  /** From `--profile`: suggested commands need it, too. */
  readonly profile?: string | undefined;
}

/** The report of a build within its limits; truncated parts say so. */
export function makeReport(findings: Findings, limits: Limits): Report {
  const { ref, build, sorted, annotations } = findings;
  const found = 'value' in annotations ? annotations.value : [];
  const described = describe(findings, found.slice(0, maxOthers), limits);
  const followed = sorted.followed.slice(0, maxOthers).map(({ job }) => followerPart(job, limits));
  const recovered = sorted.recovered.slice(0, maxOthers).map((one) => recoveryPart(one, limits));
  const omitted = {
    failures: sorted.failures.length - described.failures.length,
    followed: sorted.followed.length - followed.length,
    recovered: sorted.recovered.length - recovered.length,
    annotations: found.length + (findings.moreAnnotations ?? 0) - described.annotations.length,
  };
  const isCut = [...described.failures, ...described.annotations].some(
    ({ truncated }) => truncated,
  );
  return {
    build: buildPart(ref, build, limits),
    counts: sorted.counts,
    failures: described.failures,
    followed,
    recovered,
    annotations: described.annotations,
    annotations_fault: 'error' in annotations ? annotations.error : null,
    omitted,
    truncated: isCut || Object.values(omitted).some((count) => count > 0),
  };
}

/** The parts that share the bytes of the report: logs and annotations. */
function describe(
  findings: Findings,
  found: readonly Annotation[],
  limits: Limits,
): Pick<Report, 'failures' | 'annotations'> {
  const { sorted, logs, toText, isCut = () => false } = findings;
  const commands = sorted.failures.map(({ job }) => commandOf(job, findings));
  const excerpts = logs.map((log) => ('value' in log ? log.value : noExcerpt));
  const texts = found.map(({ body_html }) => toText(body_html ?? '').trimEnd());
  const sizes = [
    ...excerpts.map((excerpt, at) => wantedBytes(excerpt, limits, commands[at] ?? null)),
    ...texts.map((text) => Math.min(byteLength(text), limits.maxJobBytes)),
  ];
  const shares = fairShares(sizes, limits.maxBytes);
  return {
    failures: sorted.failures.slice(0, logs.length).map((one, at) => ({
      ...failurePart(one, limits),
      ...fitExcerpt(excerpts[at] ?? noExcerpt, shares[at] ?? 0, limits, commands[at] ?? null),
      fault: errorOf(logs[at]),
    })),
    annotations: found.map((note, at) =>
      notePart(note, cutText(texts[at] ?? '', shares[excerpts.length + at] ?? 0, isCut(note))),
    ),
  };
}

/** Only jobs that an agent ran have a log. */
function commandOf(job: Job, { ref, build, profile }: Findings): string | null {
  if ((job.type ?? 'script') !== 'script') return null;
  const current = (build.jobs ?? []).filter(({ retried }) => retried !== true);
  const command = logCommand(job, `${ref.org}/${ref.pipeline}/${ref.number}`, current);
  return command === null || profile === undefined
    ? command
    : `${command} --profile ${quoted(profile)}`;
}

const errorOf = (log: ReadResult<unknown> | undefined): string | null =>
  log !== undefined && 'error' in log ? log.error : null;

const notePart = (
  { context, style }: Annotation,
  text: Pick<Note, 'text' | 'truncated'>,
): Note => ({ context: context ?? null, style: style ?? '', ...text });

type LineLimit = Pick<Limits, 'maxLineBytes'>;

/** A build does not contain its organization, so that the reference is used. */
const buildPart = (ref: BuildRef, build: Build, limits: LineLimit): Report['build'] => ({
  organization: ref.org,
  pipeline: ref.pipeline,
  number: ref.number,
  state: shownState(build),
  blocked: build.blocked === true,
  cancel_reason: bounded(build.cancel_reason, limits),
  branch: bounded(build.branch, limits),
  commit: bounded(build.commit, limits),
  message: bounded(build.message, limits),
  started_at: build.started_at ?? null,
  finished_at: build.finished_at ?? null,
  web_url: build.web_url ?? null,
});

const failurePart = ({ job, earlier }: Execution, limits: LineLimit): Omit<Failure, keyof Log> => ({
  ...followerPart(job, limits),
  ...ending(job),
  web_url: job.web_url ?? null,
  triggered_build: job.triggered_build ?? null,
  retries: earlier.map(attemptPart),
});

type Log = Pick<
  Failure,
  | 'section'
  | 'lines'
  | 'cause'
  | 'last_line'
  | 'omitted_lines'
  | 'log_command'
  | 'truncated'
  | 'fault'
>;

const recoveryPart = ({ job, earlier }: Execution, limits: LineLimit): Recovery => ({
  ...followerPart(job, limits),
  retries: earlier.map(attemptPart),
});

const followerPart = (job: Job, limits: LineLimit): Follower => ({
  id: job.id ?? null,
  name: bounded(nameOf(job), limits) ?? '',
  step_key: bounded(job.step_key, limits),
  type: job.type ?? 'script',
  state: job.state ?? 'unknown',
});

const nameOf = (job: Job): string =>
  job.type === 'waiter' ? (job.name ?? job.label ?? 'wait') || 'wait' : jobTitle(job);

const attemptPart = (job: Job): Attempt => ({
  id: job.id ?? null,
  ...ending(job),
  retry_type: job.retry_type ?? null,
});

const ending = (job: Job): Omit<Attempt, 'id' | 'retry_type'> => ({
  state: job.state ?? 'unknown',
  soft_failed: job.soft_failed === true,
  exit_status: job.exit_status ?? null,
  signal: job.signal || null,
  signal_reason: job.signal_reason || null,
  started_at: job.started_at ?? null,
  finished_at: job.finished_at ?? null,
});

const bounded = (text: string | null | undefined, { maxLineBytes }: LineLimit): string | null =>
  text ? cutText(text, maxLineBytes).text : null;

/**
 * Looks up the colored form of a log line by the index of its log and its plain text, because a
 * report contains no colors. Unknown lines are returned unchanged.
 */
export function paintedLines(
  logs: readonly ReadResult<Excerpt>[],
): (failure: number, line: string) => string {
  const maps = logs.map((log) => ('value' in log ? paints(log.value) : new Map<string, string>()));
  return (failure, line) => maps[failure]?.get(line) ?? line;
}

const paints = ({ lines }: Excerpt): Map<string, string> =>
  new Map(lines.flatMap(({ text, painted }) => (painted === undefined ? [] : [[text, painted]])));

type Class = Exclude<keyof Counts, 'jobs'>;

export interface Sorted {
  /** Jobs that failed by themselves: first those that failed the build, then soft failures. */
  readonly failures: readonly Execution[];
  /** Jobs that did not run or finish because of something else. */
  readonly followed: readonly Execution[];
  /** Jobs that failed first and passed on a retry. */
  readonly recovered: readonly Execution[];
  readonly counts: Counts;
}

/** Separates the jobs of a build into causes and consequences; each job counts once. */
export function sortJobs(build: Build): Sorted {
  const all = currentExecutions(build);
  const hasFailed = all.some((execution) => classOf(execution) === 'failed');
  const isStopped = hasFailed || build.state === 'canceled' || build.state === 'canceling';
  const sorted = new Map(all.map((one) => [one, classOf(one, isStopped)]));
  const of = (wanted: Class): Execution[] => all.filter((one) => sorted.get(one) === wanted);
  return {
    failures: [...of('failed'), ...of('soft_failed')],
    followed: of('followed'),
    recovered: of('passed').filter(({ earlier }) => earlier.length > 0),
    counts: {
      jobs: all.length,
      passed: of('passed').length,
      failed: of('failed').length,
      soft_failed: of('soft_failed').length,
      followed: of('followed').length,
      blocked: of('blocked').length,
      skipped: of('skipped').length,
      unfinished: of('unfinished').length,
    },
  };
}

/**
 * A job that was canceled with its build, or after another job failed, is a consequence. A job that
 * was canceled by itself is why the build did not pass. Unknown states count as unfinished.
 */
function classOf({ job }: Execution, isStopped = true): Class {
  const state = job.state ?? '';
  if (state === 'canceled') return isStopped ? 'followed' : 'failed';
  const found = classes.get(state) ?? 'unfinished';
  return found === 'failed' && job.soft_failed === true ? 'soft_failed' : found;
}

const classes = new Map<string, Class>([
  ['passed', 'passed'],
  ['unblocked', 'passed'],
  ['failed', 'failed'],
  ['timed_out', 'failed'],
  ['expired', 'failed'],
  ['broken', 'followed'],
  ['waiting_failed', 'followed'],
  ['blocked_failed', 'followed'],
  ['unblocked_failed', 'followed'],
  ['blocked', 'blocked'],
  ['skipped', 'skipped'],
]);
