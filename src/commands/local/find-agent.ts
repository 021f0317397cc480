import type { Client } from '../../api/client.ts';
import { agentState, listedAgent, type ListedAgent } from '../../api/resources/listed-agent.ts';
import { assertResource } from '../../api/resources/check.ts';
import { CictlError } from '../../errors.ts';

/** An agent as commands change it. */
export type NamedAgent = ListedAgent & { readonly id: string };

/**
 * The connected agent of that id, else of that name. Code 7 where there is none, 2 where several
 * have the name, as they may.
 */
export async function findAgent(
  { agents }: Client,
  org: string,
  text: string,
): Promise<NamedAgent> {
  const all: NamedAgent[] = [];
  for await (const agent of agents.list(org)) {
    assertResource(listedAgent, agent);
    if (typeof agent.id === 'string') all.push({ ...agent, id: agent.id });
  }
  const byId = all.find(({ id }) => id === text);
  const named = all.filter(({ name }) => name === text);
  if (byId === undefined && named.length > 1) throw severalAgents(text, named);
  const found = byId ?? named[0];
  if (found === undefined)
    throw new CictlError('not_found', `no agent ${JSON.stringify(text)} is connected`, {
      hint: 'cictl local agents',
    });
  return found;
}

const severalAgents = (name: string, agents: readonly NamedAgent[]): CictlError =>
  new CictlError('usage', `${JSON.stringify(name)} names ${agents.length} agents`, {
    details: agents.map((agent) => [agent.id, agent.hostname, agentState(agent)].join(' ')),
    hint: `name the id: ${agents[0]?.id ?? ''}`,
  });
