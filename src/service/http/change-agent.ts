import type { ServiceContext } from '../service-context.ts';
import { badRequest } from './api-error.ts';
import type { SeenAgent } from './agents.ts';

type AgentsOfEngine = ServiceContext['engine']['agents'];

/**
 * Asks something of an agent that is a program of its own. Throws `ApiError` 400 where it is none,
 * or has gone.
 *
 * @param verb for the message: `stop`
 * @param perform says whether the agent was there
 */
export function changeAgent(
  { engine }: Pick<ServiceContext, 'engine'>,
  { agent, connection }: SeenAgent,
  verb: string,
  perform: (agents: AgentsOfEngine, id: string) => boolean,
): void {
  if (agent.remote !== true)
    throw badRequest(`${agent.name} is a slot of the service itself: it is there as long as that`);
  const isThere = connection === 'connected' || connection === 'stopping';
  if (!isThere || !perform(engine.agents, agent.id))
    throw badRequest(`Can only ${verb} connected agents`);
}
