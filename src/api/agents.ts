import type { RestClient } from './rest-client.ts';
import type { ListedAgent } from './resources/agent.ts';
import type { Call } from './call.ts';

interface AgentRef {
  readonly id: string;
  readonly name?: string | null;
}

export type Agents = ReturnType<typeof agents>;

/** Endpoints for the agents of an organization. Not in spec.md; follows the public API. */
export const agents = (rest: RestClient) => ({
  list: (org: string): AsyncIterable<ListedAgent> =>
    rest.pages<ListedAgent>({
      ...{ method: 'GET', path: pathOf(org), query: { per_page: 100 } },
      ...{ action: `list the agents in ${org}`, scope: 'read_agents', subject: { org } },
    }),
  /** Without `force`, the agent finishes its current job. */
  stop: (org: string, agent: AgentRef, body: { readonly force: boolean }) =>
    rest.none(change(org, agent, 'stop', body)),
  pause: (org: string, agent: AgentRef, body: { note?: string; timeout_in_minutes?: number }) =>
    rest.none(change(org, agent, 'pause', body)),
  resume: (org: string, agent: AgentRef) => rest.none(change(org, agent, 'resume', {})),
});

const pathOf = (org: string): string[] => ['v2', 'organizations', org, 'agents'];

const change = (org: string, { id, name }: AgentRef, verb: string, body: object): Call => ({
  ...{ method: 'PUT', path: [...pathOf(org), id, verb], body },
  ...{ action: `${verb} agent ${name ?? id}`, scope: 'write_agents', subject: { org } },
});
