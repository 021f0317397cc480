/** An agent comes, says that it is there, asks for work, and goes. */
import { ApiError, unauthorized } from '../../api-error.ts';
import { isObject } from '../../body-reader.ts';
import { iso } from '../../present/scalars.ts';
import { json } from '../../response.ts';
import { route, type Call, type Route } from '../../route.ts';

const session = { audience: 'session' } as const;

export const presenceRoutes: readonly Route[] = [
  route(
    'POST',
    '/v3/connect',
    null,
    (call, { engine }) => {
      if (!engine.agents.connect(agentOf(call))) throw gone();
      return json({});
    },
    session,
  ),
  route(
    'POST',
    '/v3/disconnect',
    null,
    (call, { engine }) => {
      engine.agents.disconnect(agentOf(call));
      return json({});
    },
    session,
  ),
  route(
    'POST',
    '/v3/heartbeat',
    null,
    async (call, { engine, clock }) => {
      // Never refused alone: an agent of version 4 whose heartbeats are refused neither works nor ends.
      engine.agents.seen(agentOf(call));
      const body = await call.body().catch(() => ({}));
      const sentAt = isObject(body) && typeof body['sent_at'] === 'string' ? body['sent_at'] : null;
      return json({ sent_at: sentAt, received_at: iso(clock.now()) });
    },
    session,
  ),
  route(
    'GET',
    '/v3/ping',
    null,
    async (call, { engine }) => {
      const response = engine.agents.ping(agentOf(call), call.signal);
      if (response === undefined) throw gone();
      return json(await response);
    },
    session,
  ),
];

/** Id of the agent that calls. */
export function agentOf({ caller }: Call): string {
  const { agentId } = caller.token;
  if (agentId === undefined) throw unauthorized('session');
  return agentId;
}

export const gone = (): ApiError =>
  new ApiError(401, 'This agent has disconnected, or was not heard of for a day: register it anew');
