/** Organizations. */
import type { Organization } from '../domain/records.ts';
import type { Database } from './database.ts';
import type { KnownRecords } from './known-records.ts';
import { readRecord, readRecordMaybe, writeRecord } from './records.ts';

export const organizations = (database: Database, known: KnownRecords) => ({
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
