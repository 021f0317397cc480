import type { Clock } from '../context.ts';
import type { Transport } from '../http/transport.ts';
import { accessToken, type AccessTokens } from './access-token.ts';
import { annotations, type Annotations } from './annotations.ts';
import { builds, type Builds } from './builds.ts';
import { createRestClient } from './rest-client.ts';
import type { PlannedRequest } from './dry-run.ts';
import { credential } from './credential.ts';
import { createSendRequest, type Api } from './request.ts';
import { graphql, type Graphql } from './graphql.ts';
import { jobs, type Jobs } from './jobs.ts';
import { metrics, type MetricsApi } from './metrics.ts';
import { emojis, organizations, type Emojis, type Organizations } from './organizations.ts';
import { raw, type Raw } from './raw.ts';
import { rules, type Rules } from './rules.ts';

export interface ClientOptions {
  /** Addresses of the three APIs; a path in them is kept. */
  readonly baseUrl: string;
  readonly agentUrl: string;
  readonly graphqlUrl: string;
  /** API access token: sent to the origins of `baseUrl` and `graphqlUrl` alone. */
  readonly token?: string;
  /** Agent registration token: sent to the origin of `agentUrl` alone. */
  readonly agentToken?: string;
  /** What the user may do when the access token is refused; default `cictl auth login`. */
  readonly login?: string;
  readonly transport: Transport;
  readonly clock: Clock;
  /** 0 to 1, for the jitter of waits. */
  readonly random?: () => number;
  /** Milliseconds to the head of an answer, and between two pieces of its body. */
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

/** Every endpoint of the specification. All methods throw `CictlError`, or `DryRun`. */
export interface Client extends Raw {
  readonly builds: Builds;
  readonly jobs: Jobs;
  readonly annotations: Annotations;
  readonly rules: Rules;
  readonly organizations: Organizations;
  readonly emojis: Emojis;
  readonly accessToken: AccessTokens;
  readonly metrics: MetricsApi;
  readonly graphql: Graphql;
  close(): Promise<void>;
}

/**
 * The client of one service. Nothing is sent, and no HTTP library is loaded, before the first call;
 * a token that is missing or cannot be sent fails that call.
 */
export function createClient(options: ClientOptions): Client {
  const bearer = (): string => credential('Bearer', options.token);
  const rest: Api = { base: options.baseUrl, authorization: bearer };
  const caller = createRestClient(createSendRequest(rest, options));
  const agentApi: Api = {
    base: options.agentUrl,
    authorization: () => credential('Token', options.agentToken),
  };
  const graphqlApi: Api = { base: options.graphqlUrl, authorization: bearer };
  return {
    builds: builds(caller),
    jobs: jobs(caller),
    annotations: annotations(caller),
    rules: rules(caller),
    organizations: organizations(caller),
    emojis: emojis(caller),
    accessToken: accessToken(caller),
    metrics: metrics(createSendRequest(agentApi, options)),
    graphql: graphql(createSendRequest(graphqlApi, options)),
    ...raw(rest, options),
    close: () => options.transport.close(),
  };
}
