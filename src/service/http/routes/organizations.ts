/** Specification, "Organizations", "Emojis" and "Access token"; and the user, beyond it. */
import { empty, json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { findOrganization, maySee } from '../lookups.ts';
import { isData } from '../custom-emoji.ts';
import { pageOf } from '../pages.ts';
import { presentOrganization } from '../present/others.ts';
import { spaced } from '../present/format.ts';
import { presentUser } from '../present/user.ts';
import { route, type Route } from '../route.ts';

export const organizationRoutes: readonly Route[] = [
  route('GET', '/v2/organizations', 'read_organizations', (call, core) => {
    const all = core.store.accounts.organizations().filter(({ id }) => maySee(call.caller, id));
    return pageOf(call, all, (organization) => presentOrganization(core, organization));
  }),
  route('GET', '/v2/organizations/:org', 'read_organizations', (call, core) =>
    json(presentOrganization(core, findOrganization(core, call))),
  ),
  route('GET', '/v2/organizations/:org/emojis', null, async (call, core) => {
    const organization = findOrganization(core, call);
    const { standardEmojis } = await import('../standard-emojis.ts');
    const own = core.store.notes.emojis(organization.id).map(({ name, url, aliases }) => ({
      name,
      url: isData(url) ? core.urls.ownEmoji(organization.slug, name) : url,
      ...(aliases.length > 0 && { aliases }),
    }));
    return json([...standardEmojis(core.urls), ...own]);
  }),
  route(
    'GET',
    '/v2/access-token',
    null,
    ({ caller: { token, user } }, core) =>
      json({
        uuid: token.id,
        scopes: token.scopes,
        description: token.description,
        created_at: spaced(token.createdAt),
        expires_at: null,
        user: user === undefined ? null : presentUser(core, user),
      }),
    { jobs: true },
  ),
  route('GET', '/v2/user', 'read_user', ({ caller: { user } }, core) => {
    if (user === undefined) throw notFound('user');
    return json(presentUser(core, user));
  }),
  route('DELETE', '/v2/access-token', null, ({ caller }, { store }) => {
    store.accounts.removeToken(caller.token.id);
    return empty();
  }),
];
