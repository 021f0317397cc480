/** The builds of a pipeline that a page lists. */
import type { Build } from '../../api/resources/build.ts';
import type { BuildFilterTexts } from '../../pages/lists/build-filters.tsx';
import type { BuildListProps } from '../../pages/lists/build-list.tsx';
import { pipelinePath, webPipeline } from './api-paths.ts';
import { findText } from './find-text.ts';
import type { PageCall } from './page-call.ts';
import { withoutJobs } from './pipeline-lists.ts';
import { hrefOf, pageNumber, readList } from './read-list.ts';

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
  const href = (changes: object): string => hrefOf(path, { ...queryOf(filters), ...changes });
  const { builds, text, next } = await (filters.text === '' ? onePage : foundPage)(
    call,
    filters,
    page,
  );
  return {
    builds,
    branchHref: (branch) => hrefOf(path, { branch }),
    none: noneText(filters),
    pages: {
      text,
      // How many pages before this one there are to look through, nobody knows: back to the first.
      previous:
        page === 1
          ? undefined
          : href(filters.text === '' && page > 2 ? { page: String(page - 1) } : {}),
      next: next === undefined ? undefined : href({ page: String(next) }),
    },
  };
}

interface FoundBuilds {
  readonly builds: readonly Build[];
  readonly text: string;
  readonly next: number | undefined;
}

async function onePage(
  { api, params }: PageCall,
  filters: BuildFilterTexts,
  page: number,
): Promise<FoundBuilds> {
  const { elements, hasNext } = await readList<Build>(api, `${pipelinePath(params)}/builds`, {
    ...apiFilters(filters),
    page: String(page),
  });
  return { builds: elements, text: `Page ${page}`, next: hasNext ? page + 1 : undefined };
}

/** The API looks for no text: builds are read until there are enough that have it. */
async function foundPage(
  { api, params }: PageCall,
  filters: BuildFilterTexts,
  page: number,
): Promise<FoundBuilds> {
  const read = (at: number) =>
    readList<Build>(api, `${pipelinePath(params)}/builds`, {
      ...{ ...apiFilters(filters), per_page: '100', page: String(at) },
    });
  const { builds, next, last } = await findText(read, filters.text, page);
  return { builds, next, text: last === undefined ? '' : `Looked back to #${last}` };
}

const apiFilters = ({ state, branch }: BuildFilterTexts) => ({ ...withoutJobs, state, branch });

const queryOf = ({ state, branch, text }: BuildFilterTexts) => ({ state, branch, q: text });

const noneText = ({ state, branch, text }: BuildFilterTexts): string =>
  state === '' && branch === '' && text === ''
    ? 'There are no builds yet.'
    : 'No build is like that.';
