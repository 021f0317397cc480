// See "Organizations", "Emojis" and "Access token" in the specification. We added the user route.
import { empty, json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { findOrganization, maySee } from '../lookups.ts';
import { isDataUrl } from '../pictures.ts';
import { pageOf } from '../paging.ts';
import { presentOrganization, presentUser } from '../present/organization.ts';
import { spaced } from '../present/scalars.ts';
import { route, type Route } from '../route.ts';

export const organizationRoutes: readonly Route[] = [
  route('GET', '/v2/organizations', 'read_organizations', (call, service) => {
    const all = service.store.accounts.organizations().filter(({ id }) => maySee(call.caller, id));
    return pageOf(call, all, (organization) => presentOrganization(service, organization));
  }),
  route('GET', '/v2/organizations/:org', 'read_organizations', (call, service) =>
    json(presentOrganization(service, findOrganization(service, call))),
  ),
  route('GET', '/v2/organizations/:org/emojis', null, async (call, service) => {
    const organization = findOrganization(service, call);
    const { standardEmojis } = await import('../standard-emojis.ts');
    const own = service.store.emojis.list(organization.id).map(({ name, url, aliases }) => ({
      name,
      url: isDataUrl(url) ? service.urls.ownEmoji(organization.slug, name) : url,
      ...(aliases.length > 0 && { aliases }),
    }));
    return json([...standardEmojis(service.urls), ...own]);
  }),
  route('GET', '/v2/access-token', { jobs: true }, ({ caller: { token, user } }, service) =>
    json({
      uuid: token.id,
      scopes: token.scopes,
      description: token.description,
      created_at: spaced(token.createdAt),
      expires_at: null,
      user: user === undefined ? null : presentUser(service, user),
    }),
  ),
  route('GET', '/v2/user', 'read_user', ({ caller: { user } }, service) => {
    if (user === undefined) throw notFound('user');
    return json(presentUser(service, user));
  }),
  route('DELETE', '/v2/access-token', null, ({ caller }, { store }) => {
    store.accounts.removeToken(caller.token.id);
    return empty();
  }),
];
