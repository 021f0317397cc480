import { agents, type Agents } from './agents.ts';
import { accessToken, type AccessTokens } from './access-token.ts';
import { artifacts, type Artifacts } from './artifacts.ts';
import { annotations, type Annotations } from './annotations.ts';
import { builds, type Builds } from './builds.ts';
import { createRestClient } from './rest-client.ts';
import { credential, createSendRequest, type Api, type ClientOptions } from './send-request.ts';
import { graphql, type Graphql } from './graphql.ts';
import { jobs, type Jobs } from './jobs.ts';
import { metrics, type MetricsApi } from './metrics.ts';
import { emojis, organizations, type Emojis, type Organizations } from './organizations.ts';
import { raw, type Raw } from './raw.ts';
import { pipelines, type Pipelines } from './pipelines.ts';
import { rules, type Rules } from './rules.ts';

/** All endpoints. All methods throw `CictlError` or `DryRun`. */
export interface Client extends Raw {
  readonly builds: Builds;
  readonly jobs: Jobs;
  readonly annotations: Annotations;
  readonly agents: Agents;
  readonly artifacts: Artifacts;
  readonly pipelines: Pipelines;
  readonly rules: Rules;
  readonly organizations: Organizations;
  readonly emojis: Emojis;
  readonly accessToken: AccessTokens;
  readonly metrics: MetricsApi;
  readonly graphql: Graphql;
  close(): Promise<void>;
}

/**
 * Creates the client of one service. Before the first call, nothing is sent and no HTTP library is
 * loaded; a missing or invalid token fails that call.
 */
export function createClient(options: ClientOptions): Client {
  const bearer = (): string => credential('Bearer', options.token);
  const rest: Api = { base: options.baseUrl, authorization: bearer };
  const client = createRestClient(createSendRequest(rest, options), async (...page) => {
    const { createFetchAhead } = await import('./fetch-ahead.ts');
    return createFetchAhead(rest, options)(...page);
  });
  const agentApi: Api = {
    base: options.agentUrl,
    authorization: () => credential('Token', options.agentToken),
  };
  const graphqlApi: Api = { base: options.graphqlUrl, authorization: bearer };
  return {
    builds: builds(client),
    jobs: jobs(client),
    annotations: annotations(client),
    agents: agents(client),
    artifacts: artifacts(client),
    pipelines: pipelines(client),
    rules: rules(client),
    organizations: organizations(client),
    emojis: emojis(client),
    accessToken: accessToken(client),
    metrics: metrics(createSendRequest(agentApi, options)),
    graphql: graphql(createSendRequest(graphqlApi, options)),
    ...raw(rest, options),
    close: () => options.transport.close(),
  };
}
