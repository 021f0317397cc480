/** Organizations. */
import type { Organization } from '../domain/records.ts';
import type { Database } from './database.ts';
import { read, readMaybe, write } from './records.ts';

export const organizations = (database: Database) => ({
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
});
