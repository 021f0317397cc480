import { type ClientOptions, createSendRequest, type Api } from './send-request.ts';
import { onPage, fetchPage, type FetchAhead } from './pages.ts';
import { lastLink, rateLimitWait, remaining } from '../http/headers.ts';
import type { FinalResponse } from '../http/send-with-retry.ts';
import { onAbort } from '../common/abort.ts';
import type { Response, Transport } from '../http/transport.ts';

/** Fetches pages in parallel. Only for lists that are sorted by creation time and never shrink. */
export const createFetchAhead =
  (api: Api, options: ClientOptions): FetchAhead =>
  async (call, { response, text, next, elements }) => {
    const pages = laterPages(response, next, elements);
    if (pages === undefined) return undefined;
    // Waits until the newest element's millisecond is over, so `created_to` excludes later
    // elements.
    await options.clock.sleep(2, options.signal);
    const gate = createRateGate(options, response.headers);
    const send = createSendRequest(api, { ...options, transport: gate });
    return openPageWindow(pages, text.length, (address, number, signal) =>
      fetchPage(send, { ...onPage(call, address, number), signal }, address),
    );
  };

export interface PageWindow<P> {
  /** Returns undefined and closes the window if `address` is not the next page. */
  take(address: URL): Promise<P> | undefined;
  close(): void;
}

/** Maximum number of pages that were requested but have not been read yet */
const pagesAhead = 8;

/** Maximum number of characters in unread pages. At least one page is always fetched. */
export const textAhead = 8_000_000;

/** Fetches the pages after page 1. `length` is the size of page 1. Errors are thrown by `take`. */
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
      // Marks a rejection as handled, because this page may never be read.
      page.then(learn, () => undefined);
      ahead.set(unasked, page);
    }
  }
  function close(): void {
    ahead.clear();
    unasked = Infinity;
    end.abort(new Error('no longer needed'));
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

export interface LaterPages {
  readonly last: number;
  address(number: number): URL;
  numberOf(address: URL): number | undefined;
}

const maxLast = 100_000;

/**
 * Returns the URLs of the remaining pages if they can be requested by number: `next` and `last`
 * differ only in the number, and `created_to` excludes new elements. Undefined otherwise, or if
 * fewer than two pages are left.
 * @param elements of the first page. `created_to` is just after the newest one, in the service's
 * own time
 */
function laterPages(
  { url, headers }: Pick<FinalResponse, 'url' | 'headers'>,
  next: URL,
  elements: readonly object[],
): LaterPages | undefined {
  const bound = justAfter(elements);
  const last = lastPage(url, next, headers['link']);
  if (bound === undefined || last === undefined) return undefined;
  const createdTo = earlier(next.searchParams.get('created_to'), bound);
  const rest = withoutNumber(next);
  return {
    last,
    address(number) {
      const address = new URL(next);
      address.search = withCreatedTo(next.search.replace(pageNumber, `$1${number}`), createdTo);
      return address;
    },
    numberOf: (address) => (withoutNumber(address) === rest ? numberIn(address) : undefined),
  };
}

/** Returns the page number in `last` if that link is for the same list and `next` is page 2. */
function lastPage(url: URL, next: URL, link: string | undefined): number | undefined {
  const target = lastLink(link);
  if (target === undefined || !URL.canParse(target, url.href)) return undefined;
  const last = new URL(target, url);
  const number = numberIn(last);
  if (numberIn(next) !== 2 || number === undefined || number < 3 || number > maxLast)
    return undefined;
  const isSame = next.pathname === url.pathname && withoutNumber(last) === withoutNumber(next);
  return isSame ? number : undefined;
}

const pageNumber = /([?&]page=)\d{1,9}(?=&|$)/;

function numberIn({ search, searchParams }: URL): number | undefined {
  if (searchParams.getAll('page').length !== 1) return undefined;
  const [found] = pageNumber.exec(search) ?? [];
  return found === undefined ? undefined : Number(found.slice('?page='.length));
}

/** Returns the URL without its page number and our `created_to`, in a canonical order. */
function withoutNumber({ origin, pathname, searchParams }: URL): string {
  const others = [...searchParams].filter(([name]) => name !== 'page' && name !== 'created_to');
  return JSON.stringify([origin, pathname, ...others.map((pair) => pair.join('=')).sort()]);
}

function withCreatedTo(search: string, value: string): string {
  const others = search.slice(1).split('&');
  const kept = others.filter((pair) => !/^created_to(?:=|$)/i.test(pair));
  return `?${[...kept, `created_to=${encodeURIComponent(value)}`].join('&')}`;
}

/** The first millisecond after the newest element; undefined if the list is not sorted by time. */
function justAfter(elements: readonly object[]): number | undefined {
  const times = elements.map((element) => Date.parse(createdAt(element)));
  const isInOrder = times.every((time, at) => at === 0 || time <= (times[at - 1] ?? NaN));
  const [newest = NaN] = times;
  return isInOrder && !Number.isNaN(newest) ? newest + 1 : undefined;
}

function createdAt(element: object): string {
  const { created_at: time } = element as { created_at?: unknown };
  return typeof time === 'string' ? time : '';
}

function earlier(wanted: string | null, bound: number): string {
  const isEarlier = wanted !== null && Date.parse(wanted) <= bound;
  return isEarlier ? wanted : new Date(bound).toISOString();
}

/**
 * Limits concurrent requests to `pagesAhead` and the service's `RateLimit-Remaining` (first read
 * from `headers`), but always allows one. If a response is rate-limited, the other requests wait as
 * long as the service asks, then continue one at a time until the service allows more. If the wait
 * exceeds `maxWait`, they are sent anyway, to get the service's error.
 */
function createRateGate(
  { transport, clock, maxWait }: ClientOptions,
  headers: Response['headers'],
): Transport {
  let allowed = withinLimits(remaining(headers));
  let [underWay, sent, newest, closedUntil] = [0, 0, 0, 0];
  let waiting: (() => void)[] = [];

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const pause = closedUntil - clock.now();
      if (pause > 0) await clock.sleep(pause, signal);
      else if (underWay < allowed) break;
      else await turn(signal);
    }
    underWay += 1;
  }
  const turn = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const ignore = onAbort(signal, reject);
      waiting.push(() => {
        ignore();
        resolve();
      });
    });
  function leave(): void {
    underWay -= 1;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }
  function learn({ status, headers }: Response, number: number): void {
    const left = remaining(headers);
    if (status === 429 || status === 503) {
      const wait = rateLimitWait({ status, headers }, clock.now()) ?? 0;
      if (wait <= maxWait) closedUntil = Math.max(closedUntil, clock.now() + wait);
      allowed = 1;
    } else if (left === undefined) allowed = withinLimits(allowed + 1);
    // Responses may arrive out of order, so only the latest request's response can raise the limit.
    else allowed = Math.min(withinLimits(left), number > newest ? Infinity : allowed);
    newest = Math.max(newest, number);
  }
  return {
    async send(request) {
      await enter(request.signal);
      const number = ++sent;
      try {
        const response = await transport.send(request);
        learn(response, number);
        return { ...response, body: afterwards(response.body, leave) };
      } catch (error) {
        leave();
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

const withinLimits = (count = Infinity): number => Math.max(1, Math.min(count, pagesAhead));

async function* afterwards(
  body: Response['body'],
  done: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } finally {
    done();
  }
}
