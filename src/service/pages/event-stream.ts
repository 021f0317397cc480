import { startTimer } from '../../common/clock.ts';
import { ApiError } from '../http/api-error.ts';
import { pageHeaders } from '../http/html.ts';
import type { RouteResponse } from '../http/response.ts';
import type { PageCall } from './page-call.ts';
import { onAbort } from '../../common/abort.ts';
import type { ServiceContext } from '../service-context.ts';

export interface PageEvent {
  /** When the browser reconnects, it sends this ID as `Last-Event-ID`. */
  readonly id: string;
  /** In an event named `part`, the data `{id, html}` replaces the element with that ID. */
  readonly event: string;
  /** An object, or serialized JSON that several streams share. */
  readonly data: object;
}

/** Milliseconds between heartbeats, so that both sides notice a lost connection. */
const heartbeat = 15_000;

/** Ends after the last event or at an `ApiError`; the page gets the error when it reconnects. */
export function eventStream(
  call: Pick<PageCall, 'signal'>,
  events: (signal: AbortSignal) => AsyncIterable<PageEvent>,
  pauseTime = heartbeat,
): RouteResponse {
  const left = new AbortController();
  const signal = AbortSignal.any([call.signal, left.signal]);
  const headers = {
    ...pageHeaders,
    'content-type': 'text/event-stream; charset=utf-8',
    // Prevents proxies from buffering.
    'x-accel-buffering': 'no',
  };
  return { status: 200, headers, body: linesOf(events(signal), left, pauseTime) };
}

/** Ignores malformed IDs, because IDs are sent back and a newline would start another event. */
export function lastEventId(call: Pick<PageCall, 'header' | 'query'>): string | undefined {
  const id = call.header('last-event-id') ?? call.query.get('last-event-id') ?? '';
  return /^\d{1,20}(-\d{1,20})?$/.test(id) ? id : undefined;
}

/** Streams all changed parts of a page. Each part is rendered once for all viewers of the page. */
export const pictureStream = (call: PageCall, name: string, draw: Draw<Picture>): RouteResponse =>
  eventStream(call, async function* (signal) {
    let seen = lastEventId(call);
    const batches = followPictures({ ...call, signal }, name, seen, draw);
    for await (const batch of batches) {
      yield* partEvents(batch, seen ?? '0', batch.picture.version);
      seen = batch.picture.version;
    }
  });

/** If the stream is interrupted, all events are sent again, since only the last has the new ID. */
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
      const result = await firstWithin(pauseTime, next);
      if (result === undefined) {
        yield Buffer.from(': heartbeat\n\n');
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

/** Resolves to undefined if `wait` takes longer than `ms` milliseconds. */
function firstWithin<T>(ms: number, wait: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = startTimer(ms, () => resolve(undefined), { keepsProcess: false });
    void wait.then(resolve, reject).finally(() => timer.stop());
  });
}

/** Large shared JSON is not copied, because copies for many slow browsers would fill the memory. */
function piecesOf({ id, event, data }: PageEvent): Uint8Array[] {
  const json = data instanceof Uint8Array ? data : Buffer.from(JSON.stringify(data));
  const pieces = [Buffer.from(`id: ${id}\nevent: ${event}\ndata: `), json, Buffer.from('\n\n')];
  return json.byteLength > mostCopied ? pieces : [Buffer.concat(pieces)];
}

/** In bytes. */
const mostCopied = 16 * 1024;

/** Waits without keeping the process alive. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => startTimer(ms, resolve, { keepsProcess: false }));

export interface Part {
  readonly id: string;
  readonly html: string;
}

export interface Picture {
  /** The version before the data was read. */
  readonly version: string;
  /** Whether nothing changed during the read. If so, a page with this version is up to date. */
  readonly isExact: boolean;
  /** The parts that differ from the previous update. */
  readonly changed: readonly Part[];
  /** Returns all parts, for pages that do not have the previous version. */
  readonly all: () => Promise<readonly Part[]>;
}

/** `parts` are serialized JSON. */
export interface Batch<P extends Picture> {
  readonly picture: P;
  readonly parts: readonly Uint8Array[];
}

/** Yields updates, with a placeholder for the form token, until the signal is aborted. */
type Draw<P extends Picture> = (call: PageCall) => AsyncIterable<P>;

/** Placeholder for the form token, which differs between viewers. A script replaces it. */
const placeholder = '-';

/** Calls with the same name, URL, query and caller share updates. Slow browsers skip updates. */
export async function* followPictures<P extends Picture>(
  call: PageCall,
  name: string,
  seen: string | undefined,
  draw: Draw<P>,
): AsyncGenerator<Batch<P>> {
  const channel = join(call, name, draw);
  const { signal } = call;
  const isOver = (): boolean => signal.aborted;
  try {
    await channel.after(0, signal);
    // The page may be newer than the latest update, which would then undo changes on the page.
    if (Number(seen ?? 0) > Number(channel.picture().version))
      await channel.after(channel.count(), signal);
    if (isOver()) return;
    let count = channel.count();
    const first = channel.picture();
    const isSame = first.isExact && first.version === seen;
    yield { picture: first, parts: isSame ? [] : await channel.all() };
    for (;;) {
      await channel.after(count, signal);
      if (isOver()) return;
      const parts = channel.since(count);
      count = channel.count();
      yield { picture: channel.picture(), parts };
    }
  } finally {
    channel.leave();
  }
}

type Channel<P extends Picture> = ReturnType<typeof createChannel<P>>;

interface Shared {
  readonly channel: Channel<Picture>;
  streams: number;
}

const sharedByService = new WeakMap<ServiceContext, Map<string, Shared>>();

function join<P extends Picture>(call: PageCall, name: string, draw: Draw<P>): Channel<P> {
  const { service, caller, params, query } = call;
  const shared = sharedByService.get(service) ?? new Map<string, Shared>();
  sharedByService.set(service, shared);
  const wanted = [...query].filter(([key]) => key !== 'last-event-id');
  const key = JSON.stringify([name, params, wanted, caller]);
  const known = shared.get(key) ?? { channel: start(), streams: 0 };
  shared.set(key, known);
  known.streams++;
  return known.channel as Channel<P>;

  function start(): Channel<Picture> {
    const left = new AbortController();
    const context = { ...call.context, formToken: placeholder, once: placeholder };
    const stop = (): void => {
      if (shared.get(key)?.channel === channel) shared.delete(key);
      left.abort();
    };
    const leave = (): void => {
      if (--known.streams === 0) stop();
    };
    const pictures = draw({ ...call, context, signal: left.signal });
    const channel: Channel<Picture> = createChannel<Picture>(pictures, stop, leave);
    return channel;
  }
}

function createChannel<P extends Picture>(
  pictures: AsyncIterable<P>,
  failed: () => void,
  leave: () => void,
) {
  const parts = new Map<string, { readonly at: number; readonly json: Uint8Array }>();
  const waiting = new Set<() => void>();
  let count = 0;
  let last: P | undefined;
  let all: Promise<readonly Uint8Array[]> | undefined;
  let failure: { readonly reason: unknown } | undefined;
  const wake = (): void => {
    for (const go of [...waiting]) go();
  };
  const run = async (): Promise<void> => {
    for await (const picture of pictures) {
      count++;
      [last, all] = [picture, undefined];
      for (const part of picture.changed) parts.set(part.id, { at: count, json: jsonOf(part) });
      wake();
    }
  };
  run().catch((reason: unknown) => {
    failure = { reason };
    failed();
    wake();
  });
  return {
    leave,
    count: () => count,
    picture: () => last as P,
    /**
     * Resolves when there are more than `seen` updates, or on abort. Rejects if rendering fails.
     */
    after: async (seen: number, signal: AbortSignal): Promise<void> => {
      while (count <= seen && failure === undefined && !signal.aborted)
        await new Promise<void>((resolve) => {
          const go = (): void => {
            waiting.delete(go);
            stopListening();
            resolve();
          };
          waiting.add(go);
          const stopListening = onAbort(signal, go);
        });
      if (failure !== undefined) throw failure.reason;
    },
    /** Returns the latest version of each part that changed after the first `seen` updates. */
    since: (seen: number): Uint8Array[] =>
      [...parts.values()].filter(({ at }) => at > seen).map(({ json }) => json),
    all: (): Promise<readonly Uint8Array[]> =>
      (all ??= (last as P).all().then((list) => list.map(jsonOf))),
  };
}

const jsonOf = ({ id, html }: Part): Uint8Array => Buffer.from(JSON.stringify({ id, html }));
