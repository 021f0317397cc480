/** `/ORG/PIPELINE`: how its last builds went, and all of them. */
import type { Pipeline } from '../../api/resources/pipeline.ts';
import { isUnderWay } from '../../pages/lists/build-words.ts';
import { BuildFilters } from '../../pages/lists/build-filters.tsx';
import { BuildList, buildListId } from '../../pages/lists/build-list.tsx';
import { LastBuilds, lastBuildsId } from '../../pages/lists/last-builds.tsx';
import { PipelineHead } from '../../pages/lists/pipeline-head.tsx';
import { pipelinePath, webPipeline } from './api-paths.ts';
import { filtersOf, readBuilds } from './build-lists.ts';
import { pictureStream } from './event-stream.ts';
import { listPictures, versionNow, type Part } from './list-events.ts';
import { contextOf } from './may-write.ts';
import { pipelineCrumbs } from './crumbs.ts';
import type { PageCall, PageHandler } from './page-call.ts';
import { lastBuilds } from './pipeline-lists.ts';
import { hrefOf } from './read-list.ts';

export const pipelinePage: PageHandler = async (call) => {
  const { params, query } = call;
  const pipeline = await findPipeline(call);
  const version = versionNow(call, pipeline.id ?? '');
  const path = webPipeline(params);
  const { last, list } = await partsOf(call);
  return {
    title: pipeline.name ?? '',
    crumbs: pipelineCrumbs(params),
    live: hrefOf(`${path}/events`, { ...Object.fromEntries(query), 'last-event-id': version }),
    body: (
      <>
        <PipelineHead pipeline={pipeline} path={path} context={contextOf(call)} />
        {last}
        <BuildFilters action={path} filters={filtersOf(query)} />
        {list}
      </>
    ),
  };
};

/** What becomes of the builds while one looks. */
export const pipelineEvents: PageHandler = async (call) => {
  const { id } = await findPipeline(call);
  const isSearch = filtersOf(call.query).text !== '';
  return pictureStream(call, 'pipeline', (shared) =>
    listPictures(shared, {
      key: id ?? '',
      partsOf: () => listOfParts(shared),
      // Searching for a text takes many requests.
      ...(isSearch && { gatherTime: 3000 }),
    }),
  );
};

async function listOfParts(call: PageCall): Promise<Part[]> {
  const { last, list, growing } = await partsOf(call);
  return [
    { id: lastBuildsId, element: last, growing },
    { id: buildListId, element: list, growing },
  ];
}

async function partsOf(call: PageCall) {
  const { api, params } = call;
  const context = { ...call.context, now: call.service.clock.now() };
  const builds = await lastBuilds(api, params['org'] ?? '', params['pipeline'] ?? '');
  const list = await readBuilds(call);
  return {
    last: <LastBuilds builds={builds} context={context} />,
    list: <BuildList {...list} context={context} />,
    growing: [...builds, ...list.builds].filter(isUnderWay).map(({ id }) => id ?? ''),
  };
}

const findPipeline = async ({ api, params }: PageCall): Promise<Pipeline> =>
  (await api.request('GET', pipelinePath(params))) as Pipeline;
