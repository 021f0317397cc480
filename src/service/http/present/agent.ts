import type { ServiceContext } from '../../service-context.ts';
import type { Agent, Organization } from '../../domain/records.ts';
import type { Pause } from '../../domain/agents.ts';
import { seeAgent, type SeenAgent } from '../agents.ts';
import { graphqlId, iso, isoOrNull } from './scalars.ts';
import { presentUser } from './organization.ts';

type Parts = Pick<ServiceContext, 'urls' | 'store' | 'engine'>;

/** See "Agent" in the specification. Includes newer fields of the public service. */
function presentAgent(parts: Parts, organization: Organization, seen: SeenAgent): object {
  const { urls, store } = parts;
  const { agent } = seen;
  // All agents belong to the owner of this service.
  const owner = store.accounts.users()[0];
  return {
    ...presentShortAgent(parts, organization, agent),
    graphql_id: graphqlId('Agent', agent.id),
    web_url: urls.webAgent(organization.slug, agent.id),
    connection_state: seen.connection,
    hostname: seen.hostname,
    ip_address: seen.ip,
    user_agent: seen.userAgent,
    version: seen.version,
    creator: owner === undefined ? null : presentUser(parts, owner),
    created_at: iso(agent.createdAt),
    priority: seen.priority,
    meta_data: seen.tags,
    ...presentPause(parts, seen.pause),
  };
}

function presentPause(parts: Parts, pause: Pause | null): object {
  if (pause === null) return { paused: false };
  const { at, note, until, byId } = pause;
  const user = byId === null ? undefined : parts.store.accounts.user(byId);
  return {
    paused: true,
    paused_at: iso(at),
    paused_by: user === undefined ? null : presentUser(parts, user),
    paused_note: note,
    paused_timeout_in_minutes: until === null ? null : Math.round((until - at) / 60_000),
  };
}

export const presentListedAgent = (
  parts: Parts,
  organization: Organization,
  seen: SeenAgent,
  job: object | null,
): object => ({
  ...presentAgent(parts, organization, seen),
  job,
  last_job_finished_at: isoOrNull(parts.store.builds.lastFinishedAt(seen.agent.id)),
  // The public service does not have this field.
  last_seen_at: isoOrNull(seen.lastSeenAt),
});

export type PresentAgent = (agent: Agent) => object;

/** Presents each agent in a list only once. Lists of builds contain agents in a short form. */
export function agentPresenter(
  parts: Parts,
  organization: Organization,
  { single }: { readonly single: boolean },
): PresentAgent {
  const presented = new Map<string, object>();
  return (agent) => {
    const shown =
      presented.get(agent.id) ??
      (single
        ? presentAgent(parts, organization, seeAgent(parts, organization, agent))
        : presentShortAgent(parts, organization, agent));
    presented.set(agent.id, shown);
    return shown;
  };
}

const presentShortAgent = ({ urls }: Parts, { slug }: Organization, agent: Agent) => ({
  ...{ id: agent.id, url: urls.agent(slug, agent.id), name: agent.name },
});
