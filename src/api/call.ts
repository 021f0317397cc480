import type { Method } from '../http/transport.ts';
import type { Query } from '../http/url.ts';

/** One call of the API: where it goes, and how its failure is reported. */
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
  readonly action: string;
  /** The scope that the token needs. */
  readonly scope?: string;
  /** The command that gives a new credential; default `cictl auth login`. */
  readonly login?: string;
  /** Ends this call alone; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
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

/** What a failure needs to know of the call. */
export type CallInfo = Pick<Call, 'method' | 'action' | 'scope' | 'subject' | 'login'>;

/** A request that `--dry-run` shows instead of sending. It holds no credential. */
export interface PlannedRequest {
  readonly method: string;
  readonly url: string;
  /** The JSON text that would go out. */
  readonly body: string | undefined;
}

/** Ends a call that `--dry-run` has shown: not a failure, nothing was sent. */
export class DryRun extends Error {
  override readonly name = 'DryRun';
}
