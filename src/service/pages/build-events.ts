import { buildParts, changedParts, type BuildParts } from '../../pages/build/build-parts.tsx';
import type { BuildView } from '../../pages/build/build-view.ts';
import { lastEventId, type PageEvent } from './event-stream.ts';
import type { WatchedBuild } from './locate-build.ts';
import type { PageCall } from './page-call.ts';
import { pause } from './pause.ts';
import { readBuildView } from './read-build-view.ts';

/**
 * What is new on the page of a build, until the browser has gone: first all parts, unless it has the version of
 * now. The last event of a change alone has its version: what breaks off before it is sent again.
 */
export async function* buildEventsOf(
  call: PageCall,
  build: WatchedBuild,
): AsyncGenerator<PageEvent> {
  let seen = lastEventId(call);
  let parts: BuildParts | undefined;
  while (!call.signal.aborted) {
    const version = build.version();
    const since = performance.now();
    const view = await readBuildView(call, seen === version ? parts?.view.annotations : undefined);
    const now = buildParts(view, parts);
    // What happened while it was read is in it, and not yet on the page.
    const isSame = seen === version && build.version() === version;
    const changed = changedParts(now, parts ?? (isSame ? now : undefined));
    for (const [index, data] of changed.entries())
      yield { id: index + 1 < changed.length ? (seen ?? '0') : version, event: 'part', data };
    const took = performance.now() - since;
    parts = now;
    seen = version;
    if (build.version() === version) await unlessAborted(call.signal, build.next(tickOf(view)));
    await unlessAborted(call.signal, pause(gatherTime(took)));
  }
}

/** Milliseconds after which what runs has grown; where nothing runs, ages and agents may have changed. */
const tickOf = ({ build }: BuildView): number =>
  (build.jobs ?? []).some(({ state }) => state === 'running' || state === 'canceling')
    ? 1000
    : 15_000;

/** Milliseconds between two pictures: the longer one takes, as of a large build or for a slow browser, the rarer. */
const gatherTime = (took: number): number => Math.min(10_000, Math.max(250, took * 4));

/** At most as long as the signal is not aborted; it lives for hours, and nothing of a wait stays with it. */
function unlessAborted(signal: AbortSignal, wait: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
    void (signal.aborted ? Promise.resolve() : wait).then(done, reject);
  });
}
