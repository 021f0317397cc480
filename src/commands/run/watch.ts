import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Context } from '../../context.ts';
import { CictlError, toExit } from '../../errors.ts';
import { ReaderGone } from '../../render/data-stream.ts';
import type { BuildReader } from './view.ts';
import { followBuild } from '../../watch/poll.ts';
import { buildExit, isSettled, isActive, isBlocked } from '../../watch/outcome.ts';
import { jobTitle } from '../../watch/job-title.ts';
import { typedJob } from '../../watch/command-scope.ts';
import type { View } from '../../watch/view.ts';
import type { Job } from '../../api/resources/job.ts';
import { emojisFor } from '../../render/shortcodes.ts';
import { cleanLine } from '../../common/untrusted-text.ts';
import { askFields } from '../ask-fields.ts';

interface Watched {
  readonly client: Client;
  readonly ref: BuildRef;
  readonly reader: BuildReader;
  /** Opens a new view after each prompt. */
  readonly openView: () => View;
}

interface Watching extends Watched {
  readonly view: View;
}

/**
 * Shows the build until it settles, and resolves to its exit code and last state. On a terminal,
 * prompts for blocked jobs. If the wait ends for any other reason (Ctrl-C, timeout, closed pipe),
 * cancels the build and waits until its jobs have finished.
 */
export async function watchRun(watched: Watched, context: Context): Promise<WatchedRun> {
  const latest: LatestBuild = { declined: new Set() };
  for (;;) {
    const run = await watchOnce(watched, context, latest);
    if (run !== undefined) return run;
  }
}

export interface WatchedRun {
  readonly exitCode: number;
  readonly build: Build;
}

/** Returns undefined if the user unblocked a job, in which case the build continues. */
async function watchOnce(
  watched: Watched,
  context: Context,
  latest: LatestBuild,
): Promise<WatchedRun | undefined> {
  const { client } = watched;
  const view = closingOnce(watched.openView());
  const watching = { ...watched, view };
  try {
    const build = await restOf(watching, context, latest);
    const { waiting, declined } = latest;
    const exitCode = waiting === undefined ? buildExit(build) : 4;
    const asks = waiting !== undefined && unanswered(waiting.build, declined).length > 0;
    if (!asks || !mayAsk(context)) {
      await view.report({ event: 'end', build, exitCode });
      if (waiting !== undefined) await view.note(unblockHint(waiting));
      return { exitCode, build };
    }
    // Close the live frame, because the prompt uses the same lines.
    await view.close();
    const asked = askToUnblock(client, waiting.ref, waiting.build, context, declined);
    if (await asked.catch(unlessUnanswered)) return undefined;
    context.messages.note(unblockHint(waiting));
    return { exitCode, build };
  } catch (error) {
    await cancelInOrder(watching, context, latest, error);
    throw error;
  } finally {
    await view.close();
  }
}

/** Prompts for blocked jobs even while other jobs are running. */
async function restOf(watching: Watching, context: Context, latest: LatestBuild): Promise<Build> {
  const { client, ref, view } = watching;
  for (;;) {
    const build = await settled(watching, context, latest, context.signal, mayAsk(context));
    if (isSettled(build) || latest.waiting !== undefined) return build;
    const go = await view.pause?.();
    try {
      await askToUnblock(client, ref, build, context, latest.declined).catch(unlessUnanswered);
    } finally {
      go?.();
    }
  }
}

/** Closed standard input counts as declining, so the build stays blocked. */
function unlessUnanswered(error: unknown): false {
  if (error instanceof CictlError && error.kind === 'usage') return false;
  throw error;
}

function closingOnce(view: View): View {
  let closed: Promise<void> | undefined;
  return { ...view, close: () => (closed ??= view.close()) };
}

/** The blocked build still exists after the run, and can be unblocked while the service runs. */
function unblockHint({ build, ref: { pipeline, number } }: WaitingBuild): string {
  const job = build.jobs?.find(({ state }) => state === 'blocked');
  const reference = `${pipeline}/${number}#${(job && typedJob(job, build)) ?? ''}`;
  const unblock = `cictl job unblock ${reference} --profile local`;
  return `"${jobTitle(job ?? {})}" is blocked; to unblock it: cictl local up && ${unblock}`;
}

interface LatestBuild {
  build?: Build;
  /** Jobs that the user chose not to unblock. */
  readonly declined: Set<string>;
  /** The build that waits for a job to be unblocked: this build or one that it triggered. */
  waiting?: WaitingBuild | undefined;
}

async function settled(
  { client, ref, reader, view }: Pick<Watching, 'client' | 'ref' | 'reader' | 'view'>,
  { clock }: Context,
  latest: LatestBuild,
  signal: AbortSignal,
  asks = false,
): Promise<Build> {
  const fetchBuild = async (): Promise<Build> => {
    latest.build = await reader.read().catch(ofThisMachine);
    latest.waiting = await waitingBuild(client, ref, latest.build);
    return latest.build;
  };
  return followBuild(fetchBuild, {
    signal,
    clock,
    subject: `build ${ref.number} of ${ref.pipeline}`,
    // The service responds as soon as something changes. A stopped service is not started again.
    limits: { min: 20, max: 400 },
    maxOutage: 10_000,
    before: latest.build,
    isDone: (build) =>
      isSettled(build) ||
      latest.waiting !== undefined ||
      (asks && unanswered(build, latest.declined).length > 0),
    onEvent: (event) => view.report(event),
  });
}

/** The service runs on this machine, so a full disk is reported as an error of this machine. */
function ofThisMachine(error: unknown): never {
  if (!(error instanceof CictlError) || error.status !== 507) throw error;
  throw new CictlError('machine', error.message, { status: 507, cause: error });
}

async function cancelInOrder(
  watched: Watching,
  context: Context,
  latest: LatestBuild,
  error: unknown,
): Promise<void> {
  if (context.urgent.aborted || (latest.build !== undefined && isSettled(latest.build))) return;
  const { client, ref, reader } = watched;
  const view = error instanceof ReaderGone ? silentView : ignoringErrors(watched.view);
  try {
    await view.note(`canceling build ${ref.number}; press Ctrl-C again to stop immediately`);
    await client.builds.cancel(ref).catch(unlessRefused);
    const parts = { client, ref, reader, view };
    const build = await settled(parts, context, latest, context.urgent);
    await view.report({ event: 'end', build, exitCode: toExit(error) });
  } catch (cancelError) {
    // Report only the original error, which is more important than a failed cancellation.
    context.messages.debug(`canceling build ${ref.number}: ${String(cancelError)}`);
  }
}

/** Ignores a rejected cancellation, because the build may just have finished. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof CictlError) || error.kind !== 'refused') throw error;
}

const nothing = (): Promise<void> => Promise.resolve();

/** The build must be canceled even if the terminal has been closed. */
const ignoringErrors = ({ report, ...view }: View): View => ({
  ...view,
  report: (event) => report(event).catch(nothing),
  note: (text) => view.note(text).catch(nothing),
});

const silentView: View = { report: nothing, show: nothing, note: nothing, close: nothing };

// Finds the blocked build, which may be this build or one that it triggered.

interface WaitingBuild {
  readonly ref: BuildRef;
  readonly build: Build;
}

/** Undefined if the build has finished, or if it or a build that it waits for is running. */
async function waitingBuild(
  client: Client,
  ref: BuildRef,
  build: Build,
): Promise<WaitingBuild | undefined> {
  if (isSettled(build)) return isBlocked(build) ? { ref, build } : undefined;
  if (build.state === 'canceling') return undefined;
  const triggered = (build.jobs ?? []).filter(isActive).map((job) => triggeredBy(ref, job));
  let first: WaitingBuild | undefined;
  for (const other of triggered) {
    if (other === undefined) return undefined;
    // If the service has a problem, the next poll will report that.
    const found = await client.builds.get(other, { exact: true }).catch(() => undefined);
    const waiting = found && (await waitingBuild(client, other, found));
    if (waiting === undefined) return undefined;
    first ??= waiting;
  }
  return first;
}

/** The build that a trigger job waits for; undefined for other jobs. */
function triggeredBy(
  { org }: BuildRef,
  { type, triggered_build: made }: Job,
): BuildRef | undefined {
  if (type !== 'trigger') return undefined;
  const { number, url } = (made ?? {}) as Readonly<Record<string, unknown>>;
  const [, pipeline] = /\/pipelines\/([^/]+)\/builds\//.exec(String(url)) ?? [];
  if (pipeline === undefined || !Number.isSafeInteger(Number(number))) return undefined;
  return { org, pipeline, number: Number(number) };
}

/**
 * Prompts once for each blocked job, and unblocks the first one that the user accepts. Adds
 * declined jobs to `declined`. Resolves to true if a job was unblocked.
 */
async function askToUnblock(
  client: Client,
  ref: BuildRef,
  build: Build,
  context: Context,
  declined: Set<string>,
): Promise<boolean> {
  for (const job of unanswered(build, declined)) {
    declined.add(job.id ?? '');
    const title = cleanLine(jobTitle(job));
    const withEmojis = await emojisFor([title, job.prompt ?? '']);
    if (job.prompt) context.messages.note(withEmojis(job.prompt));
    const question = `"${withEmojis(title)}" is blocked. Unblock it? [y/N] `;
    if (!/^y(es)?$/i.test((await context.prompts.text(question)).trim())) continue;
    declined.delete(job.id ?? '');
    await unblock(client, { ...ref, job: job.id ?? '' }, job, context);
    return true;
  }
  return false;
}

/** The blocked jobs that the user has not been asked about. */
const unanswered = ({ jobs }: Build, declined: ReadonlySet<string>): Job[] =>
  (jobs ?? []).filter(({ id, state }) => state === 'blocked' && !declined.has(id ?? ''));

/** Prompts require a terminal and table output, which is meant for people. */
const mayAsk = ({ prompts, out }: Context): boolean => prompts.available && out.format === 'table';

/** Prompts again if the service rejects the values. */
async function unblock(
  { jobs }: Client,
  ref: BuildRef & { readonly job: string },
  job: Job,
  context: Context,
): Promise<void> {
  for (;;) {
    const fields = await askFields(job, context);
    try {
      await jobs.unblock(ref, { fields });
      return;
    } catch (error) {
      if (!(error instanceof CictlError) || error.kind !== 'refused') throw error;
      context.messages.warn([error.message, ...error.details].join('; '));
      if (Object.keys(fields).length === 0) return;
    }
  }
}
