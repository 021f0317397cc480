/** Requests for `builds failures`: the build, the logs of failed jobs, and the annotations. */
import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Annotation } from '../../api/resources/annotation.ts';
import type { Job } from '../../api/resources/job.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { isWarning, warningAnnotations } from '../../triage/annotations.ts';
import { causesOf, clueOf, type Clue } from '../../triage/causes.ts';
import { briefExcerpt, excerptOf, noExcerpt, type Excerpt } from '../../triage/excerpt.ts';
import { briefBytes, briefLines, tailBytes, type Limits } from '../../triage/limits.ts';
import { excerptIn, type Findings, type ReadResult, sortJobs } from '../../triage/report.ts';
import { mapConcurrent } from '../async.ts';
import { attempt, eachAnnotation, mayHaveLog, maxRequests, readLogEnd } from './read-parts.ts';

/** Returns read errors of logs and annotations as values; throws if the build is unreadable. */
export async function gatherFailures(
  ref: BuildRef,
  limits: Limits,
  colors: boolean,
  context: Context,
): Promise<Findings> {
  const client = await context.client();
  const build = await client.builds.get(ref, { includeRetriedJobs: true });
  const sorted = sortJobs(build);
  const { failures } = sorted;
  // Reading the long ends of hundreds of logs would take too much time and memory.
  const isBrief = failures.length > limits.maxCauses;
  let annotations: ReadResult<readonly Annotation[]> = { value: [] };
  const logs: ReadResult<Excerpt>[] = [];
  const clues: Clue[] = [];
  const readLog = (job: Job, most: number): Promise<ReadResult<Excerpt>> =>
    attempt(async () => {
      if (limits.lines === 0 || !mayHaveLog(job)) return noExcerpt;
      return excerptOf(await readLogEnd({ ...ref, job }, most, client), limits.lines, colors);
    }, context);
  const tasks = [
    async () => void (annotations = await attempt(() => readWarnings(ref, client), context)),
    ...failures.map(({ job }, at) => async () => {
      const log = await readLog(job, isBrief ? briefBytes : tailBytes(limits));
      clues[at] = clueOf(job, excerptIn(log));
      logs[at] = isBrief && 'value' in log ? { value: briefExcerpt(log.value, briefLines) } : log;
    }),
  ];
  await mapConcurrent(tasks, maxRequests, (task) => task());
  const causes = causesOf(failures, clues);
  if (isBrief) {
    const shown = causes.slice(0, limits.maxCauses);
    await mapConcurrent(shown, maxRequests, async ({ members: [first = 0] }) => {
      const job = failures[first]?.job;
      if (job !== undefined) logs[first] = await readLog(job, tailBytes(limits));
    });
  }
  const toText = await htmlReader(annotations);
  return { ref, build, sorted, logs, causes, annotations, toText, profile: namedProfile(context) };
}

/** The profile if suggested command lines must include `--profile`. */
export const namedProfile = ({ settings }: Context): string | undefined =>
  isFromFlag(settings, 'profile') ? settings.profile : undefined;

async function readWarnings(ref: BuildRef, client: Client): Promise<Annotation[]> {
  const found: Annotation[] = [];
  for await (const annotation of eachAnnotation(ref, client))
    if (isWarning(annotation)) found.push(annotation);
  return warningAnnotations(found);
}

export async function htmlReader(
  annotations: ReadResult<readonly Annotation[]>,
): Promise<Findings['toText']> {
  if (!('value' in annotations) || annotations.value.length === 0) return () => '';
  const { htmlToText } = await import('../../render/html-text.ts');
  return (html) => htmlToText(html, Infinity);
}
