import type { ServiceContext } from '../../service-context.ts';
import type { User } from '../../domain/records.ts';
import { graphqlId, iso } from './scalars.ts';

/** Specification, "User". The picture is drawn here: to ask another service would tell it who works here. */
export const presentUser = ({ urls }: Pick<ServiceContext, 'urls'>, user: User): object => ({
  id: user.id,
  graphql_id: graphqlId('User', user.id),
  name: user.name,
  email: user.email,
  avatar_url: urls.avatar(user.id),
  created_at: iso(user.createdAt),
});
