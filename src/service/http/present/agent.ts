import type { ServiceContext } from '../../service-context.ts';
import type { Agent, Organization } from '../../domain/records.ts';
import { graphqlId, iso } from './scalars.ts';
import { presentUser } from './user.ts';

/** What build lists send of an agent. */
const presentShortAgent = (
  { urls }: Pick<ServiceContext, 'urls'>,
  { slug }: Organization,
  agent: Agent,
) => ({ id: agent.id, url: urls.agent(slug, agent.id), name: agent.name });

/** Specification, "Agent". All are slots of one machine, and of the one who owns its data. */
export function presentAgent(
  service: Pick<ServiceContext, 'urls' | 'store' | 'engine'>,
  organization: Organization,
  agent: Agent,
): object {
  const { urls, store, engine } = service;
  const isConnected = engine.slots.some((slot) => slot.agent.id === agent.id);
  const owner = store.accounts.users()[0];
  return {
    ...presentShortAgent(service, organization, agent),
    graphql_id: graphqlId('Agent', agent.id),
    web_url: urls.webAgent(organization.slug, agent.id),
    connection_state: isConnected ? 'connected' : 'disconnected',
    hostname: agentHost,
    ip_address: '127.0.0.1',
    user_agent: `cictl/${agentVersion}`,
    version: agentVersion,
    creator: owner === undefined ? null : presentUser(service, owner),
    created_at: iso(agent.createdAt),
  };
}

export type PresentAgent = (agent: Agent) => object;

/** Agents as the jobs of one list show them: each is looked up once. */
export function agentPresenter(
  service: Pick<ServiceContext, 'urls' | 'store' | 'engine'>,
  organization: Organization,
  { single }: { readonly single: boolean },
): PresentAgent {
  const present = single ? presentAgent : presentShortAgent;
  const presented = new Map<string, object>();
  return (agent) => {
    const shown = presented.get(agent.id) ?? present(service, organization, agent);
    presented.set(agent.id, shown);
    return shown;
  };
}

export const agentHost = 'localhost';

/** Of the protocol that agents speak here, which is no other program's. */
export const agentVersion = '1.0.0';
