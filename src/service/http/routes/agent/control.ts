/** `buildkite-agent stop`, `pause` and `resume`, which a job says of the agent that runs it. */
import { notFound, refused } from '../../api-error.ts';
import { readPause } from '../../bodies/agent-change.ts';
import { bodyReader, objectOf } from '../../body-reader.ts';
import { empty } from '../../response.ts';
import type { Call, Route } from '../../route.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { jobRoute } from './job-route.ts';

type Agents = ServiceContext['engine']['agents'];

export const controlRoutes: readonly Route[] = [
  controlRoute('stop', async (call) => {
    const members = bodyReader(objectOf(await call.body()));
    const atOnce = members.flag('force');
    members.done();
    return (agents, id) => agents.stop(id, atOnce);
  }),
  controlRoute('pause', async (call, { clock }) => {
    const { note, minutes } = readPause(await call.body());
    const until = clock.now() + minutes * 60_000;
    return (agents, id) => agents.pause(id, note, until, call.caller.token.userId);
  }),
  controlRoute('resume', () => Promise.resolve((agents, id) => agents.resume(id))),
];

/** `read` gives what is to be done with the agent of this id; that is false where it has gone. */
function controlRoute(
  name: 'stop' | 'pause' | 'resume',
  read: (call: Call, service: ServiceContext) => Promise<(agents: Agents, id: string) => boolean>,
): Route {
  return jobRoute('POST', `/v3/${name}`, async (call, service) => {
    const { agentId } = call.caller.token;
    if (agentId === undefined)
      throw refused(`No job can ${name} a slot of this service: cictl local status shows them`);
    const act = await read(call, service);
    if (!act(service.engine.agents, agentId)) throw notFound('agent');
    return empty();
  });
}
