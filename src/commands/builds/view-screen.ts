import { stringifyJson } from '../../api/json.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Annotation } from '../../api/resources/annotation.ts';
import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { buildScreen } from '../../triage/build-screen.ts';
import { nextOfBuild } from '../../triage/next-commands.ts';
import { buildWithEmojis } from '../../triage/shown-emojis.ts';
import type { SummaryParts } from '../../triage/summary.ts';
import { shownJobs } from '../../watch/changes.ts';
import { commandScope } from '../../watch/command-scope.ts';
import type { buildsView } from './index.ts';
import { eachAnnotation } from './read-parts.ts';

export async function viewScreen(
  ref: BuildRef,
  { includeRetriedJobs, summary }: Omit<Input<typeof buildsView>, 'build'>,
  context: Context,
): Promise<void> {
  const { out, settings } = context;
  const { builds } = await context.client();
  const build = await builds.get(ref, { includeRetriedJobs });
  // A build without jobs cannot have annotations.
  const annotations = shownJobs(build).length === 0 ? [] : await readAnnotations(ref, context);
  const { pipeline, number } = ref;
  const next = nextOfBuild(ref, build, commandScope(settings));
  const now = context.clock.now();
  if (summary && (out.format !== 'table' || settings.fields !== undefined))
    return printSummary({ ref, build, annotations, next, now }, context);
  await out.write(
    buildScreen(await buildWithEmojis(build), {
      ...{ pipeline, number, annotations, next, now, short: summary },
      ...{ colors: out.color, width: out.width },
    }),
  );
}

/** Returns undefined if the annotations cannot be read, because only their number is shown. */
async function readAnnotations(
  ref: BuildRef,
  context: Context,
): Promise<readonly Annotation[] | undefined> {
  const client = await context.client();
  const found: Annotation[] = [];
  try {
    for await (const annotation of eachAnnotation(ref, client)) found.push(annotation);
    return found;
  } catch (error) {
    if (!(error instanceof CictlError) || context.signal.aborted) throw error;
    context.messages.debug(error.message);
    return undefined;
  }
}

/** In a pipe, the default is one line of JSON, because a summary has no rows. */
async function printSummary(parts: SummaryParts, { out, settings }: Context): Promise<void> {
  const { summaryResource, makeSummary } = await import('../../triage/summary.ts');
  const summary = makeSummary(parts);
  const { output, fields, jq } = settings;
  const hasFormat = [output, fields, jq].some((one) => one !== undefined);
  if (out.format === 'tsv' && !hasFormat) return out.write(`${stringifyJson(summary)}\n`);
  return out.one(summaryResource, summary);
}
