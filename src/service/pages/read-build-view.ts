import type { Annotation } from '../../api/resources/annotation.ts';
import type { Build } from '../../api/resources/build.ts';
import { buildView, type BuildView } from '../../pages/build/build-view.ts';
import { wantedJobs } from '../../pages/build/wanted-jobs.ts';
import { buildPath } from './api-paths.ts';
import { contextOf } from './may-write.ts';
import type { PageCall } from './page-call.ts';

/**
 * What the page of a build shows, as the API has it now for who is signed in, with annotations that are known
 * already or else those of now. Throws `ApiError`.
 */
export async function readBuildView(
  call: PageCall,
  known?: readonly Annotation[],
): Promise<BuildView> {
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
