import type { BuildRef } from '../api/refs.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';
import { createPainter } from '../render/painter.ts';
import { liveView } from './live-view.ts';
import { worst, type OutcomeOptions } from './outcome.ts';
import { jsonView, lineView, viewKind, type View } from './view.ts';
import { writtenNames } from './written-names.ts';
import { endLine, goesOn } from './end-line.ts';
import { commandScope } from './command-scope.ts';
import { watchBuild, type WatchResult } from './watch-build.ts';
import { createOutageReporter } from './outage.ts';
import type { Target } from './target.ts';

/** How long and how closely to watch; all durations in milliseconds. */
export interface WatchOptions extends OutcomeOptions {
  /** Between two requests; without it, the interval adapts. */
  readonly interval?: number | undefined;
  /** For which the service may stay out of reach; default half an hour. */
  readonly maxOutage?: number | undefined;
  /** Ends as soon as a build is certain to fail. */
  readonly failFast?: boolean | undefined;
  /** Shows the end of the log of what fails. */
  readonly logs?: boolean | undefined;
  /** Sounds when the last build has ended. */
  readonly bell?: boolean | undefined;
  /** The service has responded to this command already. */
  readonly wasReached?: boolean | undefined;
}

/**
 * Watches builds until all have settled, and resolves to the largest of their exit codes
 * (interface, "Exit codes"). Throws what ends the watching of one of them: the timeout (124), an
 * outage that lasts (9), an interrupt.
 */
export async function watchBuilds(
  targets: readonly Target[],
  options: WatchOptions,
  context: Context,
): Promise<number> {
  const { signal, messages } = context;
  const client = await context.client();
  const view = createView(targets.length > 1, context);
  const outage = createOutageReporter(view, context);
  const found: BuildRef[] = [];
  const onFound = (ref: BuildRef): void => void found.push(ref);
  const parts = { client, view, outage, options, context, onFound };
  const results = await watchAll(targets, signal, (target, signal) =>
    watchBuild(target, { ...parts, signal }),
  )
    .catch((error: unknown) => {
      if (!isStop(error)) ring(options, messages);
      throw withWayBack(error, found, context);
    })
    .finally(() => view.close());
  ring(options, messages);
  for (const result of results) await sayEnd(result, context);
  return worst(results.map(({ exitCode }) => exitCode));
}

/** What passed needs no sentence in a pipe, where the last line says it. */
async function sayEnd(
  result: WatchResult,
  { out, clock, messages, settings }: Context,
): Promise<void> {
  if (result.exitCode === 0 && viewKind(out) !== 'live') return;
  const names = writtenNames();
  if (messages.isTerminal) await names.prepare(result.build);
  messages.note(endLine(result, clock.now(), commandScope(settings), names.nameOf));
}

/** Who stops watching learns that the build goes on, and how to see it again. */
function withWayBack(error: unknown, found: readonly BuildRef[], { settings }: Context): unknown {
  if (!isStop(error) || found.length === 0) return error;
  const message = `${error.message}: ${goesOn(found, commandScope(settings))}`;
  return new CictlError(error.kind, message, { cause: error });
}

/** Whoever stops it knows, and needs no bell. */
const isStop = (error: unknown): error is CictlError =>
  error instanceof CictlError && (error.kind === 'interrupted' || error.kind === 'terminated');

const ring = ({ bell }: WatchOptions, messages: Context['messages']): void =>
  bell === true ? messages.bell() : undefined;

function createView(several: boolean, { out, clock, messages, secrets }: Context): View {
  const viewContext = { out, clock, messages };
  const kind = viewKind(out);
  if (kind === 'json') return jsonView(viewContext);
  if (kind === 'lines') return lineView(viewContext, { several });
  return liveView({ ...viewContext, secrets, painter: createPainter(out) });
}

/** All at once; the first error ends the others, and they have ended when it is thrown. */
async function watchAll(
  targets: readonly Target[],
  outer: AbortSignal,
  watch: (target: Target, signal: AbortSignal) => Promise<WatchResult>,
): Promise<WatchResult[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([outer, stop.signal]);
  const all = targets.map((target) => watch(target, signal));
  try {
    return await Promise.all(all);
  } finally {
    stop.abort(new Error('the watching of another build has ended'));
    await Promise.allSettled(all);
  }
}
