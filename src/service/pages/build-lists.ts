/** The builds of a pipeline that a page lists. */
import type { Build } from '../../api/resources/build.ts';
import type { BuildFilterTexts } from '../../pages/lists/build-filters.tsx';
import type { BuildListProps } from '../../pages/lists/build-list.tsx';
import { pipelinePath, webPipeline } from './api-paths.ts';
import { findText } from './find-text.ts';
import { noneText } from './none-text.ts';
import type { PageCall } from './page-call.ts';
import { withoutJobs } from './pipeline-lists.ts';
import { hrefOf, pageNumber, pagesOf, readList, type ListPage } from './read-list.ts';

export const filtersOf = (query: URLSearchParams): BuildFilterTexts => ({
  state: query.get('state') ?? '',
  branch: query.get('branch') ?? '',
  text: query.get('q')?.trim() ?? '',
});

export async function readBuilds(call: PageCall): Promise<Omit<BuildListProps, 'context'>> {
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
