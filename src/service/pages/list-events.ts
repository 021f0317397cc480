/** Parts of a list that are sent anew when what they show has changed. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import { htmlOf } from '../../pages/html-of.ts';
import { lastEventId, type PageEvent } from './event-stream.ts';
import type { PageCall } from './page-call.ts';
import { pause } from './pause.ts';

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

type Listener = Pick<PageCall, 'service' | 'signal' | 'header' | 'query'>;

/**
 * The parts that have changed since the page was made, each when it does; on to the end of the request. Throws
 * `ApiError` where what they show is gone.
 */
export async function* partEvents(
  call: Listener,
  { key, partsOf, gatherTime = 300 }: Watching,
): AsyncGenerator<PageEvent> {
  const { feed } = call.service.engine;
  const { version: first, jobIds } = feed.since(key, versionOf(call));
  const shown = createShown();
  const events = shown.show(await partsOf(null), null, first);
  // What happened while they were read is in them, and not yet on the page.
  const isSame = jobIds?.length === 0 && feed.since(key, first).jobIds?.length === 0;
  if (!isSame) yield* events;
  for (let seen = first; !call.signal.aborted;) {
    if (feed.since(key, seen).jobIds?.length === 0) await feed.next(key, longestWait);
    const { version, jobIds: changed } = feed.since(key, seen);
    const ids = changed?.length === 0 ? shown.growing() : changed;
    seen = version;
    if (ids?.length !== 0) yield* shown.show(await partsOf(ids), ids, version);
    await pause(gatherTime);
  }
}

/** The version of what is shown, for the address of the events: taken before it is read. */
export const versionNow = ({ service }: PageCall, key: string): string =>
  String(service.engine.feed.since(key, null).version);

/** What the page has. */
function createShown() {
  const markup = new Map<string, string>();
  let growing: ReadonlySet<string> = new Set();
  return {
    growing: () => [...growing],
    /** Events for those parts of what shows these ids that the page does not have like that. */
    show(parts: readonly Part[], ids: readonly string[] | null, version: number): PageEvent[] {
      const others = ids === null ? [] : [...growing].filter((id) => !ids.includes(id));
      growing = new Set([...others, ...parts.flatMap((part) => part.growing)]);
      return parts.flatMap(({ id, element }) => {
        const html = htmlOf(element);
        if (markup.get(id) === html) return [];
        markup.set(id, html);
        return [{ id: String(version), event: 'part', data: { id, html } }];
      });
    },
  };
}

function versionOf(call: Listener): number | null {
  const id = lastEventId(call);
  return id !== undefined && /^\d{1,16}$/.test(id) ? Number(id) : null;
}
