import type { RestClient } from './rest-client.ts';
import type { ListedAgent } from './resources/agent.ts';
import type { Call } from './call.ts';

/** Body of "pause an agent". */
export interface PauseAgent {
  readonly note?: string;
  /** After so many minutes it goes on by itself. */
  readonly timeout_in_minutes?: number;
}

/** Errors say the name, where it is known. */
export interface AgentRef {
  readonly id: string;
  readonly name?: string | null;
}

/** Agents of an organization; beyond the specification, as the public service has them. */
export interface Agents {
  /** Those that are connected. */
  list(org: string): AsyncIterable<ListedAgent>;
  /** With `force` what it does is canceled, else it ends after that. */
  stop(org: string, agent: AgentRef, body: { readonly force: boolean }): Promise<void>;
  pause(org: string, agent: AgentRef, body: PauseAgent): Promise<void>;
  resume(org: string, agent: AgentRef): Promise<void>;
}

export const agents = (rest: RestClient): Agents => ({
  list: (org) =>
    rest.pages<ListedAgent>({
      ...{ method: 'GET', path: pathOf(org), query: { per_page: 100 } },
      ...{ action: `list the agents of ${org}`, scope: 'read_agents', subject: { org } },
    }),
  stop: (org, agent, body) => rest.none(change(org, agent, 'stop', body)),
  pause: (org, agent, body) => rest.none(change(org, agent, 'pause', body)),
  resume: (org, agent) => rest.none(change(org, agent, 'resume', {})),
});

const pathOf = (org: string): string[] => ['v2', 'organizations', org, 'agents'];

const change = (org: string, { id, name }: AgentRef, verb: string, body: object): Call => ({
  ...{ method: 'PUT', path: [...pathOf(org), id, verb], body },
  ...{ action: `${verb} agent ${name ?? id}`, scope: 'write_agents', subject: { org } },
});
