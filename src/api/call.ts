import type { Method } from '../http/transport.ts';
import type { Query } from '../http/url.ts';

export interface Call {
  readonly method: Method;
  /** Path segments below the base URL, not yet encoded. */
  readonly path: readonly (string | number)[];
  readonly query?: Query;
  readonly body?: unknown;
  readonly accept?: string;
  readonly range?: string;
  /** Completes the sentence "cannot …", such as `cancel build acme/web/7`. */
  readonly action: string;
  readonly scope?: string;
  /** The command that gets a new credential. Defaults to `cictl auth login`. */
  readonly login?: string;
  readonly signal?: AbortSignal | undefined;
  readonly subject?: Subject;
}

export interface Subject {
  readonly org?: string;
  readonly pipeline?: string;
  readonly number?: number;
  readonly job?: string;
  readonly rule?: string;
}

export type CallInfo = Pick<Call, 'method' | 'action' | 'scope' | 'subject' | 'login'>;

/** A request that `--dry-run` shows instead of sending. Contains no credential. */
export interface PlannedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
}

/** Thrown to end a call whose request `--dry-run` has printed. Not an error. */
export class DryRun extends Error {
  override readonly name = 'DryRun';
}
