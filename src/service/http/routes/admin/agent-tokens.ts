/** Registration tokens of agents: what `local agent-token` makes, lists and takes back. */
import { issueToken } from '../../../accounts.ts';
import type { ServiceContext } from '../../../service-context.ts';
import type { Token } from '../../../domain/records.ts';
import { notFound } from '../../api-error.ts';
import { bodyReader, objectOf } from '../../body-reader.ts';
import { iso } from '../../present/scalars.ts';
import { empty, json } from '../../response.ts';
import { route, type Route } from '../../route.ts';
import { findOrganization } from './pipelines.ts';

const admin = { audience: 'admin' } as const;
const ofOrganization = '/local/v1/organizations/:org/agent-tokens';

export const agentTokenRoutes: readonly Route[] = [
  route(
    'GET',
    ofOrganization,
    null,
    ({ params }, service) => json(tokensOf(service, params.org).map(present)),
    admin,
  ),
  route(
    'POST',
    ofOrganization,
    null,
    async (call, service) => {
      const { id } = findOrganization(service, call.params.org);
      const members = bodyReader(objectOf(await call.body()));
      const description = members.text('description') ?? '';
      members.done();
      const { token, secret } = issueToken(service, {
        ...{ kind: 'agent', userId: null, organizationIds: [id], scopes: [], description },
      });
      return json({ ...present(token), token: secret }, 201);
    },
    admin,
  ),
  route(
    'DELETE',
    `${ofOrganization}/:uuid`,
    null,
    // Agents that it let in have tokens of their own, and go on.
    ({ params }, service) => {
      const token = tokensOf(service, params.org).find(({ id }) => id === params.uuid);
      if (token === undefined) throw notFound('agent token');
      service.store.accounts.removeToken(token.id);
      return empty();
    },
    admin,
  ),
];

/** The newest first: the last one is that which the service has made for itself. */
function tokensOf(service: ServiceContext, slug: string): Token[] {
  const { id } = findOrganization(service, slug);
  return service.store.accounts
    .tokens()
    .filter(({ kind, organizationIds }) => kind === 'agent' && organizationIds.includes(id))
    .reverse();
}

const present = ({ id, description, createdAt }: Token): object => ({
  ...{ uuid: id, description, created_at: iso(createdAt) },
});
