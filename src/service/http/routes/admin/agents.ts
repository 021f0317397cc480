import { findAgent } from '../../agents.ts';
import { bodyReader } from '../../body-reader.ts';
import { presentListedAgent } from '../../present/agent.ts';
import { json, empty } from '../../response.ts';
import { admin, route, type Route } from '../../route.ts';
import { findOrganization } from './pipelines.ts';
import { issueToken } from '../../../accounts.ts';
import type { ServiceContext } from '../../../service-context.ts';
import type { Token } from '../../../domain/records.ts';
import { notFound } from '../../api-error.ts';
import { iso } from '../../present/scalars.ts';

export const agentProcessRoutes: readonly Route[] = [
  route('POST', '/local/v1/agents', admin, async (call, service) => {
    const members = bodyReader(await call.body());
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
  }),
];

const ofOrganization = '/local/v1/organizations/:org/agent-tokens';

const present = ({ id, description, createdAt }: Token): object => ({
  ...{ uuid: id, description, created_at: iso(createdAt) },
});

export const agentTokenRoutes: readonly Route[] = [
  route('GET', ofOrganization, admin, ({ params }, service) =>
    json(tokensOf(service, params.org).map(present)),
  ),
  route('POST', ofOrganization, admin, async (call, service) => {
    const { id } = findOrganization(service, call.params.org);
    const members = bodyReader(await call.body());
    const description = members.text('description') ?? '';
    members.done();
    const { token, secret } = issueToken(service, {
      ...{ kind: 'agent', userId: null, organizationIds: [id], scopes: [], description },
    });
    return json({ ...present(token), token: secret }, 201);
  }),
  route(
    'DELETE',
    `${ofOrganization}/:uuid`,
    admin,
    // Agents that are already registered keep working, because they have their own tokens.
    ({ params }, service) => {
      const token = tokensOf(service, params.org).find(({ id }) => id === params.uuid);
      if (token === undefined) throw notFound('agent token');
      service.store.accounts.removeToken(token.id);
      return empty();
    },
  ),
];

/** Lists the newest tokens first. The last token is the one that the service created for itself. */
function tokensOf(service: ServiceContext, slug: string): Token[] {
  const { id } = findOrganization(service, slug);
  return service.store.accounts
    .tokens()
    .filter(({ kind, organizationIds }) => kind === 'agent' && organizationIds.includes(id))
    .reverse();
}
