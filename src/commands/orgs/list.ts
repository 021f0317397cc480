import { organization } from '../../api/resources/organization.ts';
import { command } from '../../cli/command.ts';

export const orgsList = command({
  name: 'orgs list',
  summary: 'List the organizations of the token',
  arguments: {},
  options: {},
  examples: ['cictl orgs list', "cictl orgs list --jq '.[].slug'"],
  resource: organization,
});
