import type { Transport } from '../http/transport.ts';
import type { PlannedRequest } from './dry-run.ts';
import type { Clock } from '../clock.ts';

export interface ClientOptions {
  /** Addresses of the three APIs; a path in them is kept. */
  readonly baseUrl: string;
  readonly agentUrl: string;
  readonly graphqlUrl: string;
  /** API access token: sent only to the origins of `baseUrl` and `graphqlUrl`. */
  readonly token?: string;
  /** Agent registration token: sent only to the origin of `agentUrl`. */
  readonly agentToken?: string;
  /** What the user may do when the access token is refused; default `cictl auth login`. */
  readonly login?: string;
  readonly transport: Transport;
  readonly clock: Clock;
  /** 0 to 1, for the jitter of waits. */
  readonly random?: () => number;
  /** Milliseconds to the head of a response, and between two pieces of its body. */
  readonly requestTimeout: number;
  /** Milliseconds that one call may wait in all because the service asks for it. */
  readonly maxWait: number;
  /** Its reason is thrown by whatever is under way. */
  readonly signal: AbortSignal;
  /** A sentence for the user: a wait of more than a second. */
  notice(line: string): void;
  debug(line: string): void;
  /** Given under `--dry-run`: gets every request but GET, which is then not sent. */
  readonly dryRun?: (request: PlannedRequest) => void;
  readonly userAgent: string;
}
