import { listedAgent } from '../../../api/resources/agent.ts';
import { command } from '../../../command/command.ts';
import { agentToken } from '../resources.ts';

export const localAgents = command({
  name: 'local agents',
  summary: 'List the agents of the built-in service',
  details:
    'Its own slots and the buildkite-agent processes that are connected, on this machine and on\n' +
    'others. Code 9 where the service does not run. Other commands of that name: start, stop, pause,\n' +
    'resume.',
  arguments: {},
  options: {},
  examples: ['cictl local agents', "cictl local agents --jq '.[] | select(.job == null) | .name'"],
  settings: 'optional',
  resource: listedAgent,
  isList: true,
});

export const localAgentStart = command({
  name: 'local agents start',
  summary: 'Start buildkite-agent on this machine, in the background',
  details:
    'It takes jobs of the built-in service, and ends with it. ARGS behind -- are flags of\n' +
    'buildkite-agent start. What it says is in agents/NAME.log of the data folder.',
  arguments: {},
  options: {
    count: { value: 'N', type: 'integer', fallback: '1', summary: 'how many' },
    agentBinary: {
      value: 'FILE',
      fallback: 'buildkite-agent on PATH',
      summary: 'the program to start',
    },
  },
  examples: [
    'cictl local agent start',
    'cictl local agent start --count 3 -- --tags queue=gpu,os=linux',
  ],
  settings: 'optional',
  passThrough: 'ARGS...',
  resource: listedAgent,
});

const agentName = {
  name: { suggests: 'local agents', summary: 'name of the agent, or its id', required: true },
} as const;

export const localAgentStop = command({
  name: 'local agents stop',
  summary: 'End an agent, once it has done its job',
  arguments: agentName,
  options: { force: { summary: 'at once: its job is canceled' } },
  examples: ['cictl local agent stop linux-1', 'cictl local agent stop linux-1 --force'],
  settings: 'optional',
});

export const localAgentPause = command({
  name: 'local agents pause',
  summary: 'Give an agent no further jobs for a while',
  details: 'It stays connected, and does the job that it has.',
  arguments: agentName,
  options: {
    note: { value: 'TEXT', summary: 'why' },
    for: { value: 'DURATION', type: 'duration', fallback: '5m', summary: 'how long, in minutes' },
  },
  examples: [
    'cictl local agent pause linux-1',
    'cictl local agent pause linux-1 --note "new disk" --for 2h',
  ],
  settings: 'optional',
});

export const localAgentResume = command({
  name: 'local agents resume',
  summary: 'Give a paused agent jobs again',
  arguments: agentName,
  options: {},
  examples: [
    'cictl local agent resume linux-1',
    'cictl local agents && cictl local agent resume a1',
  ],
  settings: 'optional',
});

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
