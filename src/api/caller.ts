import { AnswerError, readStart, readText } from '../http/body.ts';
import { nextLink } from '../http/link.ts';
import type { Answer } from '../http/send.ts';
import type { Method, Response } from '../http/transport.ts';
import type { Query } from '../http/url.ts';
import { decodeArray, decodeObject } from './decode.ts';
import type { Exchange } from './exchange.ts';
import { told } from './failure.ts';
import { createFresh, createWalk, type Page, type Pages } from './page.ts';

/** One call of the API, said once: where it goes, and how its failure is told. */
export interface Call {
  readonly method: Method;
  /** Segments below the base address, unescaped. */
  readonly path: readonly (string | number)[];
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default: JSON. */
  readonly accept?: string;
  readonly range?: string;
  /** After "cannot": `cancel build acme/web/7`. */
  readonly doing: string;
  /** The scope that the token needs. */
  readonly scope?: string;
  /** What is named when it is not found. */
  readonly subject?: Subject;
}

export interface Subject {
  readonly org?: string;
  readonly pipeline?: string;
  readonly number?: number;
  readonly job?: string;
  readonly rule?: string;
}

/** The ways in which the REST API answers. All throw `CictlError`, or `DryRun`. */
export interface Caller {
  /** A JSON object. */
  one<T extends object>(call: Call): Promise<T>;
  /** A JSON array in one piece. */
  many<T extends object>(call: Call): Promise<T[]>;
  /** A JSON array in pages; the next page is asked for when the one before has been taken. */
  pages<T extends object>(call: Call): Pages<T>;
  /** Nothing: 204, or any other success. */
  none(call: Call): Promise<void>;
  text(call: Call): Promise<string>;
  /** A body as it arrives. */
  stream(call: Call): Promise<Response>;
}

/** The REST API over one exchange. */
export const createCaller = (exchange: Exchange): Caller => ({
  one: <T extends object>(call: Call) =>
    exchange(call, async (answer) => decodeObject(await readText(answer)) as T),
  many: <T extends object>(call: Call) =>
    exchange(call, async (answer) => decodeArray(await readText(answer)) as T[]),
  pages: <T extends object>(call: Call) => pages<T>(exchange, call),
  none: (call) =>
    exchange(call, async (answer) => {
      await readStart(answer);
    }),
  text: (call) => exchange(call, (answer) => readText(checkText(answer, call))),
  stream: (call) =>
    exchange(call, (answer) => Promise.resolve(streamed(checkText(answer, call), call))),
});

const pages = <T extends object>(exchange: Exchange, call: Call): Pages<T> => ({
  pages: () => walkPages<T>(exchange, call),
  async *[Symbol.asyncIterator]() {
    for await (const { items } of walkPages<T>(exchange, call)) yield* items;
  },
});

async function* walkPages<T extends object>(
  exchange: Exchange,
  call: Call,
): AsyncGenerator<Page<T>> {
  const walk = createWalk();
  const fresh = createFresh();
  const read = async (answer: Answer) => ({
    elements: decodeArray(await readText(answer)) as T[],
    hasNext: nextLink(answer.headers['link']) !== undefined,
    next: () => walk(answer),
  });
  for (let at: URL | undefined, isFirst = true; isFirst || at !== undefined; isFirst = false) {
    const page: Awaited<ReturnType<typeof read>> = await exchange(call, read, at);
    yield { items: fresh(page.elements), hasNext: page.hasNext };
    at = following(call, page.next);
  }
}

/** After the elements of a page, so that they are not lost when its `Link` is no good. */
function following(call: Call, next: () => URL | undefined): URL | undefined {
  try {
    return next();
  } catch (error) {
    throw told(call, error);
  }
}

/** A sign-in page of some proxy is not the text that was asked for. */
function checkText(answer: Answer, call: Call): Answer {
  const isHtml = answer.headers['content-type']?.startsWith('text/html') === true;
  if (isHtml && call.accept === 'text/plain') {
    throw new AnswerError('the answer is HTML instead of text');
  }
  return answer;
}

const streamed = (answer: Answer, call: Call): Response => ({
  ...answer,
  body: toldBody(answer.body, call),
});

async function* toldBody(body: Response['body'], call: Call): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw told(call, error);
  }
}
