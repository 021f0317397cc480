import { type ClientOptions, createSendRequest, type Api } from './send-request.ts';
import { onPage, fetchPage, type FetchAhead } from './pages.ts';
import { lastLink } from '../http/headers.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { onAbort } from '../common/abort.ts';
import type { Clock } from '../common/clock.ts';
import { rateLimitWait, remaining } from '../http/rate-limit.ts';
import type { Response, Transport } from '../http/transport.ts';

/**
 * Fetches pages side by side, within the limits of the service. Only for lists that are sorted by
 * when their elements were created, and from which none drops out.
 */
export const createFetchAhead =
  (api: Api, options: ClientOptions): FetchAhead =>
  async (call, { response, text, next, elements }) => {
    const pages = laterPages(response, next, elements);
    if (pages === undefined) return undefined;
    // The millisecond of the newest element passes, so that the bound leaves out all that is to come.
    await options.clock.sleep(2, options.signal);
    const { transport, clock, maxWait } = options;
    const { headers } = response;
    const gate = createRateGate({ transport, clock, maxWait, headers, most: pagesAhead });
    const send = createSendRequest(api, { ...options, transport: gate });
    return openPageWindow(pages, text.length, (address, number, signal) =>
      fetchPage(send, { ...onPage(call, address, number), signal }, address),
    );
  };

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
const pagesAhead = 8;

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

/** The pages behind the first of a list whose elements do not change places any more. */
export interface LaterPages {
  /** Number of the last page, as the service says; it may err. */
  readonly last: number;
  /** The address of the page of a number. */
  address(number: number): URL;
  /** The number of the page at an address of such a list, else undefined. */
  numberOf(address: URL): number | undefined;
}

/** More pages than any list has. */
const maxLast = 100_000;

/**
 * What the first page says of the others, where they can be asked for by number: `next` and `last`
 * differ in the number alone, and `created_to` leaves out what is created from now on. Undefined
 * otherwise, and where less than two pages are left. The addresses are `next` with another number.
 *
 * @param elements those of the first page; `created_to` lies behind the newest of them, so that it is
 *   in time for the service's own clock
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

/** Where it is to be trusted: on the list's own address, behind page 2, which is `next`. */
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

/** Undefined where it names none, or several. */
function numberIn({ search, searchParams }: URL): number | undefined {
  if (searchParams.getAll('page').length !== 1) return undefined;
  const [found] = pageNumber.exec(search) ?? [];
  return found === undefined ? undefined : Number(found.slice('?page='.length));
}

/** All else of an address, in one order. `created_to` is ours to set. */
function withoutNumber({ origin, pathname, searchParams }: URL): string {
  const others = [...searchParams].filter(([name]) => name !== 'page' && name !== 'created_to');
  return JSON.stringify([origin, pathname, ...others.map((pair) => pair.join('=')).sort()]);
}

function withCreatedTo(search: string, value: string): string {
  const others = search.slice(1).split('&');
  const kept = others.filter((pair) => !/^created_to(?:=|$)/i.test(pair));
  return `?${[...kept, `created_to=${encodeURIComponent(value)}`].join('&')}`;
}

/**
 * The first millisecond behind the newest element, whatever of a millisecond its time has beyond.
 * Undefined where one has no such time, or they do not come newest first: then it bounds nothing.
 */
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

/** The user's own bound stays where it is the earlier one. */
function earlier(wanted: string | null, bound: number): string {
  const isEarlier = wanted !== null && Date.parse(wanted) <= bound;
  return isEarlier ? wanted : new Date(bound).toISOString();
}

interface RateGateOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Requests that may be under way at once, where the service allows as many. */
  readonly most: number;
  /** Milliseconds: a service that asks for a longer pause is asked again, for its reason. */
  readonly maxWait: number;
  /** What the service said of its limits before. */
  readonly headers: Response['headers'];
}

/**
 * A transport for requests side by side: as many are under way as `most` and the service's own
 * `RateLimit-Remaining` allow, at least one. When one is refused because of the limit, the others
 * wait as long as the service asks, and then go one by one until it says that more may.
 */
function createRateGate(options: RateGateOptions): Transport {
  const { transport, clock, most, maxWait } = options;
  let allowed = within(remaining(options.headers), most);
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
    } else if (left === undefined) allowed = Math.min(most, allowed + 1);
    // What was said to a later request is newer, whichever response comes first.
    else allowed = number > newest ? within(left, most) : Math.min(allowed, within(left, most));
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

const within = (left = Infinity, most: number): number => Math.max(1, Math.min(left, most));

/** The same body; calls `done` when it was read, or was given up. */
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
