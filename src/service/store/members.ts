/** Who belongs to which organization, and in which role. */
import type { Organization, Role, User } from '../domain/records.ts';
import type { Database } from './database.ts';
import type { KnownRecords } from './known-records.ts';
import { readRecord } from './records.ts';

export interface Member {
  readonly user: User;
  readonly role: Role;
}

export const members = (database: Database, known: KnownRecords) => ({
  addMember: (userId: string, organizationId: string, role: Role) => {
    database.run('insert into memberships values (?, ?, ?)', userId, organizationId, role);
    known.clear();
  },
  role: (userId: string, organizationId: string): Role | undefined =>
    known.get('role', `${userId} ${organizationId}`, () => {
      const sql = 'select role from memberships where user_id = ? and organization_id = ?';
      return database.get(sql, userId, organizationId)?.role as Role | undefined;
    }),
  /** Who belongs to an organization, in the order in which they came to be. */
  members: (organizationId: string): Member[] =>
    database
      .all(
        `select u.data, m.role from users u join memberships m on m.user_id = u.id
         where m.organization_id = ? order by u.seq`,
        organizationId,
      )
      .map((row) => ({ user: readRecord<User>(row), role: row.role as Role })),
  organizationsOf: (userId: string): Organization[] =>
    database
      .all(
        `select o.data from organizations o join memberships m on m.organization_id = o.id
         where m.user_id = ? order by o.seq`,
        userId,
      )
      .map(readRecord<Organization>),
});
