/** Which build waits for a person: the one that runs, or one that it has triggered. */
import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import { isActive, isBlocked, isSettled } from '../../watch/outcome.ts';

export interface WaitingBuild {
  readonly ref: BuildRef;
  readonly build: Build;
}

/** Undefined while anything goes on, in the build or in those that it waits for, and at its end. */
export async function waitingBuild(
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
    // What is wrong with the service shows at the next look.
    const found = await client.builds.get(other, { exact: true }).catch(() => undefined);
    const waiting = found && (await waitingBuild(client, other, found));
    if (waiting === undefined) return undefined;
    first ??= waiting;
  }
  return first;
}

/** The build that a job waits for; undefined where it does something else. */
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
