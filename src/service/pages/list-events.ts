/** Parts of a list that are sent again when what they show has changed. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import { htmlOf } from '../../pages/html-of.ts';
import type { PageCall } from './page-call.ts';
import { pause } from './pause.ts';
import type { Part as SentPart, Picture } from './shared-pictures.ts';

export interface Part {
  readonly id: string;
  readonly element: JSX.Element;
  /** What it shows that grows by itself, as how long a build has been running: ids for `partsOf`. */
  readonly growing: readonly string[];
}

export interface Watching {
  /** Id of the pipeline or organization: see the change feed. */
  readonly key: string;
  /** What shows these builds or pipelines; all parts for null. */
  readonly partsOf: (ids: readonly string[] | null) => Promise<readonly Part[]>;
  /** Milliseconds in which changes are gathered. */
  readonly gatherTime?: number;
}

/** Milliseconds after which what grows is shown anew, where nothing else happens. */
const longestWait = 5000;

type Listener = Pick<PageCall, 'service' | 'signal'>;

/**
 * The list each time it changes, until the end of the request. Throws `ApiError` if what it shows no longer exists.
 */
export async function* listPictures(
  call: Listener,
  { key, partsOf, gatherTime = 300 }: Watching,
): AsyncGenerator<Picture> {
  const { feed } = call.service.engine;
  const all = async (): Promise<readonly SentPart[]> =>
    (await partsOf(null)).map(({ id, element }) => ({ id, html: htmlOf(element) }));
  const shown = createShown();
  let { version: seen } = feed.since(key, null);
  const changed = shown.show(await partsOf(null), null);
  const isExact = feed.since(key, seen).jobIds?.length === 0;
  yield { version: String(seen), isExact, changed, all: () => Promise.resolve(changed) };
  while (!call.signal.aborted) {
    if (feed.since(key, seen).jobIds?.length === 0) await feed.next(key, longestWait);
    const { version, jobIds } = feed.since(key, seen);
    const ids = jobIds?.length === 0 ? shown.growing() : jobIds;
    if (ids?.length !== 0 || version !== seen) {
      const news = ids?.length === 0 ? [] : shown.show(await partsOf(ids), ids);
      const isNow = feed.since(key, version).jobIds?.length === 0;
      yield { version: String(version), isExact: isNow, changed: news, all };
    }
    seen = version;
    await pause(gatherTime);
  }
}

/** The version of what is shown, for the URL of the events: taken before it is read. */
export const versionNow = ({ service }: PageCall, key: string): string =>
  String(service.engine.feed.since(key, null).version);

/** What the last picture shows. */
function createShown() {
  const markup = new Map<string, string>();
  let growing: ReadonlySet<string> = new Set();
  return {
    growing: () => [...growing],
    /** Those parts of what shows these ids that look different now. */
    show(parts: readonly Part[], ids: readonly string[] | null): SentPart[] {
      const others = ids === null ? [] : [...growing].filter((id) => !ids.includes(id));
      growing = new Set([...others, ...parts.flatMap((part) => part.growing)]);
      return parts.flatMap(({ id, element }) => {
        const html = htmlOf(element);
        if (markup.get(id) === html) return [];
        markup.set(id, html);
        return [{ id, html }];
      });
    },
  };
}
