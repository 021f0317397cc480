/** Flags that several subcommands have. */
import type { Flag } from './command.ts';

export const jobFlag: Flag = {
  name: 'job',
  value: 'id',
  env: ['BUILDKITE_JOB_ID'],
  isNeeded: true,
  help: 'The job it is about; a job may name only itself',
};

export const buildFlag: Flag = {
  name: 'build',
  value: 'id',
  env: ['BUILDKITE_BUILD_ID'],
  isNeeded: true,
  help: 'The build it is about; a job may name only its own',
};

export const stepFlag: Flag = {
  name: 'step',
  value: 'key or id',
  env: ['BUILDKITE_STEP_ID'],
  isNeeded: true,
  help: 'The step it is about, by its key or its id',
};

/** Known to every subcommand. Those without a word of help do nothing here. */
export const commonFlags: readonly Flag[] = [
  {
    name: 'endpoint',
    value: 'url',
    env: ['BUILDKITE_AGENT_ENDPOINT'],
    help: 'Address of the service',
  },
  {
    name: 'agent-access-token',
    value: 'token',
    env: ['BUILDKITE_AGENT_ACCESS_TOKEN'],
    help: 'The token of the job',
  },
  {
    name: 'redacted-vars',
    value: 'patterns',
    env: ['BUILDKITE_REDACTED_VARS'],
    help: 'Names of variables whose values are redacted (default: names that look secret)',
  },
  {
    name: 'log-level',
    value: 'level',
    env: ['BUILDKITE_AGENT_LOG_LEVEL'],
    default: 'notice',
    help: 'error, fatal: only what went wrong is said',
  },
  ...['debug', 'debug-http', 'trace-http', 'no-http2', 'no-color'].map((name) => ({
    ...{ name, help: '' },
  })),
  ...['experiment', 'profile'].map((name) => ({ name, value: 'name', help: '' })),
];
