/** Server-sent events: a page hears what is new, and after a break goes on with what it had last. */
import { startTimer } from '../../common/clock.ts';
import { ApiError } from '../http/api-error.ts';
import { pageHeaders } from '../http/html.ts';
import type { RouteResponse } from '../http/response.ts';
import type { PageCall } from './page-call.ts';
import { followPictures, type Batch, type Draw, type Picture } from './shared-pictures.ts';

export interface PageEvent {
  /** What the page had when it asks again: `Last-Event-ID`. */
  readonly id: string;
  /** `part`: `{id, html}` replaces the element of that id. */
  readonly event: string;
  /** An object, or its JSON where streams share it. */
  readonly data: object;
}

/** Milliseconds between signs of life, so that both sides notice a connection that is gone. */
const heartbeat = 15_000;

/** What is between the browser and us passes events on as they come. */
const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };

/**
 * The response that goes on while the events have more. It ends with the browser, with the events, and where what
 * they show is gone or refused: whoever asks again hears of that. The events get a signal that nobody listens any
 * more, as who waits for the next one cannot be ended otherwise.
 */
export function eventStream(
  call: Pick<PageCall, 'signal'>,
  events: (signal: AbortSignal) => AsyncIterable<PageEvent>,
  pauseTime = heartbeat,
): RouteResponse {
  const left = new AbortController();
  const signal = AbortSignal.any([call.signal, left.signal]);
  return {
    status: 200,
    headers: { ...pageHeaders, ...headers },
    body: linesOf(events(signal), left, pauseTime),
  };
}

/**
 * What the page had last: of the header, or of the address where the page opens a new stream. Undefined for what
 * is no id of ours: build pages say it again, and a line in it would begin an event.
 */
export function lastEventId({
  header,
  query,
}: Pick<PageCall, 'header' | 'query'>): string | undefined {
  const id = header('last-event-id') ?? query.get('last-event-id') ?? '';
  return /^\d{1,20}(-\d{1,20})?$/.test(id) ? id : undefined;
}

/** The response with all parts of a page that change, drawn once for all streams of that page. */
export const pictureStream = (call: PageCall, name: string, draw: Draw<Picture>): RouteResponse =>
  eventStream(call, async function* (signal) {
    let seen = lastEventId(call);
    const batches = followPictures({ ...call, signal }, name, seen, draw);
    for await (const batch of batches) {
      yield* partEvents(batch, seen ?? '0', batch.picture.version);
      seen = batch.picture.version;
    }
  });

/** Only the last event of a batch has its id: after an interruption, the page gets the whole batch again. */
export function* partEvents(
  { parts }: Batch<Picture>,
  before: string,
  after: string,
): Generator<PageEvent> {
  for (const [index, data] of parts.entries())
    yield { id: index + 1 < parts.length ? before : after, event: 'part', data };
}

async function* linesOf(
  events: AsyncIterable<PageEvent>,
  left: AbortController,
  pauseTime: number,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from('retry: 1000\n\n');
  const iterator = events[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const pause = pauseOf(pauseTime);
      const result = await Promise.race([next, pause.over]);
      pause.stop();
      if (result === undefined) {
        yield Buffer.from(': still here\n\n');
        continue;
      }
      if (result.done === true) return;
      yield* piecesOf(result.value);
      next = iterator.next();
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  } finally {
    left.abort();
    void iterator.return?.();
  }
}

/** Large shared JSON is sent as it is: a copy for each stream would fill the memory while browsers are slow. */
function piecesOf({ id, event, data }: PageEvent): Uint8Array[] {
  const json = data instanceof Uint8Array ? data : Buffer.from(JSON.stringify(data));
  const pieces = [Buffer.from(`id: ${id}\nevent: ${event}\ndata: `), json, Buffer.from('\n\n')];
  return json.byteLength > mostCopied ? pieces : [Buffer.concat(pieces)];
}

/** Bytes. */
const mostCopied = 16 * 1024;

function pauseOf(ms: number): { readonly over: Promise<undefined>; readonly stop: () => void } {
  let stop = (): void => undefined;
  const over = new Promise<undefined>((resolve) => {
    const timer = startTimer(ms, () => resolve(undefined), { keepsProcess: false });
    stop = () => timer.stop();
  });
  return { over, stop };
}

/** Resolves after so many milliseconds; the process does not stay for it. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => startTimer(ms, resolve, { keepsProcess: false }));
