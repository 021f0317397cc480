/** Which secrets of the service the jobs of a build have asked for, by name, and their table. */
import type { Database } from './database.ts';

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
