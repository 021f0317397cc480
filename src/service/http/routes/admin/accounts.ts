/** Organizations, users and tokens: what `local org|user|token` makes. */
import { addOrganization, addUser, issueToken } from '../../../accounts.ts';
import { newAgentToken } from '../../../bootstrap.ts';
import type { ServiceContext } from '../../../service-context.ts';
import type { Organization, Token, User } from '../../../domain/records.ts';
import { json } from '../../response.ts';
import { notFound, refused } from '../../api-error.ts';
import { presentOrganization } from '../../present/others.ts';
import { iso } from '../../present/format.ts';
import { presentUser } from '../../present/user.ts';
import { route, type Route } from '../../route.ts';
import { scopes } from '../../../domain/scopes.ts';
import { didYouMean } from '../../../../suggest.ts';
import { objectOf, reader } from '../../validate.ts';
import { checkSlug } from './slug.ts';

const admin = { door: 'admin' } as const;

export const accountRoutes: readonly Route[] = [
  route(
    'GET',
    '/local/v1/organizations',
    null,
    (_, core) =>
      json(core.store.accounts.organizations().map((one) => presentOrganization(core, one))),
    admin,
  ),
  route(
    'POST',
    '/local/v1/organizations',
    null,
    async (call, core) => {
      const members = reader(objectOf(await call.body()));
      const slug = members.required('slug');
      const name = members.text('name') ?? slug;
      members.done();
      const { organization, agentToken } = makeOrganization(core, checkSlug(slug), name);
      return json({ ...presentOrganization(core, organization), agent_token: agentToken }, 201);
    },
    admin,
  ),
  route(
    'GET',
    '/local/v1/users',
    null,
    (_, core) => json(core.store.accounts.users().map((user) => presentMember(core, user))),
    admin,
  ),
  route(
    'POST',
    '/local/v1/users',
    null,
    async (call, core) => {
      const members = reader(objectOf(await call.body()));
      const name = members.required('name');
      const email = members.required('email');
      const role = members.choice('role', ['admin', 'member']) ?? 'member';
      const slugs = members.texts('organizations') ?? ['local'];
      members.done();
      if (core.store.accounts.users().some((user) => user.email === email))
        throw refused(`There is a user with the email ${email} already`);
      const memberships = organizationsOf(core, slugs).map(({ id }) => ({
        organizationId: id,
        role,
      }));
      const user = core.store.transaction(() => addUser(core, name, email, memberships));
      return json(presentMember(core, user), 201);
    },
    admin,
  ),
  route(
    'GET',
    '/local/v1/tokens',
    null,
    (_, core) => json(core.store.accounts.tokens().map((token) => presentToken(core, token))),
    admin,
  ),
  route(
    'POST',
    '/local/v1/tokens',
    null,
    async (call, core) => {
      const members = reader(objectOf(await call.body()));
      const user = findUser(core, members.text('user'));
      const slugs = members.texts('organizations');
      const wanted = members.texts('scopes') ?? [...scopes];
      const description = members.text('description') ?? '';
      members.done();
      const unknown = wanted.find((scope) => !scopes.some((one) => one === scope));
      if (unknown !== undefined) throw refused(noScope(unknown));
      const { token, secret } = issueToken(core, {
        kind: 'user',
        userId: user.id,
        organizationIds: authorized(core, user, slugs).map(({ id }) => id),
        scopes: wanted,
        description,
      });
      return json({ ...presentToken(core, token), token: secret }, 201);
    },
    admin,
  ),
];

/** There are too many to name them all. */
const noScope = (scope: string): string =>
  `There is no scope ${scope}${didYouMean(scope, scopes) || ': a token without --scope has all'}`;

/** With its agent token; whoever is administrator of `local` is of the new one too. */
function makeOrganization(core: ServiceContext, slug: string, name: string) {
  const { accounts } = core.store;
  if (accounts.organization(slug) !== undefined)
    throw refused(`There is an organization ${slug} already`);
  return core.store.transaction(() => {
    const organization = addOrganization(core, slug, name);
    const owner = accounts.users()[0];
    if (owner !== undefined) accounts.addMember(owner.id, organization.id, 'admin');
    return { organization, agentToken: newAgentToken(core, organization) };
  });
}

const organizationsOf = ({ store }: ServiceContext, slugs: readonly string[]): Organization[] =>
  slugs.map((slug) => {
    const found = store.accounts.organization(slug);
    if (found === undefined) throw notFound('organization');
    return found;
  });

function authorized(
  core: ServiceContext,
  user: User,
  slugs: readonly string[] | undefined,
): Organization[] {
  const own = core.store.accounts.organizationsOf(user.id);
  if (slugs === undefined) return own;
  const wanted = organizationsOf(core, slugs);
  const foreign = wanted.find(({ id }) => !own.some((one) => one.id === id));
  if (foreign !== undefined) throw refused(`${user.name} does not belong to ${foreign.slug}`);
  return wanted;
}

/** By id, email or name; left out, the owner. */
function findUser({ store }: ServiceContext, text: string | undefined): User {
  const users = store.accounts.users();
  const found =
    text === undefined
      ? users[0]
      : users.find((user) => [user.id, user.email, user.name].includes(text));
  if (found === undefined) throw notFound('user');
  return found;
}

const presentMember = (core: ServiceContext, user: User): object => ({
  ...presentUser(core, user),
  organizations: core.store.accounts
    .organizationsOf(user.id)
    .map(({ id, slug }) => ({ slug, role: core.store.accounts.role(user.id, id) })),
});

function presentToken(core: ServiceContext, token: Token): object {
  const { store } = core;
  const user = token.userId === null ? undefined : store.accounts.user(token.userId);
  return {
    uuid: token.id,
    kind: token.kind,
    description: token.description,
    scopes: token.scopes,
    organizations: token.organizationIds.map((id) => store.accounts.organizationById(id)?.slug),
    user: user === undefined ? null : presentUser(core, user),
    created_at: iso(token.createdAt),
  };
}
