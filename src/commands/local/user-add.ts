import { user } from '../../api/resources/user.ts';
import { command } from '../../cli/command.ts';

export const localUserAdd = command({
  name: 'local user add',
  summary: 'Add a user to the built-in service',
  details: 'A member has no edit permission on pipelines.',
  arguments: { name: { summary: 'name of the user', required: true } },
  options: {
    email: { value: 'MAIL', summary: 'mail address (required)' },
    role: { value: 'ROLE', choices: ['admin', 'member'], fallback: 'member', summary: 'role' },
  },
  examples: [
    'cictl local user add Ada --email ada@example.com',
    'cictl local user add Ada --email ada@example.com --role admin --org acme',
  ],
  settings: 'optional',
  resource: user,
});
