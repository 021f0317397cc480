/** Organizations, users, who belongs where, and tokens. */
import type { Database } from './database.ts';
import { members } from './members.ts';
import { organizations } from './organizations.ts';
import { tokens } from './tokens.ts';
import { users } from './users.ts';

export type Accounts = ReturnType<typeof accounts>;

export const accounts = (database: Database) => ({
  ...organizations(database),
  ...users(database),
  ...members(database),
  ...tokens(database),
});
