/** Organizations, users, who belongs where, and tokens. */
import type { Organization, Role, Token, User } from '../domain/records.ts';
import type { Database } from './database.ts';
import { read, readMaybe, write } from './records.ts';

export type Accounts = ReturnType<typeof accounts>;

export interface Member {
  readonly user: User;
  readonly role: Role;
}

/** Tokens are kept as hashes only. */
export const accounts = (database: Database) => ({
  addOrganization: (organization: Organization) => {
    database.run(
      'insert into organizations (id, slug, data) values (?, ?, ?)',
      organization.id,
      organization.slug,
      write(organization),
    );
  },
  organizations: (): Organization[] =>
    database.all('select data from organizations order by seq').map(read<Organization>),
  organization: (slug: string): Organization | undefined =>
    readMaybe(database.get('select data from organizations where slug = ?', slug)),
  organizationById: (id: string): Organization | undefined =>
    readMaybe(database.get('select data from organizations where id = ?', id)),

  addUser: (user: User) => {
    database.run(
      'insert into users (id, email, data) values (?, ?, ?)',
      user.id,
      user.email,
      write(user),
    );
  },
  users: (): User[] => database.all('select data from users order by seq').map(read<User>),
  user: (id: string): User | undefined =>
    readMaybe(database.get('select data from users where id = ?', id)),

  addMember: (userId: string, organizationId: string, role: Role) => {
    database.run('insert into memberships values (?, ?, ?)', userId, organizationId, role);
  },
  role: (userId: string, organizationId: string): Role | undefined =>
    database.get(
      'select role from memberships where user_id = ? and organization_id = ?',
      userId,
      organizationId,
    )?.role as Role | undefined,
  /** Who belongs to an organization, in the order in which they came to be. */
  members: (organizationId: string): Member[] =>
    database
      .all(
        `select u.data, m.role from users u join memberships m on m.user_id = u.id
         where m.organization_id = ? order by u.seq`,
        organizationId,
      )
      .map((row) => ({ user: read<User>(row), role: row.role as Role })),
  organizationsOf: (userId: string): Organization[] =>
    database
      .all(
        `select o.data from organizations o join memberships m on m.organization_id = o.id
         where m.user_id = ? order by o.seq`,
        userId,
      )
      .map(read<Organization>),

  addToken: (token: Token, hash: string) => {
    database.run(
      'insert into tokens (id, hash, kind, job_id, data) values (?, ?, ?, ?, ?)',
      token.id,
      hash,
      token.kind,
      token.jobId,
      write(token),
    );
  },
  token: (hash: string): Token | undefined =>
    readMaybe(database.get('select data from tokens where hash = ?', hash)),
  tokens: (): Token[] =>
    database.all("select data from tokens where kind <> 'job' order by seq").map(read<Token>),
  removeToken: (id: string) => {
    database.run('delete from tokens where id = ?', id);
  },
  removeTokensOfJob: (jobId: string) => {
    database.run('delete from tokens where job_id = ?', jobId);
  },
  removeJobTokens: () => {
    database.run("delete from tokens where kind = 'job'");
  },
});
