/** `POST /local/v1/agents`: what `local agent start` asks for. */
import { findAgent } from '../../agents.ts';
import { bodyReader, objectOf } from '../../body-reader.ts';
import { presentListedAgent } from '../../present/agent.ts';
import { json } from '../../response.ts';
import { route, type Route } from '../../route.ts';
import { findOrganization } from './pipelines.ts';

export const agentProcessRoutes: readonly Route[] = [
  route(
    'POST',
    '/local/v1/agents',
    null,
    async (call, service) => {
      const members = bodyReader(objectOf(await call.body()));
      const wanted = {
        binary: members.required('binary'),
        args: members.texts('args') ?? [],
        count: members.integer('count') ?? 1,
        env: members.map('env'),
      };
      members.done();
      const organization = findOrganization(service, 'local');
      const ids = await service.agentProcesses.start({ ...wanted, organization });
      const seen = ids.flatMap((id) => findAgent(service, organization, id) ?? []);
      return json(
        { agents: seen.map((one) => presentListedAgent(service, organization, one, null)) },
        201,
      );
    },
    { audience: 'admin' },
  ),
];
