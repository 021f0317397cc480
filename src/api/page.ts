import { AnswerError } from '../http/body.ts';
import { nextLink } from '../http/link.ts';
import type { Answer } from '../http/send.ts';

/** A page of a list: `hasNext` says that the service names a further one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasNext: boolean;
}

/** A paginated list: its elements one by one, or its pages as they arrive. Both walk it anew. */
export interface Pages<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>;
}

/** Finds the next page of a list, and refuses to walk in a circle. */
export type Walk = (answer: Answer) => URL | undefined;

/**
 * The address of the next page is what `Link: rel="next"` says, taken only within one origin, since
 * the token goes there too. Throws `AnswerError` for another origin or a page already seen.
 */
export function createWalk(): Walk {
  const seen = new Set<string>();
  return ({ url, headers }) => {
    seen.add(url.href);
    const link = nextLink(headers['link']);
    if (link === undefined) return undefined;
    if (!URL.canParse(link, url.href)) throw new AnswerError('the next page has no valid address');
    const next = new URL(link, url);
    if (next.origin !== url.origin) {
      throw new AnswerError(`the next page is at ${next.origin}, where the token does not belong`);
    }
    next.username = '';
    next.password = '';
    next.hash = '';
    if (seen.has(next.href)) throw new AnswerError('its pages go round in a circle');
    return next;
  };
}

/**
 * Keeps what earlier pages have not shown: builds created meanwhile push others to the next page.
 * Elements without an id are all kept.
 */
export function createFresh(): <T extends object>(page: readonly T[]) => T[] {
  const seen = new Set<unknown>();
  return (page) => {
    const fresh = page.filter((element) => !seen.has(idOf(element)));
    for (const element of fresh) {
      const id = idOf(element);
      if (id !== undefined) seen.add(id);
    }
    return fresh;
  };
}

function idOf(element: object): string | undefined {
  const { id, uuid } = element as { id?: unknown; uuid?: unknown };
  const own = id ?? uuid;
  return typeof own === 'string' && own !== '' ? own : undefined;
}
