/** Organizations, users, memberships and tokens. Only hashes of tokens are stored. */
import type { Database } from '../database.ts';
import { createKnownRecords, type KnownRecords } from '../caches.ts';
import type { Organization, User, Role, Token } from '../../domain/records.ts';
import { findRecord, insert, readRecord, writeRecord } from '../sql.ts';

export interface Member {
  readonly user: User;
  readonly role: Role;
}

export const accounts = (database: Database, known = createKnownRecords()) => ({
  addOrganization: (organization: Organization) => {
    const { id, slug } = organization;
    insert(database, 'organizations', { id, slug, data: writeRecord(organization) });
  },
  organizations: (): Organization[] =>
    database.all('select data from organizations order by seq').map(readRecord<Organization>),
  organization: (slug: string): Organization | undefined =>
    known.get('organization', slug, () =>
      findRecord(database, 'select data from organizations where slug = ?', slug),
    ),
  organizationById: (id: string): Organization | undefined =>
    known.get('organization by id', id, () =>
      findRecord(database, 'select data from organizations where id = ?', id),
    ),
  addUser: (user: User) => {
    insert(database, 'users', { id: user.id, email: user.email, data: writeRecord(user) });
  },
  users: (): User[] => database.all('select data from users order by seq').map(readRecord<User>),
  user: (id: string): User | undefined =>
    known.get('user', id, () => findRecord(database, 'select data from users where id = ?', id)),
  addMember: (userId: string, organizationId: string, role: Role) => {
    database.run('insert into memberships values (?, ?, ?)', userId, organizationId, role);
    known.clear();
  },
  role: (userId: string, organizationId: string): Role | undefined =>
    known.get('role', `${userId} ${organizationId}`, () => {
      const sql = 'select role from memberships where user_id = ? and organization_id = ?';
      return database.get(sql, userId, organizationId)?.role as Role | undefined;
    }),
  /** Members of an organization, oldest user first. */
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
  ...tokens(database, known),
});

/** Number of tokens that one call of `removeOldTokens` checks. */
const slice = 1000;

const tokens = (database: Database, known: KnownRecords) => {
  const remove = (condition: string, ...values: string[]): void => {
    database.run(`delete from tokens where ${condition}`, ...values);
    known.clear();
  };
  return {
    addToken: (token: Token, hash: string) => {
      const { id, kind, jobId } = token;
      insert(database, 'tokens', { id, hash, kind, job_id: jobId, data: writeRecord(token) });
    },
    token: (hash: string): Token | undefined =>
      known.get('token', hash, () =>
        findRecord(database, 'select data from tokens where hash = ?', hash),
      ),
    tokens: (): Token[] =>
      database
        .all("select data from tokens where kind <> 'job' order by seq")
        .map(readRecord<Token>),
    removeToken: (id: string) => {
      remove('id = ?', id);
    },
    removeTokensOfJob: (jobId: string) => {
      remove('job_id = ?', jobId);
    },
    /** Removes the tokens of jobs that ran in the service's own slots. */
    removeTokensOfSlots: () => {
      remove("kind = 'job' and json_extract(data, '$.agentId') is null");
    },
    /**
     * Removes tokens of jobs that finished before the given time. Checks one slice of all tokens,
     * starting after position `after`. Returns the position to continue from, or 0 after the last
     * slice.
     */
    removeOldTokens: (before: number, after: number): number => {
      const checked = database.all(
        `select t.seq, json_extract(j.data, '$.finishedAt') as finished from tokens t
         join jobs j on j.id = t.job_id where t.kind = 'job' and t.seq > ? order by t.seq limit ?`,
        ...[after, slice],
      );
      const old = checked.filter(({ finished }) => finished !== null && Number(finished) < before);
      database.transaction(() => {
        for (const { seq = null } of old) database.run('delete from tokens where seq = ?', seq);
      });
      if (old.length > 0) known.clear();
      return checked.length < slice ? 0 : Number(checked.at(-1)?.seq);
    },
  };
};
