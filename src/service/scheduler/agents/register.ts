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
  | 'isOtherUser'
  | 'ignoreInDispatches'
>;

/** A new agent, whatever its name is: names are no identities. Gives the secret of its token, this once. */
export function registerAgent(
  { parts, sessions }: EngineState,
  given: NewAgent,
): { readonly agent: RemoteAgent; readonly secret: string } {
  const { store, clock, newId } = parts;
  const at = clock.now();
  const id = newId();
  const { agent, secret } = store.transaction(() => {
    const issued = issueToken(parts, {
      ...{ kind: 'session', userId: null, organizationIds: [given.organizationId], scopes: [] },
      ...{ description: `agent ${given.name}`, agentId: id },
    });
    const made: RemoteAgent = {
      ...given,
      ...{ id, tokenId: issued.token.id, remote: true, createdAt: at, state: 'registered' },
      ...{ connectedAt: null, disconnectedAt: null, lostAt: null, stop: null, pause: null },
    };
    store.agents.add(made);
    return { agent: made, secret: issued.secret };
  });
  sessions.set(id, newSession(agent, at));
  return { agent, secret };
}
