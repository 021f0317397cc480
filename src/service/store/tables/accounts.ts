/** Organizations, users, who belongs where, and tokens. */
import type { Database } from '../database.ts';
import { createKnownRecords, type KnownRecords } from '../caches.ts';
import { tokens } from './tokens.ts';
import type { Organization, User, Role } from '../../domain/records.ts';
import { readRecord, readRecordMaybe, writeRecord } from '../sql.ts';

export type Accounts = ReturnType<typeof accounts>;

export const accounts = (database: Database, known = createKnownRecords()) => ({
  ...organizations(database, known),
  ...users(database, known),
  ...members(database, known),
  ...tokens(database, known),
});

// Organizations.

const organizations = (database: Database, known: KnownRecords) => ({
  addOrganization: (organization: Organization) => {
    database.run(
      'insert into organizations (id, slug, data) values (?, ?, ?)',
      organization.id,
      organization.slug,
      writeRecord(organization),
    );
  },
  organizations: (): Organization[] =>
    database.all('select data from organizations order by seq').map(readRecord<Organization>),
  organization: (slug: string): Organization | undefined =>
    known.get('organization', slug, () =>
      readRecordMaybe(database.get('select data from organizations where slug = ?', slug)),
    ),
  organizationById: (id: string): Organization | undefined =>
    known.get('organization by id', id, () =>
      readRecordMaybe(database.get('select data from organizations where id = ?', id)),
    ),
});

// Users.

const users = (database: Database, known: KnownRecords) => ({
  addUser: (user: User) => {
    database.run(
      'insert into users (id, email, data) values (?, ?, ?)',
      user.id,
      user.email,
      writeRecord(user),
    );
  },
  users: (): User[] => database.all('select data from users order by seq').map(readRecord<User>),
  user: (id: string): User | undefined =>
    known.get('user', id, () =>
      readRecordMaybe(database.get('select data from users where id = ?', id)),
    ),
});

// Who belongs to which organization, and in which role.

export interface Member {
  readonly user: User;
  readonly role: Role;
}

const members = (database: Database, known: KnownRecords) => ({
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
