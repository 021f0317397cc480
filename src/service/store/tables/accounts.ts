/** Organizations, users, who belongs where, and tokens. */
import type { Database } from '../database.ts';
import { createKnownRecords, type KnownRecords } from '../caches.ts';
import type { Organization, User, Role, Token } from '../../domain/records.ts';
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

// Tokens, kept as hashes only.

/** How many tokens are looked at in a turn. */
const slice = 1000;

const tokens = (database: Database, known: KnownRecords) => ({
  addToken: (token: Token, hash: string) => {
    database.run(
      'insert into tokens (id, hash, kind, job_id, data) values (?, ?, ?, ?, ?)',
      token.id,
      hash,
      token.kind,
      token.jobId,
      writeRecord(token),
    );
  },
  token: (hash: string): Token | undefined =>
    known.get('token', hash, () =>
      readRecordMaybe(database.get('select data from tokens where hash = ?', hash)),
    ),
  tokens: (): Token[] =>
    database.all("select data from tokens where kind <> 'job' order by seq").map(readRecord<Token>),
  removeToken: (id: string) => {
    database.run('delete from tokens where id = ?', id);
    known.clear();
  },
  removeTokensOfJob: (jobId: string) => {
    database.run('delete from tokens where job_id = ?', jobId);
    known.clear();
  },
  /** Those of jobs that this machine has run by itself. */
  removeTokensOfSlots: () => {
    database.run(
      "delete from tokens where kind = 'job' and json_extract(data, '$.agentId') is null",
    );
    known.clear();
  },
  /**
   * Those of jobs that other agents ended before a time. Looks at some behind the place `after`;
   * the place to go on from, 0 where there are no more: there may be tens of thousands.
   */
  removeOldTokens: (before: number, after: number): number => {
    const looked = database.all(
      `select t.seq, json_extract(j.data, '$.finishedAt') as finished from tokens t
       join jobs j on j.id = t.job_id where t.kind = 'job' and t.seq > ? order by t.seq limit ?`,
      ...[after, slice],
    );
    const old = looked.filter(({ finished }) => finished !== null && Number(finished) < before);
    database.transaction(() => {
      for (const { seq = null } of old) database.run('delete from tokens where seq = ?', seq);
    });
    if (old.length > 0) known.clear();
    return looked.length < slice ? 0 : Number(looked.at(-1)?.seq);
  },
});
