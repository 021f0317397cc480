import { agents } from './agents.ts';
import { accessToken } from './access-token.ts';
import { artifacts } from './artifacts.ts';
import { annotations } from './annotations.ts';
import { builds } from './builds.ts';
import { createRestClient } from './rest-client.ts';
import { credential, createSendRequest, type Api, type ClientOptions } from './send-request.ts';
import { graphql } from './graphql.ts';
import { jobs } from './jobs.ts';
import { metrics } from './metrics.ts';
import { emojis, organizations } from './organizations.ts';
import { raw } from './raw.ts';
import { pipelines } from './pipelines.ts';
import { rules } from './rules.ts';

/** All endpoints of the API. All methods throw `CictlError` or `DryRun`. */
export type Client = ReturnType<typeof createClient>;

/** Sends nothing and loads no HTTP library before the first call. Calls without a token fail. */
export function createClient(options: ClientOptions) {
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
