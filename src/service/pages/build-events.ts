import { onAbort } from '../../common/abort.ts';
import { buildParts, changedParts, type BuildParts } from '../../pages/build/build-parts.tsx';
import type { BuildView } from '../../pages/build/build-view.ts';
import type { WatchedBuild } from './locate-build.ts';
import type { PageCall } from './page-call.ts';
import { pause } from './pause.ts';
import { readBuildView } from './read-build-view.ts';
import type { Picture } from './shared-pictures.ts';

/** The page of a build each time it changes, until the signal of the call is aborted. */
export async function* buildPictures(call: PageCall, build: WatchedBuild): AsyncGenerator<Picture> {
  let seen: string | undefined;
  let parts: BuildParts | undefined;
  while (!call.signal.aborted) {
    const version = build.version();
    const since = performance.now();
    const view = await readBuildView(call, seen === version ? parts?.view.annotations : undefined);
    const now = buildParts(view, parts);
    const changed = changedParts(now, parts ?? now);
    const all = (): Promise<ReturnType<typeof changedParts>> => Promise.resolve(changedParts(now));
    const took = performance.now() - since;
    if (parts === undefined || changed.length > 0 || seen !== version)
      yield { version, isExact: build.version() === version, changed, all };
    parts = now;
    seen = version;
    if (build.version() === version) await unlessAborted(call.signal, build.next(tickOf(view)));
    await unlessAborted(call.signal, pause(gatherTime(took)));
  }
}

/** Milliseconds after which running jobs have grown. Otherwise only ages and agents may have changed. */
const tickOf = ({ build }: BuildView): number =>
  (build.jobs ?? []).some(({ state }) => state === 'running' || state === 'canceling')
    ? 1000
    : 15_000;

/** Milliseconds between two pictures. The longer one takes, as for a large build, the fewer are made. */
const gatherTime = (took: number): number => Math.min(10_000, Math.max(250, took * 4));

/** Waits at most until the signal is aborted; it lives for hours, so the listener is removed. */
function unlessAborted(signal: AbortSignal, wait: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      stopListening();
      resolve();
    };
    const stopListening = onAbort(signal, done);
    void (signal.aborted ? Promise.resolve() : wait).then(done, reject);
  });
}
