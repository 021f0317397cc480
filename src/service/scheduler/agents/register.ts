import { issueToken } from '../../accounts.ts';
import type { RemoteAgent } from '../../domain/remote-agent.ts';
import type { EngineState } from '../engine-state.ts';
import { newSession } from './session.ts';

/** What an agent says of itself, and what is known of who says it. */
export type NewAgent = Pick<
  RemoteAgent,
  | 'name'
  | 'organizationId'
  | 'registeredWith'
  | 'hostname'
  | 'os'
  | 'arch'
  | 'version'
  | 'userAgent'
  | 'ip'
  | 'pid'
  | 'machineId'
  | 'tags'
  | 'priority'
  | 'features'
  | 'isOnThisMachine'
  | 'ignoreInDispatches'
>;

/** A new agent, whatever its name is: names are no identities. Gives the secret of its token, this once. */
export function registerAgent(
  { parts, sessions }: EngineState,
  given: NewAgent,
): { readonly agent: RemoteAgent; readonly secret: string } {
  const { store, clock, newId } = parts;
  const at = clock.now();
  const agent: RemoteAgent = {
    ...given,
    ...{ id: newId(), remote: true, createdAt: at, state: 'registered' },
    ...{ connectedAt: null, disconnectedAt: null, lostAt: null, stop: null, pause: null },
  };
  const secret = store.transaction(() => {
    store.agents.add(agent);
    return issueToken(parts, {
      ...{ kind: 'session', userId: null, organizationIds: [agent.organizationId], scopes: [] },
      ...{ description: `agent ${agent.name}`, agentId: agent.id },
    }).secret;
  });
  sessions.set(agent.id, newSession(agent, at));
  return { agent, secret };
}
