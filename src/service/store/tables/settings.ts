import type { Database } from '../database.ts';

export type Settings = ReturnType<typeof settings>;

/** `keep` is the age or number of builds to keep. `port` is the last port that the service used. */
export type SettingName = 'keep' | 'port';

export const settings = (database: Database) => ({
  get: (name: SettingName): string | null => {
    const row = database.get('select value from settings where name = ?', name);
    return row === undefined ? null : String(row['value']);
  },
  /** Null removes the setting. */
  set: (name: SettingName, value: string | null): void => {
    if (value === null) database.run('delete from settings where name = ?', name);
    else
      database.run(
        'insert into settings (name, value) values (?, ?) on conflict do update set value = excluded.value',
        ...[name, value],
      );
  },
});
