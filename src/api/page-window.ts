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

/**
 * Fetches the pages from the second on, in their order. What fails is thrown where it is taken, so
 * that the pages before can still be read.
 */
export function openPageWindow<P>(
  pages: LaterPages,
  fetchPage: (address: URL, number: number, signal: AbortSignal) => Promise<P>,
): PageWindow<P> {
  const end = new AbortController();
  const ahead = new Map<number, Promise<P>>();
  let [wanted, unasked] = [2, 2];

  function fill(): void {
    for (; unasked <= pages.last && ahead.size < pagesAhead; unasked++) {
      const page = fetchPage(pages.address(unasked), unasked, end.signal);
      // Nobody may ever take it.
      page.catch(() => undefined);
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
