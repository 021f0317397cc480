import type { BuildRef } from '../api/refs.ts';
import type { Annotation } from '../api/resources/annotation.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { byteLength, cutText, fairShares } from './byte-budget.ts';
import { noExcerpt, type Excerpt } from './excerpt.ts';
import { fitExcerpt, wantedBytes } from './fit-excerpt.ts';
import { maxOthers, type Limits } from './limits.ts';
import { logCommand } from './log-command.ts';
import { quoted } from './quoted.ts';
import { buildPart, failurePart, followerPart, recoveryPart } from './report-parts.ts';
import type { Note, Report } from './report-resource.ts';
import type { Sorted } from './sort-jobs.ts';

/** What was read, or the message of the error. */
export type ReadResult<T> = { readonly value: T } | { readonly error: string };

export interface Findings {
  readonly ref: BuildRef;
  readonly build: Build;
  readonly sorted: Sorted;
  /** Of the first failures, as many as the report may hold; an empty one where there is no log. */
  readonly logs: readonly ReadResult<Excerpt>[];
  /** Errors and warnings, the weightiest first. */
  readonly annotations: ReadResult<readonly Annotation[]>;
  /** Whether an annotation is not there as a whole. Default: all are. */
  readonly isCut?: ((annotation: Annotation) => boolean) | undefined;
  /** How many errors and warnings there are beside those. Default 0. */
  readonly moreAnnotations?: number | undefined;
  /** Rendered HTML as text. */
  readonly toText: (html: string) => string;
  /** Named by a flag: the commands that are named need it too. */
  readonly profile?: string | undefined;
}

/** The report of a build, within its limits; whatever is cut says so. */
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

/** The parts that share the bytes of the whole: logs and annotations. */
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

/** Only what an agent has run has a log. */
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
