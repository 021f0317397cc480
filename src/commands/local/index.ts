import { listedAgent } from '../../api/resources/agent.ts';
import { artifact } from '../../api/resources/artifact.ts';
import { organization } from '../../api/resources/organization.ts';
import { user } from '../../api/resources/user.ts';
import { command } from '../../command/command.ts';
import { localService, openedPage, localPipeline, agentToken, localSecret } from './resources.ts';

/** A command that works without a configured service. */
const localCommand: typeof command = (definition) =>
  command({ ...definition, settings: 'optional' });

export const localUp = localCommand({
  name: 'local up',
  summary: 'Start the built-in service',
  details:
    'It runs in the background, keeps its data on this machine, and is what profile "local" uses.\n' +
    'If its data directory is removed, it stops (exit code 10 with --foreground, a line in local logs otherwise).',
  options: {
    port: {
      value: 'N',
      type: 'integer',
      fallback: 'that of last time, else a free one',
      summary: 'port on 127.0.0.1',
    },
    foreground: { summary: 'run in the foreground until Ctrl-C' },
    slots: {
      value: 'N',
      type: 'integer',
      fallback: '2',
      summary: 'jobs that run at once on this machine; 0 leaves all to real agents',
    },
    tags: {
      value: 'KEY=VALUE,...',
      repeat: true,
      fallback: 'none, which takes every job while no real agent is connected',
      summary: 'tags of these slots, for the agents that steps ask for',
    },
    listen: {
      value: 'HOST:PORT',
      summary: 'opens the agent API, and nothing else, to other machines',
    },
    tlsCert: { value: 'FILE', summary: 'certificate for --listen, with its chain (PEM)' },
    tlsKey: { value: 'FILE', summary: 'key of that certificate (PEM)' },
    insecureListen: { summary: 'lets --listen do without TLS where the network is trusted' },
    publicUrl: { value: 'URL', summary: 'what agents call the address of --listen' },
    expireAfter: {
      value: 'DURATION',
      type: 'duration',
      fallback: '30d',
      summary: 'after which a job that no agent has taken expires',
    },
    heartbeat: {
      value: 'SECONDS',
      type: 'integer',
      fallback: '15',
      summary: 'heartbeat interval of agents; three missed heartbeats mark an agent as lost',
    },
    maxLog: {
      value: 'SIZE',
      fallback: '1GiB',
      summary: "maximum size of a job's log; the job continues",
    },
    rateLimit: {
      value: 'N',
      type: 'integer',
      fallback: 'none',
      summary: 'requests a minute that a user may send',
    },
    keep: {
      value: 'AGE|N',
      fallback: 'what was said last, at first all',
      summary: 'which builds stay: 90d, or 500 of each pipeline; all',
    },
    background: { hidden: true, summary: 'this process is the one that local up started' },
  },
  examples: [
    'cictl local up --port 8090 --keep 90d',
    'cictl local up --listen 0.0.0.0:8443 --tls-cert ci.pem --tls-key ci.key',
  ],
});

export const localDown = localCommand({
  name: 'local down',
  summary: 'End the built-in service',
  details:
    'Jobs that run are ended with it. Code 0 also where it does not run. Returns when its process is\n' +
    'gone; one that hangs is killed.',
  examples: ['cictl local down', 'cictl local down && cictl local up'],
});

export const localStatus = localCommand({
  name: 'local status',
  summary: 'Show whether the built-in service runs',
  details: 'Code 0 when it runs, 9 when it does not.',
  examples: ['cictl local status', 'cictl local status --json --fields url'],
  resource: localService,
});

export const localOpen = localCommand({
  name: 'local open',
  summary: 'Open a page of the built-in service in a browser',
  details:
    'Starts the service where it is down. Prints an address that signs in, once and within a minute;\n' +
    'on a terminal a browser opens it. The session may what the token in use may. Without an argument:\n' +
    'the pipeline of this folder, else all.',
  arguments: {
    page: {
      suggests: 'pages',
      summary:
        'PIPELINE, ORG/PIPELINE, a BUILD, BUILD#JOB, the id of a job, or an address of the service',
    },
  },
  examples: ['cictl local open', 'cictl local open hello/latest'],
  resource: openedPage,
});

export const localPrune = localCommand({
  name: 'local prune',
  summary: 'Remove old builds with their logs and artifacts',
  details:
    'Builds that have not come to an end stay, and those that they refer to. The files of logs and\n' +
    'artifacts are gone then; the database uses its own room again, and becomes no smaller.',
  options: {
    keep: {
      value: 'AGE|N',
      fallback: 'that of local up',
      summary: 'which builds stay: 90d, 12w or 36h, or the newest N of each pipeline',
    },
  },
  examples: ['cictl local prune --keep 90d', 'cictl local prune --keep 500'],
});

export const localLogs = localCommand({
  name: 'local logs',
  summary: 'Print what the built-in service said',
  details: 'The log of the service itself, not of a job: for that see cictl job log.',
  examples: ['cictl local logs', 'cictl local logs | tail -n 20'],
});

export const localReset = localCommand({
  name: 'local reset',
  summary: 'Start the built-in service afresh',
  details:
    'Stops the service, moves its data directory aside and prints the new location. Pipelines, builds,\n' +
    'logs and tokens are no longer available after that. With --delete, they are deleted.',
  options: {
    delete: { summary: 'delete the data instead of moving it aside' },
  },
  examples: ['cictl local reset', 'cictl local reset --yes && cictl local up'],
});

export const localPipelineAdd = localCommand({
  name: 'local pipeline add',
  summary: 'Register a directory with a pipeline file',
  details:
    "Its repository is the checkout's remote (without credentials), or the directory if there is no\n" +
    'remote. Commands typed in the directory or below it find the pipeline.\n' +
    'With --restricted, other pipelines can trigger it, or read its artifacts, only if a rule allows it.',
  arguments: { dir: { summary: 'directory, a git checkout or not', required: true } },
  options: {
    slug: {
      value: 'SLUG',
      fallback: "made from the directory's name",
      summary: 'slug of the pipeline',
    },
    restricted: { summary: 'open to other pipelines by rules alone' },
  },
  examples: [
    'cictl local pipeline add .',
    'cictl local pipeline add ../web --slug web --restricted',
  ],
  resource: localPipeline,
});

export const localPipelineList = localCommand({
  name: 'local pipeline list',
  summary: 'List the pipelines of the built-in service',
  examples: ['cictl local pipeline list', 'cictl local pipeline list --fields slug,folder'],
  resource: localPipeline,
  paged: true,
});

const pipelineSlug = {
  slug: { suggests: 'local pipelines', summary: 'slug of the pipeline', required: true },
} as const;

export const localPipelineRemove = localCommand({
  name: 'local pipeline remove',
  summary: 'Remove a pipeline with all its builds',
  details: 'Asks first. Its folder stays as it is.',
  arguments: pipelineSlug,
  examples: ['cictl local pipeline remove web', 'cictl local pipeline remove web --yes'],
});

export const localPipelineSet = localCommand({
  name: 'local pipeline set',
  summary: 'Change settings of a pipeline',
  details:
    'Keys: description, default_branch, branch_configuration, skip_queued_branch_builds,\n' +
    'skip_queued_branch_builds_filter, cancel_running_branch_builds,\n' +
    'cancel_running_branch_builds_filter, provider.webhook_url, provider.settings.NAME.\n' +
    'An empty value takes a text away.',
  arguments: {
    ...pipelineSlug,
    settings: { summary: 'KEY=VALUE', required: true, variadic: true },
  },
  examples: [
    'cictl local pipeline set web default_branch=main',
    'cictl local pipeline set web provider.settings.build_tags=false',
  ],
  resource: localPipeline,
});

export const localArtifacts = localCommand({
  name: 'local artifacts',
  summary: 'List the artifacts of a build',
  details: 'A star of GLOB goes into folders too: dist/* is all below dist.',
  arguments: {
    build: {
      suggests: 'builds',
      summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or an address',
      required: true,
    },
    glob: { summary: 'only those whose path fits' },
  },
  examples: ['cictl local artifacts hello/3', "cictl local artifacts hello/latest '*.xml'"],
  resource: artifact,
});

export const localArtifactsDownload = localCommand({
  name: 'local artifacts download',
  summary: 'Write the artifacts of a build to files',
  details: 'Each under its path; of several with the same path the last one.',
  arguments: localArtifacts.arguments,
  options: {
    out: { short: 'O', value: 'DIR', fallback: 'this one', summary: 'the folder to write to' },
  },
  examples: [
    'cictl local artifacts download hello/3 -O out',
    "cictl local artifacts download hello/latest 'dist/*'",
  ],
});

export const localAgents = localCommand({
  name: 'local agents',
  summary: 'List the agents of the built-in service',
  details:
    'Its own slots and the buildkite-agent processes that are connected, on this machine and on\n' +
    'others. Code 9 where the service does not run. Other commands of that name: start, stop, pause,\n' +
    'resume.',
  examples: ['cictl local agents', "cictl local agents --jq '.[] | select(.job == null) | .name'"],
  resource: listedAgent,
  isList: true,
});

export const localAgentStart = localCommand({
  name: 'local agents start',
  summary: 'Start buildkite-agent on this machine, in the background',
  details:
    'It takes jobs of the built-in service, and ends with it. ARGS behind -- are flags of\n' +
    'buildkite-agent start. What it says is in agents/NAME.log of the data folder.',
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
  passThrough: 'ARGS...',
  resource: listedAgent,
});

const agentName = {
  name: { suggests: 'local agents', summary: 'name of the agent, or its id', required: true },
} as const;

export const localAgentStop = localCommand({
  name: 'local agents stop',
  summary: 'End an agent, once it has done its job',
  arguments: agentName,
  options: { force: { summary: 'at once: its job is canceled' } },
  examples: ['cictl local agent stop linux-1', 'cictl local agent stop linux-1 --force'],
});

export const localAgentPause = localCommand({
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
});

export const localAgentResume = localCommand({
  name: 'local agents resume',
  summary: 'Give a paused agent jobs again',
  arguments: agentName,
  examples: [
    'cictl local agent resume linux-1',
    'cictl local agents && cictl local agent resume a1',
  ],
});

export const localAgentTokenCreate = localCommand({
  name: 'local agent-token create',
  summary: 'Make a registration token for real agents and print it',
  details:
    'For buildkite-agent start --token. It is shown this once: the service keeps a hash of it.',
  options: { description: { value: 'TEXT', summary: 'what it is for' } },
  examples: [
    'cictl local agent-token create --description "the rack in room 3"',
    'cictl local agent-token create > agent-token',
  ],
});

export const localAgentTokenList = localCommand({
  name: 'local agent-token list',
  summary: 'List the registration tokens of real agents',
  details:
    'The newest first, the last is the own one of the service. Without the tokens themselves, of\n' +
    'which it has hashes alone.',
  examples: ['cictl local agent-token list', 'cictl local agent-token list --fields uuid'],
  resource: agentToken,
  paged: true,
});

export const localAgentTokenRevoke = localCommand({
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
  examples: [
    'cictl local agent-token revoke 0190046e-e199-453b-a302-000000000000',
    'cictl local agent-token revoke 0190046e-e199-453b-a302-000000000000 --org acme',
  ],
});

export const localOrgAdd = localCommand({
  name: 'local org add',
  summary: 'Add an organization to the built-in service',
  details: 'The tokens that there are do not reach it: make one with cictl local token create.',
  arguments: { slug: { summary: 'slug of the organization', required: true } },
  options: { name: { value: 'NAME', fallback: 'the slug', summary: 'its name' } },
  examples: ['cictl local org add acme', 'cictl local org add acme --name "Acme Corporation"'],
  resource: organization,
});

export const localUserAdd = localCommand({
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
  resource: user,
});

export const localTokenCreate = localCommand({
  name: 'local token create',
  summary: 'Make an access token for the built-in service and print it',
  details: 'Without --scope it has every scope, without --user it belongs to the first user.',
  options: {
    user: { value: 'USER', summary: 'id, name or mail address of its user' },
    org: {
      value: 'SLUG',
      repeat: true,
      fallback: "the user's",
      summary: 'organization that it reaches',
    },
    scope: { value: 'SCOPE', repeat: true, summary: 'scope that it has' },
    description: { value: 'TEXT', summary: 'what it is for' },
  },
  examples: [
    'cictl local token create --scope read_builds',
    'cictl local token create | cictl auth login --service local --with-token',
  ],
});

export const localSecretSet = localCommand({
  name: 'local secret set',
  summary: 'Keep a secret for the steps of all pipelines',
  details:
    'Its value comes from standard input, on a terminal from a question that shows nothing. Steps get\n' +
    'it with secrets, jobs with buildkite-agent secret get, on this machine and on real agents; what\n' +
    'cictl run --secret gives counts more. The end of a single line is no part of it.',
  arguments: {
    name: { suggests: 'local secrets', summary: 'name, as of a variable', required: true },
  },
  examples: ['cictl local secret set DEPLOY_KEY < key.pem', 'cictl local secret set NPM_TOKEN'],
});

export const localSecretList = localCommand({
  name: 'local secret list',
  summary: 'List the names of the secrets that the service keeps',
  details: 'Their values are shown nowhere.',
  examples: ['cictl local secret list', 'cictl local secret list --fields key,updated_at'],
  resource: localSecret,
  paged: true,
});

export const localSecretRemove = localCommand({
  name: 'local secret remove',
  summary: 'Remove a secret from the service',
  details: 'Jobs that have it already keep it until their end.',
  arguments: { name: { suggests: 'local secrets', summary: 'its name', required: true } },
  examples: ['cictl local secret remove NPM_TOKEN', 'cictl local secret remove KEY --org acme'],
});
