import type { Context } from '../../context.ts';
import { warningAnnotations } from '../../triage/annotations.ts';
import { noExcerpt } from '../../triage/excerpt.ts';
import type { Findings } from '../../triage/report.ts';
import { htmlReader, namedProfile } from './failures-gather.ts';
import { reportLimits, type Gathered } from './report-gather.ts';

/** What was gathered, as `builds failures` would have found it. */
export async function findingsOf(
  { ref, build, sorted, annotations: all, logs: read }: Gathered,
  context: Context,
): Promise<Findings> {
  const results = new Map(read.map(({ job, result }) => [job, result]));
  const logs = sorted.failures.slice(0, reportLimits.maxJobs).map(({ job }) => {
    const result = results.get(job);
    if (result === undefined) return { value: noExcerpt };
    return 'value' in result ? { value: result.value.excerpt } : result;
  });
  const annotations = 'value' in all ? { value: warningAnnotations(all.value) } : all;
  const toText = await htmlReader(annotations);
  return { ref, build, sorted, logs, annotations, toText, profile: namedProfile(context) };
}
