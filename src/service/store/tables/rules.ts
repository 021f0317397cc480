import type { Rule } from '../../domain/records.ts';
import type { Database } from '../database.ts';
import { insert, readRecord, writeRecord } from '../sql.ts';

export const rules = (database: Database) => ({
  list: (organizationId: string): Rule[] =>
    database
      .all('select data from rules where organization_id = ? order by seq', organizationId)
      .map(readRecord<Rule>),
  add: (rule: Rule) => {
    const { id, organizationId } = rule;
    insert(database, 'rules', { id, organization_id: organizationId, data: writeRecord(rule) });
  },
  remove: (id: string) => {
    database.run('delete from rules where id = ?', id);
  },
});
