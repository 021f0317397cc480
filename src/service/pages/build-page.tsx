import { BuildBody } from '../../pages/build/build-body.tsx';
import { wantedQuery } from '../../pages/build/wanted-jobs.ts';
import { webOrganization } from './api-paths.ts';
import { buildPictures } from './build-events.ts';
import { locateBuild } from './locate-build.ts';
import { pictureStream } from './event-stream.ts';
import { readBuildView } from './read-build-view.ts';
import type { PageHandler } from './page-call.ts';

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
