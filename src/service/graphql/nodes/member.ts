import { createHash } from 'node:crypto';
import type { Organization, User } from '../../domain/records.ts';
import { graphqlId, iso } from '../../http/present/scalars.ts';
import type { Member } from '../../store/members.ts';
import { connection, nothing, type Connection, type PageArguments } from '../connection.ts';
import type { GraphqlContext } from '../context.ts';
import { userOf } from './user.ts';

interface MemberArguments extends PageArguments {
  readonly search?: string | null;
  readonly email?: string | null;
  readonly role?: readonly string[] | null;
  readonly team?: unknown;
  readonly order?: 'NAME' | 'RECENTLY_CREATED' | 'RELEVANCE' | null;
}

/** Who belongs to the organization, the newest first. */
export function membersOf(
  context: GraphqlContext,
  organization: Organization,
  args: MemberArguments,
): Connection {
  // There are no teams.
  if (args.team) return nothing();
  const found = context.service.store.accounts
    .members(organization.id)
    .filter((member) => isWanted(member, args))
    .reverse();
  if (args.order === 'NAME') found.sort((a, b) => a.user.name.localeCompare(b.user.name, 'en'));
  return connection(
    found,
    args,
    ({ user }) => user.id,
    (member) => memberNode(context, organization, member),
  );
}

const isWanted = ({ user, role }: Member, args: MemberArguments): boolean =>
  user.name.toLowerCase().includes((args.search ?? '').toLowerCase()) &&
  (!args.email || user.email.toLowerCase() === args.email.toLowerCase()) &&
  (args.role?.includes(role.toUpperCase()) ?? true);

/** Since when somebody belongs here is not kept: it is taken to be from the first. */
export const memberNode = (
  context: GraphqlContext,
  organization: Organization,
  { user, role }: Member,
): object => ({
  __typename: 'OrganizationMember',
  id: graphqlId('OrganizationMember', memberUuid(organization, user)),
  uuid: memberUuid(organization, user),
  role: role.toUpperCase(),
  complimentary: false,
  createdAt: iso(Math.max(user.createdAt, organization.createdAt)),
  organization: () => context.nodes.organization(context, organization),
  user: () => userOf(context, user),
});

/** A membership has no id of its own: this one is made of its two ends. */
export function memberUuid({ id }: Organization, user: User): string {
  const hash = createHash('sha256').update(`${id} ${user.id}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
