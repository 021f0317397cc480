import type { Emoji } from '../../domain/records.ts';
import type { Database } from '../database.ts';
import { readRecord, writeRecord } from '../sql.ts';

export const emojis = (database: Database) => ({
  list: (organizationId: string): Emoji[] =>
    database
      .all('select data from emojis where organization_id = ? order by seq', organizationId)
      .map(readRecord<Emoji>),
  put: (emoji: Emoji) => {
    database.run(
      `insert into emojis (organization_id, name, data) values (?, ?, ?)
       on conflict (organization_id, name) do update set data = excluded.data`,
      ...[emoji.organizationId, emoji.name, writeRecord(emoji)],
    );
  },
});
