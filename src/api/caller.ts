import { AnswerError, readStart, readText } from '../http/body.ts';
import type { Answer } from '../http/follow.ts';
import { notPlainText } from '../http/media-type.ts';
import type { Method, Response } from '../http/transport.ts';
import type { Query } from '../http/url.ts';
import { decodeArray, decodeObject } from './decode.ts';
import type { Exchange } from './exchange.ts';
import type { Pages } from './page.ts';
import { pages } from './pages.ts';
import { toldStream } from './told.ts';

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
  /** The command that gives a new credential; default `cictl auth login`. */
  readonly login?: string;
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
    exchange(call, (answer) => Promise.resolve(toldStream(checkText(answer, call), call))),
});

/** A sign-in page of some proxy is not the text that was asked for. */
function checkText(answer: Answer, call: Call): Answer {
  const other = call.accept === 'text/plain' ? notPlainText(answer.headers) : undefined;
  if (other !== undefined) throw new AnswerError(`the answer is ${other} instead of text`);
  return answer;
}
