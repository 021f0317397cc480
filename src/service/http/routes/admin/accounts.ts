import { checkOrganizationSlug, findOrganization } from './pipelines.ts';
import { addOrganization, addUser, issueToken, newAgentToken } from '../../../accounts.ts';
import type { ServiceContext } from '../../../service-context.ts';
import type { Organization, Token, User } from '../../../domain/records.ts';
import { json } from '../../response.ts';
import { notFound, refused } from '../../api-error.ts';
import { presentOrganization, presentUser } from '../../present/organization.ts';
import { iso } from '../../present/scalars.ts';
import { admin, route, type Route } from '../../route.ts';
import { scopes } from '../../../domain/permissions.ts';
import { didYouMean } from '../../../../common/suggest.ts';
import { bodyReader } from '../../body-reader.ts';

const path = '/local/v1';

export const accountRoutes: readonly Route[] = [
  route('GET', `${path}/organizations`, admin, (_, service) =>
    json(service.store.accounts.organizations().map((one) => presentOrganization(service, one))),
  ),
  route('POST', `${path}/organizations`, admin, async (call, service) => {
    const members = bodyReader(await call.body());
    const slug = members.required('slug');
    const name = members.text('name') ?? slug;
    members.done();
    const { organization, agentToken } = addOrganizationWithToken(service, slug, name);
    return json({ ...presentOrganization(service, organization), agent_token: agentToken }, 201);
  }),
  route('GET', `${path}/users`, admin, (_, service) =>
    json(service.store.accounts.users().map((user) => presentMember(service, user))),
  ),
  route('POST', `${path}/users`, admin, async (call, service) => {
    const members = bodyReader(await call.body());
    const name = members.required('name');
    const email = members.required('email');
    const role = members.choice('role', ['admin', 'member']) ?? 'member';
    const slugs = members.texts('organizations') ?? ['local'];
    members.done();
    if (service.store.accounts.users().some((user) => user.email === email))
      throw refused(`A user with the email ${email} already exists`);
    const memberships = slugs.map((slug) => ({
      organizationId: findOrganization(service, slug).id,
      role,
    }));
    const user = service.store.transaction(() => addUser(service, name, email, memberships));
    return json(presentMember(service, user), 201);
  }),
  route('GET', `${path}/tokens`, admin, (_, service) =>
    json(service.store.accounts.tokens().map((token) => presentToken(service, token))),
  ),
  route('POST', `${path}/tokens`, admin, async (call, service) => {
    const members = bodyReader(await call.body());
    const user = findUser(service, members.text('user'));
    const slugs = members.texts('organizations');
    const wanted = members.texts('scopes') ?? [...scopes];
    const description = members.text('description') ?? '';
    members.done();
    const unknown = wanted.find((scope) => !scopes.some((one) => one === scope));
    // There are too many scopes to list in the message.
    if (unknown !== undefined)
      throw refused(
        `Unknown scope ${unknown}${didYouMean(unknown, scopes) || ': a token without --scope has all scopes'}`,
      );
    const organizationIds = organizationsOf(service, user, slugs).map(({ id }) => id);
    const { token, secret } = issueToken(service, {
      ...{ kind: 'user', userId: user.id, organizationIds, scopes: wanted, description },
    });
    return json({ ...presentToken(service, token), token: secret }, 201);
  }),
];

function addOrganizationWithToken(service: ServiceContext, slug: string, name: string) {
  const { accounts } = service.store;
  checkOrganizationSlug(slug);
  if (accounts.organization(slug) !== undefined)
    throw refused(`Organization ${slug} already exists`);
  return service.store.transaction(() => {
    const organization = addOrganization(service, slug, name);
    const owner = accounts.users()[0];
    if (owner !== undefined) accounts.addMember(owner.id, organization.id, 'admin');
    return { organization, agentToken: newAgentToken(service, organization) };
  });
}

/** The user's organizations with these slugs; all by default. Throws `ApiError` 404 or 422. */
function organizationsOf(
  service: ServiceContext,
  user: User,
  slugs: readonly string[] | undefined,
): Organization[] {
  const own = service.store.accounts.organizationsOf(user.id);
  if (slugs === undefined) return own;
  const wanted = slugs.map((slug) => findOrganization(service, slug));
  const foreign = wanted.find(({ id }) => !own.some((one) => one.id === id));
  if (foreign !== undefined) throw refused(`${user.name} is not a member of ${foreign.slug}`);
  return wanted;
}

function findUser({ store }: ServiceContext, text: string | undefined): User {
  const found = store.accounts
    .users()
    .find(({ id, email, name }) => text === undefined || [id, email, name].includes(text));
  if (found === undefined) throw notFound('user');
  return found;
}

const presentMember = (service: ServiceContext, user: User): object => ({
  ...presentUser(service, user),
  organizations: service.store.accounts
    .organizationsOf(user.id)
    .map(({ id, slug }) => ({ slug, role: service.store.accounts.role(user.id, id) })),
});

function presentToken(service: ServiceContext, token: Token): object {
  const { accounts } = service.store;
  const user = token.userId === null ? undefined : accounts.user(token.userId);
  const { id: uuid, kind, description, scopes } = token;
  return {
    ...{ uuid, kind, description, scopes },
    organizations: token.organizationIds.map((id) => accounts.organizationById(id)?.slug),
    user: user === undefined ? null : presentUser(service, user),
    created_at: iso(token.createdAt),
  };
}
