/**
 * Secrets that the service keeps for the steps of an organization, and their table. Names that differ
 * in the case of letters alone are one name. The database is a file that only its owner can read.
 */
import type { Database, Row } from '../database.ts';

export const secretTable = `
  create table secrets (
    organization_id text not null references organizations (id) on delete cascade,
    key text not null collate nocase,
    id text not null,
    value text not null,
    changed_at integer not null,
    primary key (organization_id, key)
  );
`;

export interface StoredSecret {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly changedAt: number;
}

export type Secrets = ReturnType<typeof secrets>;

export const secrets = (database: Database) => ({
  /** By name. */
  list: (organizationId: string): StoredSecret[] =>
    database
      .all('select * from secrets where organization_id = ? order by key', organizationId)
      .map(asSecret),
  /** In place of one of that name. */
  put: (organizationId: string, { id, key, value, changedAt }: StoredSecret): void => {
    database.run(
      `insert into secrets (organization_id, key, id, value, changed_at) values (?, ?, ?, ?, ?)
         on conflict do update set key = excluded.key, value = excluded.value, changed_at = excluded.changed_at`,
      ...[organizationId, key, id, value, changedAt],
    );
  },
  /** Whether there was one. */
  remove: (organizationId: string, key: string): boolean =>
    database.all(
      'delete from secrets where organization_id = ? and key = ? returning key',
      ...[organizationId, key],
    ).length > 0,
});

const asSecret = (row: Row): StoredSecret => ({
  id: String(row['id']),
  key: String(row['key']),
  value: String(row['value']),
  changedAt: Number(row['changed_at']),
});

// Which secrets of the service the jobs of a build have asked for, by name, and their table.

export const givenSecretTable = `
  create table given_secrets (
    build_id text not null references builds (id) on delete cascade, key text not null collate nocase,
    primary key (build_id, key)
  ) without rowid;
`;

export type GivenSecrets = ReturnType<typeof givenSecrets>;

export const givenSecrets = (database: Database) => ({
  add: (buildId: string, key: string) => {
    database.run('insert or ignore into given_secrets (build_id, key) values (?, ?)', buildId, key);
  },
  ofBuild: (buildId: string): string[] =>
    database
      .all('select key from given_secrets where build_id = ?', buildId)
      .map(({ key }) => String(key)),
});
