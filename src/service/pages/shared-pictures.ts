/**
 * Renders what streams show once per change and shares it: all streams of one page wait for the same pictures, and
 * send the same bytes. A stream keeps only how many pictures it has seen, so that a slow browser skips some instead
 * of collecting them.
 */
import { onAbort } from '../../common/abort.ts';
import type { ServiceContext } from '../service-context.ts';
import type { PageCall } from './page-call.ts';

export interface Part {
  readonly id: string;
  readonly html: string;
}

/** A page at one version. */
export interface Picture {
  /** The version of its data, a number, taken before the data was read. */
  readonly version: string;
  /** Nothing changed while it was read: a page of this version shows the same. */
  readonly isExact: boolean;
  /** What differs from the picture before. */
  readonly changed: readonly Part[];
  /** What a page of another version needs. */
  readonly all: () => Promise<readonly Part[]>;
}

/** What a stream has to send. `parts` are JSON. */
export interface Batch<P extends Picture> {
  readonly picture: P;
  readonly parts: readonly Uint8Array[];
}

/** Makes pictures until its signal is aborted. Its call has no form tokens: the page's script fills them in. */
export type Draw<P extends Picture> = (call: PageCall) => AsyncIterable<P>;

/** What is shared has these instead: forms are drawn if something may be changed, and the script sets the values. */
const placeholder = '-';

/**
 * What is new for a page that has the version `seen`, until the signal of the call is aborted. Calls share pictures
 * if they have the same name, address, query and caller. Throws what drawing throws.
 */
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
    // The page may be newer than the last picture, which would turn it back.
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

interface Channel<P extends Picture> {
  /** Pictures so far. */
  count(): number;
  /** The last one. */
  picture(): P;
  /** Resolves when there are more than `count`, or on abort. Rejects if drawing has failed. */
  after(count: number, signal: AbortSignal): Promise<void>;
  /** The parts that changed after that many pictures, each as it is now. */
  since(count: number): Uint8Array[];
  all(): Promise<readonly Uint8Array[]>;
  leave(): void;
}

const ofServices = new WeakMap<ServiceContext, Map<string, Shared>>();

interface Shared {
  readonly channel: Channel<Picture>;
  streams: number;
}

function join<P extends Picture>(call: PageCall, name: string, draw: Draw<P>): Channel<P> {
  const { service, caller, params, query } = call;
  const shared = ofServices.get(service) ?? new Map<string, Shared>();
  ofServices.set(service, shared);
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
    const channel: Channel<Picture> = createChannel(
      draw({ ...call, context, signal: left.signal }),
      { failed: stop, left: () => --known.streams === 0 && stop() },
    );
    return channel;
  }
}

function createChannel<P extends Picture>(
  pictures: AsyncIterable<P>,
  on: { readonly failed: () => void; readonly left: () => void },
): Channel<P> {
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
    on.failed();
    wake();
  });
  return {
    count: () => count,
    picture: () => last as P,
    after: async (seen, signal) => {
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
    since: (seen) => [...parts.values()].filter(({ at }) => at > seen).map(({ json }) => json),
    all: () => (all ??= (last as P).all().then((list) => list.map(jsonOf))),
    leave: on.left,
  };
}

const jsonOf = ({ id, html }: Part): Uint8Array => Buffer.from(JSON.stringify({ id, html }));
