/** `POST /v3/register`: an agent is there for the first time. */
import type { ServiceContext } from '../../../service-context.ts';
import { isNear } from '../../../snapshots/code-for.ts';
import { readNewAgent } from '../../bodies/new-agent.ts';
import { isAgentOfOtherUser } from '../../peer-user.ts';
import { json } from '../../response.ts';
import { route, type Route } from '../../route.ts';

/** Seconds between two pings of an agent with nothing to do, and two looks at the state of its job. */
const [pingInterval, jobStatusInterval] = [1, 1];

export const registerRoute: Route = route(
  'POST',
  '/v3/register',
  null,
  async (call, service) => {
    const { token } = call.caller;
    const said = readNewAgent(await call.body());
    const organizationId = token.organizationIds[0] ?? '';
    const ip = call.remoteAddress;
    const isOnThisMachine = token.isOnThisMachine ?? false;
    const isOtherUser =
      isOnThisMachine || !isNear({ ip }) ? undefined : await isAgentOfOtherUser(said.pid);
    const { agent, secret } = service.engine.agents.register({
      ...said,
      name: nameOf(service, organizationId, said.name, said.hostname),
      ...{ organizationId, registeredWith: token.id, ip, isOnThisMachine },
      userAgent: (call.header('user-agent') ?? '').slice(0, 200),
      ...(isOtherUser !== undefined && { isOtherUser }),
    });
    return json({
      ...{ id: agent.id, name: agent.name, access_token: secret, meta_data: agent.tags },
      // An agent without any of these ends at once, or sends thousands of requests.
      ping_interval: pingInterval,
      job_status_interval: jobStatusInterval,
      heartbeat_interval: Math.max(1, Math.round(service.agents.heartbeat / 1000)),
    });
  },
  { audience: 'registration' },
);

/** `%hostname` and `%n` are for the service to fill in: the first number that no other agent has. */
function nameOf(
  { engine }: ServiceContext,
  organizationId: string,
  given: string,
  hostname: string,
): string {
  const name = (given === '' ? '%hostname-%n' : given).replaceAll('%hostname', hostname || 'agent');
  if (!name.includes('%n')) return name;
  const taken = new Set(engine.agents.present(organizationId).map(({ agent }) => agent.name));
  for (let number = 1; ; number++) {
    const numbered = name.replaceAll('%n', String(number));
    if (!taken.has(numbered)) return numbered;
  }
}
