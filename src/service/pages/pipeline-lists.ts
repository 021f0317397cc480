/** The pipelines of an organization with their last builds, as pages show them. */
import type { Build } from '../../api/resources/build.ts';
import type { Pipeline } from '../../api/resources/pipeline.ts';
import { barCount } from '../../pages/lists/bars.ts';
import type { PipelineListProps } from '../../pages/lists/pipeline-list.tsx';
import { organizationPath, webOrganization } from './api-paths.ts';
import { contextOf } from './may-write.ts';
import type { PageCall } from './page-call.ts';
import { pageNumber, pagesOf, readList } from './read-list.ts';
import type { SessionApi } from './session-api.ts';

/** Those on the page that is asked for; with `ids`, of them these alone. */
export async function readPipelines(
  call: PageCall,
  org: string,
  ids: readonly string[] | null = null,
): Promise<PipelineListProps> {
  const { api, query, service } = call;
  const page = pageNumber(query);
  const text = query.get('q') ?? '';
  const { elements, hasNext } = await readList<Pipeline>(api, pipelinesOf(org), {
    name: text,
    page: String(page),
  });
  const wanted = elements.filter(({ id }) => ids?.includes(id ?? '') ?? true);
  const cards = await Promise.all(wanted.map((pipeline) => cardOf(api, org, pipeline)));
  const context = { ...contextOf(call, org), now: service.clock.now() };
  const path = webOrganization({ org });
  return { cards, text, context, pages: pagesOf(page, hasNext, path, { q: text }) };
}

/** With its last builds. */
const cardOf = async (
  api: SessionApi,
  org: string,
  pipeline: Pipeline,
): Promise<PipelineListProps['cards'][number]> => ({
  pipeline,
  builds: await lastBuilds(api, org, pipeline.slug ?? ''),
});

/** The newest first; without their jobs. */
export async function lastBuilds(
  api: SessionApi,
  org: string,
  slug: string,
): Promise<readonly Build[]> {
  const path = `${pipelinesOf(org)}/${encodeURIComponent(slug)}/builds`;
  const query = { ...withoutJobs, per_page: String(barCount) };
  return (await readList<Build>(api, path, query)).elements;
}

export const withoutJobs = { exclude_jobs: 'true', exclude_pipeline: 'true' };

const pipelinesOf = (org: string): string => `${organizationPath({ org })}/pipelines`;
