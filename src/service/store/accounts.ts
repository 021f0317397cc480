/** Organizations, users, who belongs where, and tokens. */
import type { Database } from './database.ts';
import { createKnownRecords } from './known-records.ts';
import { members } from './members.ts';
import { organizations } from './organizations.ts';
import { tokens } from './tokens.ts';
import { users } from './users.ts';

export type Accounts = ReturnType<typeof accounts>;

export const accounts = (database: Database, known = createKnownRecords()) => ({
  ...organizations(database, known),
  ...users(database, known),
  ...members(database, known),
  ...tokens(database, known),
});
