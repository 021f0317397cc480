/** The page `/ORG/PIPELINE`. */
import type { Pipeline } from '../../api/resources/pipeline.ts';
import { isUnderWay } from '../../pages/lists/build-words.ts';
import { BuildFilters, type BuildFilterTexts } from '../../pages/lists/controls.tsx';
import { BuildList, buildListId, type BuildListProps } from '../../pages/lists/build-list.tsx';
import { LastBuilds, lastBuildsId } from '../../pages/lists/build-bars.tsx';
import { PipelineHead } from '../../pages/lists/pipelines.tsx';
import { pipelinePath, webPipeline, pipelineCrumbs } from './addresses.ts';
import { pictureStream } from './event-stream.ts';
import {
  listPictures,
  versionNow,
  type Part,
  lastBuilds,
  hrefOf,
  withoutJobs,
  pageNumber,
  pagesOf,
  readList,
  type ListPage,
} from './lists.ts';
import { contextOf, type PageCall, type PageHandler } from './page-call.ts';
import type { Build } from '../../api/resources/build.ts';

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

export const pipelineEvents: PageHandler = async (call) => {
  const { id } = await findPipeline(call);
  // Searching for text is expensive, because it takes many requests.
  const gatherTime = filtersOf(call.query).text === '' ? 300 : 3000;
  return pictureStream(call, 'pipeline', (shared) => {
    const read = async (): Promise<Part[]> => {
      const { last, list, growing } = await partsOf(shared);
      return [
        { id: lastBuildsId, element: last, growing },
        { id: buildListId, element: list, growing },
      ];
    };
    return listPictures(shared, id ?? '', read, gatherTime);
  });
};

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

const filtersOf = (query: URLSearchParams): BuildFilterTexts => ({
  state: query.get('state') ?? '',
  branch: query.get('branch') ?? '',
  text: query.get('q')?.trim() ?? '',
});

async function readBuilds(call: PageCall): Promise<Omit<BuildListProps, 'context'>> {
  const filters = filtersOf(call.query);
  const read = filters.text === '' ? onePage : foundPage;
  return {
    ...(await read(call, filters, pageNumber(call.query))),
    branchHref: (branch) => hrefOf(webPipeline(call.params), { branch }),
  };
}

type FoundBuilds = Pick<BuildListProps, 'builds' | 'pages' | 'none'>;

async function onePage(
  call: PageCall,
  filters: BuildFilterTexts,
  page: number,
): Promise<FoundBuilds> {
  const { elements, hasNext } = await read(call, filters, { page: String(page) });
  const pages = pagesOf(page, hasNext, webPipeline(call.params), queryOf(filters));
  return { builds: elements, pages, none: noneText(filters, page) };
}

/** The API cannot search text, so this reads builds until enough of them match. */
async function foundPage(
  call: PageCall,
  filters: BuildFilterTexts,
  page: number,
): Promise<FoundBuilds> {
  const readAt = (at: number) => read(call, filters, { per_page: '100', page: String(at) });
  const { builds, next, last } = await findText(readAt, filters.text, page);
  const href = (more: object): string =>
    hrefOf(webPipeline(call.params), { ...queryOf(filters), ...more });
  const pages = {
    text: last === undefined ? '' : `Searched back to #${last}`,
    // Links to the first page, because it is unknown how many pages the previous search has read.
    previous: page === 1 ? undefined : href({}),
    next: next === undefined ? undefined : href({ page: String(next) }),
  };
  const none = noneText(filters, page, next === undefined ? undefined : last);
  return { builds, pages, none };
}

const read = (
  { api, params }: PageCall,
  { state, branch }: BuildFilterTexts,
  query: Readonly<Record<string, string>>,
): Promise<ListPage<Build>> =>
  readList(api, `${pipelinePath(params)}/builds`, { ...withoutJobs, state, branch, ...query });

const queryOf = ({ state, branch, text }: BuildFilterTexts) => ({ state, branch, q: text });

/** `last` is the number of the oldest build that was searched, if there are older builds. */
export function noneText(
  { state, branch, text }: BuildFilterTexts,
  page: number,
  last?: number,
): string {
  if (last !== undefined)
    return `No matching builds back to #${last}. Older builds have not been searched yet.`;
  if (page > 1) return 'No more builds.';
  const isAll = state === '' && branch === '' && text === '';
  return isAll ? 'No builds yet.' : 'No matching builds.';
}

/** Number of matches per page. */
const enough = 30;
/** Maximum number of list pages to read per search, so that other requests are not delayed. */
const mostPages = 20;

/** Starts at the page `first`. Returns the page to read next and the last build that was read. */
export async function findText(
  read: (page: number) => Promise<ListPage<Build>>,
  text: string,
  first: number,
) {
  const wanted = text.toLowerCase();
  const builds: Build[] = [];
  let last: number | undefined;
  for (let page = first; ; page++) {
    const { elements, hasNext } = await read(page);
    builds.push(...elements.filter((build) => textOf(build).includes(wanted)));
    last = elements.at(-1)?.number ?? last;
    if (!hasNext) return { builds, next: undefined, last };
    if (builds.length >= enough || page + 1 - first >= mostPages)
      return { builds, next: page + 1, last };
  }
}

const textOf = ({ message, branch, commit, number, creator }: Build): string =>
  [message, branch, commit, `#${number ?? ''}`, creator?.name].join('\n').toLowerCase();
