import {
  BuildBody,
  buildParts,
  changedParts,
  type BuildParts,
} from '../../pages/build/build-parts.tsx';
import { wantedQuery, wantedJobs } from '../../pages/build/job-list.tsx';
import { webOrganization, buildPath } from './addresses.ts';
import { pictureStream, pause, type Picture } from './event-stream.ts';
import { type PageHandler, type PageCall, contextOf } from './page-call.ts';
import { onAbort } from '../../common/abort.ts';
import { type BuildView, buildView } from '../../pages/build/build-view.ts';
import type { Annotation } from '../../api/resources/annotation.ts';
import type { Build } from '../../api/resources/build.ts';
import { findBuild } from '../http/lookups.ts';

/** A build with its annotations, its jobs over time, and its jobs as a list; `?jid=JOB` leads to `#JOB`. */
export const buildPage: PageHandler = async (call) => {
  // Before it is read: what changes meanwhile is sent.
  const version = locateBuild(call).version();
  const view = await readBuildView(call);
  const { build, context, path, wanted } = view;
  const events = new URLSearchParams({ 'last-event-id': version, ...wantedQuery(wanted) });
  const asked = build.jobs?.find(({ id }) => id === call.query.get('jid'));
  if (asked !== undefined && path !== undefined) return { location: `${path}#${asked.id ?? ''}` };
  return {
    title: `#${build.number ?? ''} ${build.pipeline?.name ?? ''}`,
    crumbs: [
      { text: call.params['org'] ?? '', href: webOrganization(call.params) },
      { text: build.pipeline?.name ?? '', href: context.link(build.pipeline?.web_url) },
      { text: `#${build.number ?? ''}` },
    ],
    ...(path !== undefined && { live: `${path}/events?${events.toString()}` }),
    body: <BuildBody view={view} />,
  };
};

export const buildEvents: PageHandler = (call) => {
  locateBuild(call);
  return pictureStream(call, 'build', (shared) => buildPictures(shared, locateBuild(shared)));
};

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

/**
 * What the page of a build shows, as the API has it now for who is signed in, with annotations that are known
 * already or else those of now. Throws `ApiError`.
 */
async function readBuildView(call: PageCall, known?: readonly Annotation[]): Promise<BuildView> {
  const { api, params } = call;
  const address = buildPath(params);
  const build = (await api.request('GET', `${address}?include_retried_jobs=true`)) as Build;
  const annotations =
    known ?? ((await api.request('GET', `${address}/annotations?per_page=100`)) as Annotation[]);
  const context = { ...contextOf(call), now: call.service.clock.now() };
  const path = context.link(build.web_url);
  return buildView(build, annotations, context, {
    ...{ path, wanted: wantedJobs(call.query) },
    jobHref: ({ type, id }) => (type === 'script' && path && id ? `${path}/jobs/${id}` : undefined),
  });
}

interface WatchedBuild {
  /** Of all that its page shows: another one where something has changed. */
  readonly version: () => string;
  /** Resolves at the next change, at most after so many milliseconds. */
  readonly next: (ms: number) => Promise<void>;
}

/** The build of the address, to be watched. Throws `ApiError` 404. */
export function locateBuild({ service, params, caller }: PageCall): WatchedBuild {
  const { org = '', pipeline = '', number = '' } = params;
  const { build } = findBuild(service, { params: { org, pipeline, number }, caller });
  const { feed } = service.engine;
  return {
    version: () => String(feed.since(build.id, null).version),
    next: (ms) => feed.next(build.id, ms),
  };
}
