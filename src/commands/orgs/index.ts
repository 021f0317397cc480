import { organization } from '../../api/resources/organization.ts';
import { command } from '../../command/command.ts';

export const orgsList = command({
  name: 'orgs list',
  summary: 'List organizations that the token can access',
  examples: ['cictl orgs list', "cictl orgs list --jq '.[].slug'"],
  resource: organization,
  paged: true,
});

export const orgsView = command({
  name: 'orgs view',
  summary: 'Show an organization',
  arguments: {
    org: { suggests: 'organizations', summary: 'slug (default: the current organization)' },
  },
  examples: ['cictl orgs view', 'cictl orgs view acme --jq .id'],
  resource: organization,
  paged: true,
});
