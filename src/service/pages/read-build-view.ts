import type { Annotation } from '../../api/resources/annotation.ts';
import type { Build } from '../../api/resources/build.ts';
import { buildView, type BuildView } from '../../pages/build/build-view.ts';
import { wantedJobs } from '../../pages/build/wanted-jobs.ts';
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
  const { org = '', pipeline = '', number = '' } = call.params;
  const [o, p, n] = [org, pipeline, number].map(encodeURIComponent);
  const api = `/v2/organizations/${o}/pipelines/${p}/builds/${n}`;
  const build = (await call.api.request('GET', `${api}?include_retried_jobs=true`)) as Build;
  const annotations =
    known ?? ((await call.api.request('GET', `${api}/annotations?per_page=100`)) as Annotation[]);
  const context = { ...contextOf(call), now: call.service.clock.now() };
  const path = context.link(build.web_url);
  return buildView(build, annotations, context, {
    ...{ path, wanted: wantedJobs(call.query) },
    jobHref: ({ type, id }) => (type === 'script' && path && id ? `${path}/jobs/${id}` : undefined),
  });
}
