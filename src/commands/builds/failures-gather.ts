/** The requests of `builds failures`: the build, the logs of what failed, the annotations. */
import type { BuildRef } from '../../api/refs.ts';
import type { Client } from '../../api/client.ts';
import type { Annotation } from '../../api/resources/annotation.ts';
import type { Job } from '../../api/resources/job.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { isWarning, warningAnnotations } from '../../triage/annotations.ts';
import { excerptOf, noExcerpt, type Excerpt } from '../../triage/excerpt.ts';
import { tailBytes, type Limits } from '../../triage/limits.ts';
import { type Findings, type ReadResult, sortJobs } from '../../triage/report.ts';
import { mapConcurrent } from '../async.ts';
import { attempt, mayHaveLog, eachAnnotation, readLogEnd } from './read-parts.ts';

/** At most this many requests at once. */
const width = 4;

/** A log or annotations that cannot be read are reported in their place; the build must exist. */
export async function gatherFailures(
  ref: BuildRef,
  limits: Limits,
  colours: boolean,
  context: Context,
): Promise<Findings> {
  const client = await context.client();
  const build = await client.builds.get(ref, { includeRetriedJobs: true });
  const sorted = sortJobs(build);
  let annotations: ReadResult<readonly Annotation[]> = { value: [] };
  const logs: ReadResult<Excerpt>[] = [];
  const tasks = [
    async () => void (annotations = await attempt(() => readWarnings(ref, client), context)),
    ...sorted.failures.slice(0, limits.maxJobs).map(({ job }, at) => async () => {
      logs[at] = await attempt(() => readLog({ ...ref, job }, limits, colours, client), context);
    }),
  ];
  await mapConcurrent(tasks, width, (task) => task());
  const toText = await htmlReader(annotations);
  return { ref, build, sorted, logs, annotations, toText, profile: namedProfile(context) };
}

/** Of no other flag can a command that is named know. */
export const namedProfile = ({ settings }: Context): string | undefined =>
  isFromFlag(settings, 'profile') ? settings.profile : undefined;

async function readLog(
  ref: BuildRef & { readonly job: Job },
  limits: Limits,
  colours: boolean,
  client: Client,
): Promise<Excerpt> {
  if (limits.lines === 0 || !mayHaveLog(ref.job)) return noExcerpt;
  return excerptOf(await readLogEnd(ref, tailBytes(limits), client), limits.lines, colours);
}

async function readWarnings(ref: BuildRef, client: Client): Promise<Annotation[]> {
  const found: Annotation[] = [];
  for await (const annotation of eachAnnotation(ref, client))
    if (isWarning(annotation)) found.push(annotation);
  return warningAnnotations(found);
}

/** The library behind it is loaded only where there is something to be read. */
export async function htmlReader(
  annotations: ReadResult<readonly Annotation[]>,
): Promise<Findings['toText']> {
  if (!('value' in annotations) || annotations.value.length === 0) return () => '';
  const { htmlToText } = await import('../../render/html-text.ts');
  return (html) => htmlToText(html, Infinity);
}
