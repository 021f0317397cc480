import type { BuildRef } from '../../api/refs.ts';
import type { Annotation } from '../../api/resources/annotation.ts';
import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { buildScreen } from '../../triage/build-screen.ts';
import { nextOfBuild } from '../../triage/next-commands.ts';
import { shownJobs } from '../../watch/changes.ts';
import { buildWithEmojis } from '../../triage/shown-emojis.ts';
import { commandScope } from '../../watch/command-scope.ts';
import { eachAnnotation } from './read-parts.ts';
import type { buildsView } from './index.ts';

type ViewInput = Omit<Input<typeof buildsView>, 'build'>;

/** A build on a screen; its annotations are counted, where they can be read. */
export async function viewScreen(
  ref: BuildRef,
  { includeRetriedJobs, summary }: ViewInput,
  context: Context,
): Promise<void> {
  const { out, clock } = context;
  const { builds } = await context.client();
  const build = await builds.get(ref, { includeRetriedJobs });
  // Where nothing has run, nothing has said anything either.
  const annotations = shownJobs(build).length === 0 ? [] : await readAnnotations(ref, context);
  const { pipeline, number } = ref;
  const next = nextOfBuild(ref, build, commandScope(context.settings));
  const now = clock.now();
  if (summary && (out.format !== 'table' || context.settings.fields !== undefined)) {
    const { printSummary } = await import('./print-summary.ts');
    return printSummary({ ref, build, annotations, next, now }, context);
  }
  await out.write(
    buildScreen(await buildWithEmojis(build), {
      ...{ pipeline, number, annotations, next, now, short: summary },
      ...{ colors: out.color, width: out.width },
    }),
  );
}

/** They are no more than counted: where they cannot be read, the build is shown without them. */
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
