import type { Method, Response } from '../http/transport.ts';
import type { Query } from '../http/url.ts';

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
  pages<T extends object>(call: Call): AsyncIterable<T>;
  /** Nothing: 204, or any other success. */
  none(call: Call): Promise<void>;
  text(call: Call): Promise<string>;
  /** A body as it arrives. */
  stream(call: Call): Promise<Response>;
}
