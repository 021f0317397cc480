/** Who a build is by. */
import type { Build } from '../../domain/records.ts';
import { initialsSvg } from '../../http/pictures.ts';
import type { GraphqlContext } from '../context.ts';
import { userNode, userOf } from './user.ts';

/**
 * Its author, where one was given: the member of the organization with that address, else a person
 * known by name and address alone. Without an author, the user who made it.
 */
export function creatorNode(context: GraphqlContext, build: Build): object | null {
  const { author, creatorId, organizationId } = build;
  const { accounts } = context.service.store;
  const maker = creatorId === null ? undefined : accounts.user(creatorId);
  if (author === null || isSame(author.email, maker?.email)) return userNode(context, creatorId);
  const member = accounts
    .members(organizationId)
    .find(({ user }) => isSame(author.email, user.email));
  return member === undefined ? unregistered(author) : userOf(context, member.user);
}

const isSame = (email: string, other: string | undefined): boolean =>
  email.toLowerCase() === other?.toLowerCase();

const unregistered = ({ name, email }: { name: string; email: string }): object => ({
  __typename: 'UnregisteredUser',
  name: name === '' ? null : name,
  email: email === '' ? null : email,
  avatar: { url: picture(name === '' ? email : name) },
});

/** The service has no address for people it does not know: the picture is in the response itself. */
const picture = (name: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(initialsSvg(name)).toString('base64')}`;
