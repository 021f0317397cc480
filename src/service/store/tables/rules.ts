/** Rules of organizations. */
import type { Rule } from '../../domain/records.ts';
import type { Database } from '../database.ts';
import { readRecord, writeRecord } from '../sql.ts';

export type Rules = ReturnType<typeof rules>;

export const rules = (database: Database) => ({
  list: (organizationId: string): Rule[] =>
    database
      .all('select data from rules where organization_id = ? order by seq', organizationId)
      .map(readRecord<Rule>),
  add: (rule: Rule) => {
    database.run(
      'insert into rules (id, organization_id, data) values (?, ?, ?)',
      rule.id,
      rule.organizationId,
      writeRecord(rule),
    );
  },
  remove: (id: string) => {
    database.run('delete from rules where id = ?', id);
  },
});
