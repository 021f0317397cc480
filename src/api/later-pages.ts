import { lastLink } from '../http/link.ts';
import type { FinalResponse } from '../http/redirects.ts';

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
export function laterPages(
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
