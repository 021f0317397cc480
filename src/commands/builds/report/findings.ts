import type { Annotation } from '../../../api/resources/annotation.ts';
import type { Context } from '../../../context.ts';
import { lineMarkup } from '../../../log/html/line-markup.ts';
import { warningAnnotations } from '../../../triage/annotations.ts';
import { noExcerpt } from '../../../triage/excerpt.ts';
import { byteLength, type Limits } from '../../../triage/limits.ts';
import type { Failure } from '../../../triage/report-resource.ts';
import { paintedLines, makeReport, type Findings } from '../../../triage/report.ts';
import { htmlReader, namedProfile } from '../failures-gather.ts';
import { reportLimits, type Gathered } from './gather.ts';

export const limitsWithin = (maxBytes: number): Limits => ({
  ...reportLimits,
  maxBytes: Math.min(reportLimits.maxBytes, maxBytes),
});

export async function findingsOf(
  { ref, build, sorted, annotations: all, logs: read }: Gathered,
  context: Context,
): Promise<Findings> {
  const results = new Map(read.map(({ job, result }) => [job, result]));
  const logs = sorted.failures.slice(0, reportLimits.maxCauses).map(({ job }) => {
    const result = results.get(job);
    if (result === undefined) return { value: noExcerpt };
    return 'value' in result ? { value: result.value.excerpt } : result;
  });
  const kept = 'value' in all ? all.value : { annotations: [], more: 0 };
  const annotations = 'value' in all ? { value: warningAnnotations(kept.annotations) } : all;
  const cut = new Set<Annotation>(kept.annotations.filter(({ isCut }) => isCut));
  return {
    ...{ ref, build, sorted, logs, annotations },
    toText: await htmlReader(annotations),
    isCut: (annotation) => cut.has(annotation),
    moreAnnotations: kept.more,
    profile: namedProfile(context),
  };
}

export interface Explained {
  /** `markup` contains the lines that explain a failure, with colors. */
  readonly failures: readonly (Failure & { readonly markup: readonly string[] })[];
  /** Number of failed jobs that are not in `failures`. */
  readonly more: number;
  /** Size of the markup in bytes */
  readonly size: number;
}

/**
 * Explains the failures in at most `maxBytes` of markup (which is longer than plain text). Omits
 * annotations, because the page shows them anyway.
 */
export async function explained(
  gathered: Gathered,
  maxBytes: number,
  context: Context,
): Promise<Explained> {
  const annotations = { value: { annotations: [], more: 0 } };
  const findings = await findingsOf({ ...gathered, annotations }, context);
  for (let textBytes = maxBytes; ;) {
    const made = painted(findings, textBytes);
    if (made.size <= maxBytes || textBytes === 0) return made;
    textBytes = Math.floor((textBytes * maxBytes) / made.size);
  }
}

function painted(findings: Findings, textBytes: number): Explained {
  const { failures, omitted } = makeReport(findings, limitsWithin(textBytes));
  const paint = paintedLines(findings.logs);
  const markupOf = lineMarkup();
  const withMarkup = failures.map((failure, at) => ({
    ...failure,
    markup: failure.lines.map((line) => markupOf(paint(at, line))),
  }));
  const lines = withMarkup.flatMap(({ markup }) => markup);
  const size = lines.reduce((sum, line) => sum + byteLength(line) + 1, 0);
  return { failures: withMarkup, more: omitted.failures, size };
}

/** Removes the secrets of this process and anything that looks like a token. */
export const redactText = (text: string, { secrets }: Pick<Context, 'secrets'>): string =>
  secrets.redact(text).replace(tokens, '[REDACTED]');

/** Prefixes of tokens of well-known services. */
const tokens = new RegExp(
  [
    'gh[oprsu]_[A-Za-z0-9]{16,}',
    'github_pat_\\w{20,}',
    'glpat-[\\w-]{16,}',
    'bk[a-z]{2}_[A-Za-z0-9]{16,}',
    'xox[a-z]-[\\w-]{16,}',
    'npm_[A-Za-z0-9]{36}',
    'sk_live_[A-Za-z0-9]{16,}',
    '(?:AKIA|ASIA)[A-Z0-9]{16}',
  ].join('|'),
  'g',
);
