/** `/ORG/PIPELINE`: how its last builds went, and all of them. */
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

// The builds of a pipeline that a page lists.

const filtersOf = (query: URLSearchParams): BuildFilterTexts => ({
  state: query.get('state') ?? '',
  branch: query.get('branch') ?? '',
  text: query.get('q')?.trim() ?? '',
});

async function readBuilds(call: PageCall): Promise<Omit<BuildListProps, 'context'>> {
  const { params, query } = call;
  const filters = filtersOf(query);
  const page = pageNumber(query);
  const path = webPipeline(params);
  return {
    ...(await (filters.text === '' ? onePage : foundPage)(call, filters, page)),
    branchHref: (branch) => hrefOf(path, { branch }),
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

/** The API looks for no text: builds are read until there are enough that have it. */
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
    text: last === undefined ? '' : `Looked back to #${last}`,
    // How many pages were looked through for the one before, nobody knows: back to the first.
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

/** What a list of builds says that has none. `last`: the number of the last that was looked at, where older ones are left. */
export function noneText(
  { state, branch, text }: BuildFilterTexts,
  page: number,
  last?: number,
): string {
  if (last !== undefined)
    return `No build is like that back to #${last}; older ones were not looked at yet.`;
  if (page > 1) return 'There are no more builds.';
  const isAll = state === '' && branch === '' && text === '';
  return isAll ? 'There are no builds yet.' : 'No build is like that.';
}

interface TextSearch {
  /** All that have the text among those that were looked at. */
  readonly builds: readonly Build[];
  /** The page where to go on; undefined where all have been looked at. */
  readonly next: number | undefined;
  /** The number of the last one that was looked at. */
  readonly last: number | undefined;
}

/** A page of results is full with so many. */
const enough = 30;
/** Pages of the list that one search looks at: the service has others to serve. */
const mostPages = 20;

/** Reads a list from a page on until enough of its builds have the text, whatever the case. */
export async function findText(
  read: (page: number) => Promise<ListPage<Build>>,
  text: string,
  first: number,
): Promise<TextSearch> {
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

/** What is looked at: a line each. */
const textOf = ({ message, branch, commit, number, creator }: Build): string =>
  [message, branch, commit, `#${number ?? ''}`, creator?.name].join('\n').toLowerCase();
