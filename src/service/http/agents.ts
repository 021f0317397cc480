/** Agents as an organization sees them: the slots of this machine, and those that had a job once. */
import type { ServiceContext } from '../service-context.ts';
import type { Agent, Organization } from '../domain/records.ts';

export interface SeenAgent {
  readonly agent: Agent;
  /** Its slot is there to take jobs. */
  readonly isConnected: boolean;
  /** The job of this organization that it has at the moment. */
  readonly jobId: string | null;
}

/** Every slot serves all organizations; what it does for another one is not shown. */
export const slotAgents = ({ engine }: ServiceContext, { id }: Organization): SeenAgent[] =>
  engine.slots.map(({ agent, jobId, organizationId }) => ({
    agent,
    isConnected: true,
    jobId: organizationId === id ? jobId : null,
  }));

/** A slot or, of an earlier run of the service, what had a job of the organization. */
export function findAgent(
  service: ServiceContext,
  of: Organization,
  id: string,
): SeenAgent | undefined {
  const slot = slotAgents(service, of).find(({ agent }) => agent.id === id);
  if (slot !== undefined) return slot;
  const agent = service.store.builds.agent(of.id, id);
  return agent && { agent, isConnected: false, jobId: null };
}
