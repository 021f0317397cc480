import type { LaterPages } from './later-pages.ts';

/** Pages that are fetched before they are read, a few at a time. */
export interface PageWindow<P> {
  /**
   * The page at an address that another page named as the next one; undefined where it is not the
   * one that was expected, which closes the window.
   */
  take(address: URL): Promise<P> | undefined;
  /** Gives up what is under way. */
  close(): void;
}

/** Pages that wait to be read or are under way at once. */
export const pagesAhead = 8;

/** Characters of such pages: of large ones fewer are fetched, at least one. */
export const textAhead = 8_000_000;

/**
 * Fetches the pages from the second on, in their order. What fails is thrown where it is taken, so
 * that the pages before can still be read.
 *
 * @param length characters of the first page: the others are taken to be as long as the longest yet
 */
export function openPageWindow<P extends { readonly text: string }>(
  pages: LaterPages,
  length: number,
  fetchPage: (address: URL, number: number, signal: AbortSignal) => Promise<P>,
): PageWindow<P> {
  const end = new AbortController();
  const ahead = new Map<number, Promise<P>>();
  let [wanted, unasked, longest] = [2, 2, length];

  const learn = ({ text }: P): void => void (longest = Math.max(longest, text.length));
  const most = (): number => Math.max(1, Math.min(pagesAhead, Math.floor(textAhead / longest)));
  function fill(): void {
    for (; unasked <= pages.last && ahead.size < most(); unasked++) {
      const page = fetchPage(pages.address(unasked), unasked, end.signal);
      // Nobody may ever take it.
      page.then(learn, () => undefined);
      ahead.set(unasked, page);
    }
  }
  function close(): void {
    ahead.clear();
    unasked = Infinity;
    end.abort(new Error('not wanted any more'));
  }
  fill();
  return {
    take(address) {
      const page = ahead.get(wanted);
      if (page === undefined || pages.numberOf(address) !== wanted) {
        close();
        return undefined;
      }
      ahead.delete(wanted);
      wanted += 1;
      fill();
      return page;
    },
    close,
  };
}
