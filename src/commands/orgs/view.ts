import { organization } from '../../api/resources/organization.ts';
import { command } from '../../cli/command.ts';

export const orgsView = command({
  name: 'orgs view',
  summary: 'Show an organization',
  arguments: { org: { summary: 'slug; default the organization of the settings' } },
  options: {},
  examples: ['cictl orgs view', 'cictl orgs view acme --jq .id'],
  resource: organization,
});
