import { command } from '../../../command/command.ts';
import { localService, openedPage } from '../resources.ts';

export const localUp = command({
  name: 'local up',
  summary: 'Start the built-in service',
  details:
    'It runs in the background, keeps its data on this machine, and is what profile "local" uses.\n' +
    'If its data directory is removed, it stops (exit code 10 with --foreground, a line in local logs otherwise).',
  arguments: {},
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
  settings: 'optional',
});

export const localDown = command({
  name: 'local down',
  summary: 'End the built-in service',
  details:
    'Jobs that run are ended with it. Code 0 also where it does not run. Returns when its process is\n' +
    'gone; one that hangs is killed.',
  arguments: {},
  options: {},
  examples: ['cictl local down', 'cictl local down && cictl local up'],
  settings: 'optional',
});

export const localStatus = command({
  name: 'local status',
  summary: 'Show whether the built-in service runs',
  details: 'Code 0 when it runs, 9 when it does not.',
  arguments: {},
  options: {},
  examples: ['cictl local status', 'cictl local status --json --fields url'],
  settings: 'optional',
  resource: localService,
});

export const localOpen = command({
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
  options: {},
  examples: ['cictl local open', 'cictl local open hello/latest'],
  settings: 'optional',
  resource: openedPage,
});

export const localPrune = command({
  name: 'local prune',
  summary: 'Remove old builds with their logs and artifacts',
  details:
    'Builds that have not come to an end stay, and those that they refer to. The files of logs and\n' +
    'artifacts are gone then; the database uses its own room again, and becomes no smaller.',
  arguments: {},
  options: {
    keep: {
      value: 'AGE|N',
      fallback: 'that of local up',
      summary: 'which builds stay: 90d, 12w or 36h, or the newest N of each pipeline',
    },
  },
  examples: ['cictl local prune --keep 90d', 'cictl local prune --keep 500'],
  settings: 'optional',
});

export const localLogs = command({
  name: 'local logs',
  summary: 'Print what the built-in service said',
  details: 'The log of the service itself, not of a job: for that see cictl job log.',
  arguments: {},
  options: {},
  examples: ['cictl local logs', 'cictl local logs | tail -n 20'],
  settings: 'optional',
});

export const localReset = command({
  name: 'local reset',
  summary: 'Start the built-in service afresh',
  details:
    'Stops the service, moves its data directory aside and prints the new location. Pipelines, builds,\n' +
    'logs and tokens are no longer available after that. With --delete, they are deleted.',
  arguments: {},
  options: {
    delete: { summary: 'delete the data instead of moving it aside' },
  },
  examples: ['cictl local reset', 'cictl local reset --yes && cictl local up'],
  settings: 'optional',
});
