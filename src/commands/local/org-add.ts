import { organization } from '../../api/resources/organization.ts';
import { command } from '../../cli/command.ts';

export const localOrgAdd = command({
  name: 'local org add',
  summary: 'Add an organization to the built-in service',
  details: 'The tokens that there are do not reach it: make one with cictl local token create.',
  arguments: { slug: { summary: 'slug of the organization', required: true } },
  options: { name: { value: 'NAME', fallback: 'the slug', summary: 'its name' } },
  examples: ['cictl local org add acme', 'cictl local org add acme --name "Acme Corporation"'],
  settings: 'optional',
  resource: organization,
});
