/** Users as GraphQL objects: members that cost something are functions. */
import type { User } from '../../domain/records.ts';
import { graphqlId, iso } from '../../http/present/format.ts';
import type { GraphqlContext } from '../context.ts';
import { buildsOf, type BuildArguments } from './builds.ts';

export function userNode(viewpoint: GraphqlContext, id: string | null | undefined): object | null {
  const user = id ? viewpoint.core.store.accounts.user(id) : undefined;
  return user === undefined ? null : userOf(viewpoint, user);
}

export const userOf = (viewpoint: GraphqlContext, user: User): object => ({
  __typename: 'User',
  id: graphqlId('User', user.id),
  uuid: user.id,
  name: user.name,
  email: user.email,
  avatar: { url: viewpoint.core.urls.avatar(user.id) },
  bot: false,
  hasPassword: false,
  createdAt: iso(user.createdAt),
  builds: (given: BuildArguments) => buildsOf(viewpoint, { creatorId: user.id }, given),
});
