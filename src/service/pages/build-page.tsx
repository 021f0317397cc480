import type { Annotation } from '../../api/resources/annotation.ts';
import type { Build } from '../../api/resources/build.ts';
import { BuildBody } from '../../pages/build/build-body.tsx';
import { buildView, type BuildView } from '../../pages/build/build-view.ts';
import { contextOf } from './may-write.ts';
import { notYet } from './not-yet.tsx';
import type { PageCall, PageHandler } from './page-call.ts';

/** A build with its annotations, its jobs over time, and its jobs as a list. */
export const buildPage: PageHandler = async (call) => {
  const view = await viewOf(call);
  const { build, context } = view;
  const organization = call.params['org'] ?? '';
  return {
    title: `#${build.number ?? ''} ${build.pipeline?.name ?? ''}`,
    crumbs: [
      { text: organization, href: `/${encodeURIComponent(organization)}` },
      { text: build.pipeline?.name ?? '', href: context.link(build.pipeline?.web_url) },
      { text: `#${build.number ?? ''}` },
    ],
    body: <BuildBody view={view} />,
  };
};

export const buildEvents: PageHandler = notYet;

async function viewOf(call: PageCall): Promise<BuildView> {
  const { org = '', pipeline = '', number = '' } = call.params;
  const [o, p, n] = [org, pipeline, number].map(encodeURIComponent);
  const api = `/v2/organizations/${o}/pipelines/${p}/builds/${n}`;
  const build = (await call.api.request('GET', `${api}?include_retried_jobs=true`)) as Build;
  const annotations = await call.api.request('GET', `${api}/annotations?per_page=100`);
  const context = contextOf(call);
  const path = context.link(build.web_url);
  return buildView(build, annotations as Annotation[], context, {
    path,
    jobHref: ({ type, id }) => (type === 'script' && path && id ? `${path}/jobs/${id}` : undefined),
  });
}
