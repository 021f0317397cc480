import type { BuildRef } from '../api/refs.ts';
import type { Annotation } from '../api/resources/annotation.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job, Execution } from '../api/resources/job.ts';
import { shownState, currentExecutions, currentJobs } from '../watch/changes.ts';
import { jobTitle } from '../watch/job-title.ts';
import { causesOf, clueOf, type Cause, type Clue } from './causes.ts';
import { noExcerpt, type Excerpt, type ExcerptPart, fitExcerpt, wantedBytes } from './excerpt.ts';
import { countJobs, jobClass, jobLabel, type JobClass } from './job-words.ts';
import {
  boundedText,
  briefLines,
  byteLength,
  cutText,
  fairShares,
  maxOthers,
  type Limits,
} from './limits.ts';
import { logCommand } from './next-commands.ts';
import { quoted } from './quoted.ts';
import type { Report, Attempt, Failure, Follower, Counts } from './report-resource.ts';

/** A value, or an error message. */
export type ReadResult<T> = { readonly value: T } | { readonly error: string };

export interface Findings {
  readonly ref: BuildRef;
  readonly build: Build;
  readonly sorted: Sorted;
  /** The logs of the first failures, within the report's limit. `noExcerpt` if there is no log */
  readonly logs: readonly ReadResult<Excerpt>[];
  /** Defaults to the causes that the logs show */
  readonly causes?: readonly Cause[];
  readonly annotations: ReadResult<readonly Annotation[]>;
  /** Whether an annotation is truncated. By default, none is */
  readonly isCut?: ((annotation: Annotation) => boolean) | undefined;
  /** The number of errors and warnings that are not in `annotations`. Defaults to 0 */
  readonly moreAnnotations?: number | undefined;
  readonly toText: (html: string) => string;
  /** The name in `--profile`, because suggested commands need it as well */
  readonly profile?: string | undefined;
}

export function makeReport(findings: Findings, limits: Limits): Report {
  const { ref, build, sorted, logs, annotations } = findings;
  const explained = sorted.failures.slice(0, logs.length);
  const causes = findings.causes ?? causesOf(explained, cluesOf(explained, logs));
  const shown = causes.slice(0, limits.maxCauses);
  const found = 'value' in annotations ? annotations.value : [];
  const described = describe(findings, shown, found.slice(0, maxOthers), limits);
  const followed = sorted.followed.slice(0, maxOthers).map(({ job }) => followerPart(job, limits));
  const recovered = sorted.recovered.slice(0, maxOthers).map(({ job, earlier }) => ({
    ...followerPart(job, limits),
    retries: earlier.map(attemptPart),
  }));
  const omitted = {
    causes: causes.length - shown.length,
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
    causes: shown.map((cause) => causePart(cause, explained, described.failures, limits)),
    failures: described.failures,
    followed,
    recovered,
    annotations: described.annotations,
    annotations_fault: 'error' in annotations ? annotations.error : null,
    omitted,
    truncated: isCut || Object.values(omitted).some((count) => count > 0),
  };
}

const cluesOf = (
  failures: readonly Execution[],
  logs: readonly ReadResult<Excerpt>[],
): readonly Clue[] => failures.map(({ job }, at) => clueOf(job, excerptIn(logs[at])));

/** Empty if the log could not be read. */
export const excerptIn = (log: ReadResult<Excerpt> | undefined): Excerpt =>
  log !== undefined && 'value' in log ? log.value : noExcerpt;

/** The first job of a cause has its excerpt. The lines of its other jobs are few. */
function causePart(
  { signature, title, members }: Cause,
  explained: readonly Execution[],
  failures: readonly Failure[],
  { maxLineBytes }: Limits,
): Report['causes'][number] {
  const first = failures[members[0] ?? 0];
  return {
    signature,
    title,
    line: first?.last_line ?? null,
    jobs: members.flatMap((at) => {
      const job = explained[at]?.job;
      if (job === undefined) return [];
      const name = boundedText(jobLabel(job), maxLineBytes) ?? '';
      return [{ id: job.id ?? null, name, step_key: boundedText(job.step_key, maxLineBytes) }];
    }),
    excerpt: first?.lines ?? [],
  };
}

function describe(
  findings: Findings,
  causes: readonly Cause[],
  found: readonly Annotation[],
  limits: Limits,
): Pick<Report, 'failures' | 'annotations'> {
  const { sorted, logs, toText, isCut = () => false } = findings;
  const commands = sorted.failures.map(({ job }) => commandOf(job, findings));
  const excerpts = logs.map(excerptIn);
  const texts = found.map(({ body_html }) => toText(body_html ?? '').trimEnd());
  const isFirst = new Set(causes.map(({ members }) => members[0]));
  const brief: Limits = { ...limits, lines: Math.min(limits.lines, briefLines) };
  const sizes = excerpts.map((excerpt, at) =>
    wantedBytes(excerpt, isFirst.has(at) ? limits : brief, commands[at] ?? null),
  );
  const ofBrief = fairShares(
    sizes.map((size, at) => (isFirst.has(at) ? 0 : size)),
    Math.floor(limits.maxBytes / 4),
  );
  // The excerpt of a cause is printed twice: as such, and as the lines of its first job.
  const shares = fairShares(
    [
      ...sizes.map((size, at) => (isFirst.has(at) ? 2 * size : 0)),
      ...texts.map((text) => Math.min(byteLength(text), limits.maxJobBytes)),
    ],
    limits.maxBytes - ofBrief.reduce((sum, size) => sum + size, 0),
  );
  return {
    failures: sorted.failures.slice(0, logs.length).map((one, at) => {
      const [own, share] = isFirst.has(at)
        ? [limits, Math.floor((shares[at] ?? 0) / 2)]
        : [brief, ofBrief[at] ?? 0];
      return {
        ...failurePart(one, limits),
        ...fitExcerpt(excerpts[at] ?? noExcerpt, share, own, commands[at] ?? null),
        fault: errorOf(logs[at]),
      };
    }),
    annotations: found.map((note, at) => ({
      context: note.context ?? null,
      style: note.style ?? '',
      ...cutText(texts[at] ?? '', shares[excerpts.length + at] ?? 0, isCut(note)),
    })),
  };
}

/** A job has a log only if an agent ran it. */
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

const buildPart = (
  { org, pipeline, number }: BuildRef,
  build: Build,
  { maxLineBytes }: Limits,
): Report['build'] => ({
  ...{ organization: org, pipeline, number },
  state: shownState(build),
  blocked: build.blocked === true,
  cancel_reason: boundedText(build.cancel_reason, maxLineBytes),
  branch: boundedText(build.branch, maxLineBytes),
  commit: boundedText(build.commit, maxLineBytes),
  message: boundedText(build.message, maxLineBytes),
  started_at: build.started_at ?? null,
  finished_at: build.finished_at ?? null,
  web_url: build.web_url ?? null,
});

const failurePart = (
  { job, earlier }: Execution,
  limits: Limits,
): Omit<Failure, keyof ExcerptPart | 'fault'> => ({
  ...followerPart(job, limits),
  ...ending(job),
  web_url: job.web_url ?? null,
  triggered_build: job.triggered_build ?? null,
  retries: earlier.map(attemptPart),
});

const followerPart = (job: Job, { maxLineBytes }: Limits): Follower => ({
  id: job.id ?? null,
  name: boundedText(nameOf(job), maxLineBytes) ?? '',
  step_key: boundedText(job.step_key, maxLineBytes),
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

/** Finds the colored version of a log line, because reports contain only plain text. */
export function paintedLines(
  logs: readonly ReadResult<Excerpt>[],
): (failure: number, line: string) => string {
  const maps = logs.map((log) => {
    const lines = 'value' in log ? log.value.lines : [];
    return new Map(lines.map(({ text, painted = text }) => [text, painted]));
  });
  return (failure, line) => maps[failure]?.get(line) ?? line;
}

export interface Sorted {
  /** Jobs that failed on their own: first those that failed the build, then soft failures */
  readonly failures: readonly Execution[];
  /** Jobs that did not run or finish because of another job or a cancellation */
  readonly followed: readonly Execution[];
  /** Jobs that failed, but passed on a retry */
  readonly recovered: readonly Execution[];
  readonly counts: Counts;
}

export function sortJobs(build: Build): Sorted {
  const all = currentExecutions(build);
  const of = (...names: readonly JobClass[]): Execution[] =>
    all.filter(({ job }) => names.includes(jobClass(job)));
  const isStopped = build.state === 'canceled' || build.state === 'canceling';
  // If nothing else stopped the build, a canceled job is why it did not pass.
  const isCause = !isStopped && of('failed').length === 0;
  return {
    failures: [...of('failed'), ...(isCause ? of('canceled') : []), ...of('soft')],
    followed: isCause ? of('not run') : of('not run', 'canceled'),
    recovered: of('passed').filter(({ earlier }) => earlier.length > 0),
    counts: countsOf(build),
  };
}

/** Counts jobs as in the summary. Canceled jobs are neither in `failed` nor in `followed`. */
function countsOf(build: Build): Counts {
  const counts = countJobs(build);
  const of = (name: JobClass): number => counts.get(name) ?? 0;
  return {
    jobs: currentJobs(build).length,
    passed: of('passed'),
    failed: of('failed'),
    soft_failed: of('soft'),
    canceled: of('canceled'),
    followed: of('not run'),
    blocked: of('blocked'),
    skipped: of('skipped'),
    unfinished: of('running') + of('waiting'),
  };
}
