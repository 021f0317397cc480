/** Parts of a list that are sent anew when what they show has changed. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import { htmlOf } from '../../pages/html-of.ts';
import { startTimer } from '../../timer.ts';
import { lastEventId, type PageEvent } from './event-stream.ts';
import type { PageCall } from './page-call.ts';

export interface Part {
  readonly id: string;
  readonly element: JSX.Element;
}

export interface Watching {
  /** Id of the pipeline or organization: see the change feed. */
  readonly key: string;
  /** What shows these; all parts for null. */
  readonly partsOf: (ids: readonly string[] | null) => Promise<readonly Part[]>;
  /** Milliseconds in which changes are gathered. */
  readonly gatherTime?: number;
}

/** Milliseconds after which one looks whether the browser is still there. */
const longestWait = 5000;

/** The parts that have changed since the page was made, each when it does; on to the end of the request. */
export async function* partEvents(
  call: PageCall,
  { key, partsOf, gatherTime = 300 }: Watching,
): AsyncGenerator<PageEvent> {
  const { feed } = call.service.engine;
  const sent = new Map<string, string>();
  let seen = versionOf(call);
  while (!call.signal.aborted) {
    const { version, jobIds } = feed.since(key, seen);
    if (jobIds?.length === 0) {
      await feed.next(key, longestWait);
      continue;
    }
    for (const { id, element } of await partsOf(jobIds)) {
      const html = htmlOf(element);
      if (sent.get(id) !== html) yield { id: String(version), event: 'part', data: { id, html } };
      sent.set(id, html);
    }
    seen = version;
    await pause(gatherTime);
  }
}

/** The version of what is shown, for the address of the events: taken before it is read. */
export const versionNow = ({ service }: PageCall, key: string): string =>
  String(service.engine.feed.since(key, null).version);

function versionOf(call: PageCall): number | null {
  const id = lastEventId(call);
  return id !== undefined && /^\d{1,16}$/.test(id) ? Number(id) : null;
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => startTimer(ms, resolve, { keepsProcess: false }));
