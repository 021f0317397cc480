import { command } from '../../../command/command.ts';
import { agentToken } from '../agent-token-resource.ts';

export const localAgentTokenCreate = command({
  name: 'local agent-token create',
  summary: 'Make a registration token for real agents and print it',
  details:
    'For buildkite-agent start --token. It is shown this once: the service keeps a hash of it.',
  arguments: {},
  options: { description: { value: 'TEXT', summary: 'what it is for' } },
  examples: [
    'cictl local agent-token create --description "the rack in room 3"',
    'cictl local agent-token create > agent-token',
  ],
  settings: 'optional',
});

export const localAgentTokenList = command({
  name: 'local agent-token list',
  summary: 'List the registration tokens of real agents',
  details:
    'The newest first, the last is the own one of the service. Without the tokens themselves, of\n' +
    'which it has hashes alone.',
  arguments: {},
  options: {},
  examples: ['cictl local agent-token list', 'cictl local agent-token list --fields uuid'],
  settings: 'optional',
  resource: agentToken,
  paged: true,
});

export const localAgentTokenRevoke = command({
  name: 'local agent-token revoke',
  summary: 'Let no more agents register with a token',
  details: 'Agents that have registered with it go on: cictl local agent stop ends them.',
  arguments: {
    uuid: {
      suggests: 'local agent tokens',
      summary: 'UUID of the token, as list shows it',
      required: true,
    },
  },
  options: {},
  examples: [
    'cictl local agent-token revoke 0190046e-e199-453b-a302-000000000000',
    'cictl local agent-token revoke 0190046e-e199-453b-a302-000000000000 --org acme',
  ],
  settings: 'optional',
});
