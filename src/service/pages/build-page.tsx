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

/** A URL with `?jid=JOB` redirects to `#JOB`. */
export const buildPage: PageHandler = async (call) => {
  // The version is read before the build, so that the page receives all later changes.
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

/** Yields the page of a build whenever it changes, until the signal is aborted. */
export async function* buildPictures(call: PageCall, build: WatchedBuild): AsyncGenerator<Picture> {
  let seen: string | undefined;
  let parts: BuildParts | undefined;
  while (!call.signal.aborted) {
    const version = build.version();
    const since = performance.now();
    const view = await readBuildView(call, seen === version ? parts?.view.annotations : undefined);
    const now = buildParts(view, parts);
    const changed = changedParts(now, parts ?? now);
    const took = performance.now() - since;
    const all = () => Promise.resolve(changedParts(now));
    if (parts === undefined || changed.length > 0 || seen !== version)
      yield { version, isExact: build.version() === version, changed, all };
    [parts, seen] = [now, version];
    if (build.version() === version) await unlessAborted(call.signal, build.next(tickOf(view)));
    // If updates take a long time, as for large builds, they are sent less often.
    const gatherTime = Math.min(10_000, Math.max(250, took * 4));
    await unlessAborted(call.signal, pause(gatherTime));
  }
}

/** Milliseconds until times and agents are updated even if nothing has changed. */
const tickOf = ({ build }: BuildView): number =>
  (build.jobs ?? []).some(({ state }) => state === 'running' || state === 'canceling')
    ? 1000
    : 15_000;

/** Removes the listener from the signal afterwards, because the signal exists for hours. */
function unlessAborted(signal: AbortSignal, wait: Promise<void>): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => resolve());
    void wait.then(resolve, reject).finally(stopListening);
  });
}

/** Reads the page's data, without annotations if `known` is given. Throws `ApiError`. */
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

type WatchedBuild = ReturnType<typeof locateBuild>;

/** Throws `ApiError` 404 if the build does not exist. */
export function locateBuild({ service, params, caller }: PageCall) {
  const { org = '', pipeline = '', number = '' } = params;
  const { build } = findBuild(service, { params: { org, pipeline, number }, caller });
  const { feed } = service.engine;
  return {
    /** A version that changes when any part of the page changes. */
    version: () => String(feed.since(build.id, null).version),
    /** Resolves at the next change, or after `ms` milliseconds. */
    next: (ms: number) => feed.next(build.id, ms),
  };
}
