import type { User } from '../../domain/records.ts';
import { graphqlId, iso } from '../../http/present/scalars.ts';
import type { GraphqlContext } from '../context.ts';
import { buildsOf, type BuildArguments } from './builds.ts';

export function userNode(
  context: GraphqlContext,
  id: string | null | undefined,
): object | undefined {
  const user = id ? context.service.store.accounts.user(id) : undefined;
  return user && userOf(context, user);
}

export const userOf = (context: GraphqlContext, user: User): object => ({
  __typename: 'User',
  id: graphqlId('User', user.id),
  uuid: user.id,
  name: user.name,
  email: user.email,
  avatar: { url: context.service.urls.avatar(user.id) },
  bot: false,
  hasPassword: false,
  createdAt: iso(user.createdAt),
  builds: (args: BuildArguments) => buildsOf(context, { creatorId: user.id }, args),
});
