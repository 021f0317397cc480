/** Secrets of organizations. Their names are case-insensitive. */
import type { Database, Row } from '../database.ts';

export interface StoredSecret {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly changedAt: number;
}

export const secrets = (database: Database) => ({
  list: (organizationId: string): StoredSecret[] =>
    database
      .all('select * from secrets where organization_id = ? order by key', organizationId)
      .map(asSecret),
  /** Adds a secret, or replaces a secret with the same name but keeps its ID. */
  put: (organizationId: string, { id, key, value, changedAt }: StoredSecret): void => {
    database.run(
      `insert into secrets (organization_id, key, id, value, changed_at) values (?, ?, ?, ?, ?)
         on conflict do update set key = excluded.key, value = excluded.value, changed_at = excluded.changed_at`,
      ...[organizationId, key, id, value, changedAt],
    );
  },
  /** Returns whether the secret existed. */
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

/** Names of the secrets that the jobs of a build have read. */
export const givenSecrets = (database: Database) => ({
  add: (buildId: string, key: string) => {
    database.run('insert or ignore into given_secrets (build_id, key) values (?, ?)', buildId, key);
  },
  ofBuild: (buildId: string): string[] =>
    database
      .all('select key from given_secrets where build_id = ?', buildId)
      .map(({ key }) => String(key)),
});
