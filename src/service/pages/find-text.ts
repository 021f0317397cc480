import type { Build } from '../../api/resources/build.ts';
import type { ListPage } from './read-list.ts';

export interface TextSearch {
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
