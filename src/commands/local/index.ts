import { listedAgent } from '../../api/resources/agent.ts';
import { artifact } from '../../api/resources/artifact.ts';
import { organization } from '../../api/resources/organization.ts';
import { user } from '../../api/resources/user.ts';
import { command } from '../../command/command.ts';
import { localService, openedPage, localPipeline, agentToken, localSecret } from './resources.ts';

/** Defines a command that works even if no service is configured. */
const localCommand: typeof command = (definition) =>
  command({ ...definition, settings: 'optional' });

export const localUp = localCommand({
  name: 'local up',
  summary: 'Start the local service',
  details:
    'The service runs in the background and keeps its data on this machine. Profile "local" uses it. If its data directory is removed, the service stops (with exit code 10 if it runs in the foreground).',
  options: {
    port: {
      value: 'N',
      type: 'integer',
      fallback: 'the last one used, or a free port',
      summary: 'port on 127.0.0.1',
    },
    foreground: { summary: 'run in the foreground until Ctrl-C' },
    slots: {
      value: 'N',
      type: 'integer',
      fallback: '2',
      summary: 'maximum concurrent jobs on this machine; 0 to use only agents',
    },
    tags: {
      value: 'KEY=VALUE,...',
      repeat: true,
      fallback: 'none, so slots run any job while no agent is connected',
      summary: 'tags of the slots, matched against the agents key of steps',
    },
    listen: {
      value: 'HOST:PORT',
      summary: 'let agents on other machines connect at this address',
    },
    tlsCert: { value: 'FILE', summary: 'certificate chain for --listen (PEM)' },
    tlsKey: { value: 'FILE', summary: 'private key of the certificate (PEM)' },
    insecureListen: { summary: 'allow --listen without TLS (only on a trusted network)' },
    publicUrl: { value: 'URL', summary: 'URL that agents use to reach the --listen address' },
    expireAfter: {
      value: 'DURATION',
      type: 'duration',
      fallback: '30d',
      summary: 'expire jobs that no agent accepts within this time',
    },
    heartbeat: {
      value: 'SECONDS',
      type: 'integer',
      fallback: '15',
      summary: 'agent heartbeat interval; an agent is lost after three missed heartbeats',
    },
    maxLog: {
      value: 'SIZE',
      fallback: '1GiB',
      summary: 'maximum size of a job log; further output is dropped',
    },
    rateLimit: {
      value: 'N',
      type: 'integer',
      fallback: 'none',
      summary: 'maximum requests per user per minute',
    },
    keep: {
      value: 'AGE|N',
      fallback: 'the last value used, or all',
      summary: 'builds to keep: 90d, 500 (per pipeline) or all',
    },
    background: { hidden: true, summary: 'mark the process that local up starts' },
  },
  examples: [
    'cictl local up --port 8090 --keep 90d',
    'cictl local up --listen 0.0.0.0:8443 --tls-cert ci.pem --tls-key ci.key',
  ],
});

export const localDown = localCommand({
  name: 'local down',
  summary: 'Stop the local service',
  details:
    "Running jobs are killed. Returns after the service's process has exited, and kills it if it hangs. Exits with 0 even if the service is not running.",
  examples: ['cictl local down', 'cictl local down && cictl local up'],
});

export const localStatus = localCommand({
  name: 'local status',
  summary: 'Show the status of the local service',
  details: 'Exits with 0 if the service is running, and with 9 if not.',
  examples: ['cictl local status', 'cictl local status --json --fields url'],
  resource: localService,
});

export const localOpen = localCommand({
  name: 'local open',
  summary: 'Open a page of the local service in a browser',
  details:
    'Starts the service if necessary. Prints a sign-in URL that works once, within one minute; on a terminal, also opens it in a browser. The session has the same permissions as the token in use. Without PAGE, opens the pipeline of the working directory, or the list of pipelines.',
  arguments: {
    page: {
      suggests: 'pages',
      summary: 'PIPELINE, ORG/PIPELINE, BUILD, BUILD#JOB, a job ID, or a service URL',
    },
  },
  examples: ['cictl local open', 'cictl local open hello/latest'],
  resource: openedPage,
});

export const localPrune = localCommand({
  name: 'local prune',
  summary: 'Remove old builds with their logs and artifacts',
  details:
    'Unfinished builds and the builds they refer to are kept. Log and artifact files are deleted; the database reuses its freed space but does not shrink.',
  options: {
    keep: {
      value: 'AGE|N',
      fallback: 'the value set with local up',
      summary: 'builds to keep: an age such as 90d, 12w or 36h, or N per pipeline',
    },
  },
  examples: ['cictl local prune --keep 90d', 'cictl local prune --keep 500'],
});

export const localLogs = localCommand({
  name: 'local logs',
  summary: 'Print the log of the local service',
  details: 'To print the log of a job, use cictl job log.',
  examples: ['cictl local logs', 'cictl local logs | tail -n 20'],
});

export const localReset = localCommand({
  name: 'local reset',
  summary: 'Reset the local service',
  details:
    'Stops the service, moves its data directory aside and prints the new location. The next time it starts, the service has no pipelines, builds, logs or tokens. With --delete, the data is deleted.',
  options: {
    delete: { summary: 'delete the data instead of moving it aside' },
  },
  examples: ['cictl local reset', 'cictl local reset --yes && cictl local up'],
});

export const localPipelineAdd = localCommand({
  name: 'local pipeline add',
  summary: 'Register a directory with a pipeline file',
  details:
    "The pipeline's repository is the checkout's remote (without credentials), or the directory if there is no remote. Commands use this pipeline by default if you run them in the directory or below it. With --restricted, other pipelines need a rule to trigger this one or to read its artifacts.",
  arguments: { dir: { summary: 'directory with a pipeline file', required: true } },
  options: {
    slug: {
      value: 'SLUG',
      fallback: 'derived from the directory name',
      summary: 'slug of the pipeline',
    },
    restricted: { summary: 'require rules for access by other pipelines' },
  },
  examples: [
    'cictl local pipeline add .',
    'cictl local pipeline add ../web --slug web --restricted',
  ],
  resource: localPipeline,
});

export const localPipelineList = localCommand({
  name: 'local pipeline list',
  summary: 'List pipelines of the local service',
  examples: ['cictl local pipeline list', 'cictl local pipeline list --fields slug,folder'],
  resource: localPipeline,
  paged: true,
});

const pipelineSlug = {
  slug: { suggests: 'local pipelines', summary: 'slug of the pipeline', required: true },
} as const;

export const localPipelineRemove = localCommand({
  name: 'local pipeline remove',
  summary: 'Remove a pipeline and all its builds',
  details: 'Prompts for confirmation. The directory of the pipeline is not changed.',
  arguments: pipelineSlug,
  examples: ['cictl local pipeline remove web', 'cictl local pipeline remove web --yes'],
});

export const localPipelineSet = localCommand({
  name: 'local pipeline set',
  summary: "Change a pipeline's settings",
  details:
    'Keys: description, default_branch, branch_configuration, skip_queued_branch_builds, skip_queued_branch_builds_filter, cancel_running_branch_builds, cancel_running_branch_builds_filter, provider.webhook_url, provider.settings.NAME. An empty value clears the setting.',
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
  summary: 'List artifacts from a build',
  details: 'In GLOB, * also matches slashes: dist/* matches everything below dist.',
  arguments: {
    build: {
      suggests: 'builds',
      summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or a URL',
      required: true,
    },
    glob: { summary: 'only artifacts whose path matches' },
  },
  examples: ['cictl local artifacts hello/3', "cictl local artifacts hello/latest '*.xml'"],
  resource: artifact,
});

export const localArtifactsDownload = localCommand({
  name: 'local artifacts download',
  summary: 'Download artifacts from a build',
  details:
    'Each artifact is written to its path in the output directory. If several have the same path, the last one is kept.',
  arguments: localArtifacts.arguments,
  options: {
    out: { short: 'O', value: 'DIR', fallback: '.', summary: 'output directory' },
  },
  examples: [
    'cictl local artifacts download hello/3 -O out',
    "cictl local artifacts download hello/latest 'dist/*'",
  ],
});

export const localAgents = localCommand({
  name: 'local agents',
  summary: 'List agents of the local service',
  details:
    "Lists the service's slots and the connected buildkite-agent processes, including those on other machines. Exits with 9 if the service is not running. Subcommands: start, stop, pause, resume.",
  examples: ['cictl local agents', "cictl local agents --jq '.[] | select(.job == null) | .name'"],
  resource: listedAgent,
  isList: true,
});

export const localAgentStart = localCommand({
  name: 'local agents start',
  summary: 'Start buildkite-agent on this machine in the background',
  details:
    'The agent runs jobs of the local service and stops when the service stops. ARGS after -- are passed to buildkite-agent start. The output of the agent is in agents/NAME.log in the data directory.',
  options: {
    count: { value: 'N', type: 'integer', fallback: '1', summary: 'number of agents' },
    agentBinary: {
      value: 'FILE',
      fallback: 'buildkite-agent on PATH',
      summary: 'program to start',
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
  name: { suggests: 'local agents', summary: 'name or ID of the agent', required: true },
} as const;

export const localAgentStop = localCommand({
  name: 'local agents stop',
  summary: 'Stop an agent after its current job',
  arguments: agentName,
  options: { force: { summary: 'stop immediately and cancel the job' } },
  examples: ['cictl local agent stop linux-1', 'cictl local agent stop linux-1 --force'],
});

export const localAgentPause = localCommand({
  name: 'local agents pause',
  summary: 'Pause an agent',
  details: 'The agent stays connected and finishes its current job.',
  arguments: agentName,
  options: {
    note: { value: 'TEXT', summary: 'reason for the pause' },
    for: {
      value: 'DURATION',
      type: 'duration',
      fallback: '5m',
      summary: 'length of the pause, in whole minutes',
    },
  },
  examples: [
    'cictl local agent pause linux-1',
    'cictl local agent pause linux-1 --note "new disk" --for 2h',
  ],
});

export const localAgentResume = localCommand({
  name: 'local agents resume',
  summary: 'Resume a paused agent',
  arguments: agentName,
  examples: [
    'cictl local agent resume linux-1',
    'cictl local agents && cictl local agent resume a1',
  ],
});

export const localAgentTokenCreate = localCommand({
  name: 'local agent-token create',
  summary: 'Create a registration token for agents and print it',
  details:
    'Use it with buildkite-agent start --token. The token is shown only once: the service stores only a hash of it.',
  options: { description: { value: 'TEXT', summary: 'purpose of the token' } },
  examples: [
    'cictl local agent-token create --description "the rack in room 3"',
    'cictl local agent-token create > agent-token',
  ],
});

export const localAgentTokenList = localCommand({
  name: 'local agent-token list',
  summary: 'List agent registration tokens',
  details:
    'Newest first; the last one belongs to the service itself. The tokens themselves are not shown, because the service stores only hashes.',
  examples: ['cictl local agent-token list', 'cictl local agent-token list --fields uuid'],
  resource: agentToken,
  paged: true,
});

export const localAgentTokenRevoke = localCommand({
  name: 'local agent-token revoke',
  summary: 'Revoke an agent registration token',
  details:
    'Agents that registered with it stay connected; to stop them, use cictl local agent stop.',
  arguments: {
    uuid: {
      suggests: 'local agent tokens',
      summary: 'UUID of the token, from cictl local agent-token list',
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
  summary: 'Add an organization to the local service',
  details: 'Existing tokens cannot access it; create a new one with cictl local token create.',
  arguments: { slug: { summary: 'slug of the organization', required: true } },
  options: { name: { value: 'NAME', fallback: 'the slug', summary: 'display name' } },
  examples: ['cictl local org add acme', 'cictl local org add acme --name "Acme Corporation"'],
  resource: organization,
});

export const localUserAdd = localCommand({
  name: 'local user add',
  summary: 'Add a user to the local service',
  details: 'A member cannot edit pipelines.',
  arguments: { name: { summary: 'name of the user', required: true } },
  options: {
    email: { value: 'MAIL', summary: 'email address (required)' },
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
  summary: 'Create an access token for the local service and print it',
  details:
    'Without --scope, the token has every scope. Without --user, it belongs to the first user.',
  options: {
    user: { value: 'USER', summary: 'ID, name or email address of the user' },
    org: {
      value: 'SLUG',
      repeat: true,
      fallback: "the user's",
      summary: 'organization that the token has access to',
    },
    scope: { value: 'SCOPE', repeat: true, summary: 'scope of the token' },
    description: { value: 'TEXT', summary: 'purpose of the token' },
  },
  examples: [
    'cictl local token create --scope read_builds',
    'cictl local token create | cictl auth login --service local --with-token',
  ],
});

export const localSecretSet = localCommand({
  name: 'local secret set',
  summary: 'Set a secret for the steps of all pipelines',
  details:
    'Reads the value from standard input, or from a hidden prompt on a terminal. If the value is a single line, its trailing newline is removed. Steps read it with the secrets key, and jobs with buildkite-agent secret get, on any machine. Values from cictl run --secret take precedence.',
  arguments: {
    name: { suggests: 'local secrets', summary: 'name of the secret', required: true },
  },
  examples: ['cictl local secret set DEPLOY_KEY < key.pem', 'cictl local secret set NPM_TOKEN'],
});

export const localSecretList = localCommand({
  name: 'local secret list',
  summary: 'List the names of secrets',
  details: 'The values are never shown.',
  examples: ['cictl local secret list', 'cictl local secret list --fields key,updated_at'],
  resource: localSecret,
  paged: true,
});

export const localSecretRemove = localCommand({
  name: 'local secret remove',
  summary: 'Remove a secret',
  details: 'Jobs that already have the value keep it until they finish.',
  arguments: { name: { suggests: 'local secrets', summary: 'name of the secret', required: true } },
  examples: ['cictl local secret remove NPM_TOKEN', 'cictl local secret remove KEY --org acme'],
});
