import { createHash } from 'node:crypto';
import type { User } from '../../domain/records.ts';
import { graphqlId, iso } from './parts.ts';

/** Specification, "User". */
export const presentUser = (user: User): object => ({
  id: user.id,
  graphql_id: graphqlId('User', user.id),
  name: user.name,
  email: user.email,
  avatar_url: avatar(user.email),
  created_at: iso(user.createdAt),
});

const avatar = (email: string): string =>
  `https://www.gravatar.com/avatar/${createHash('md5').update(email.toLowerCase()).digest('hex')}`;
