import { command } from '../../../command/command.ts';
import { localService, openedPage } from '../service.ts';

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
