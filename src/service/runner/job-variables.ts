/** The environment of a job while it runs: each hook may change it for what comes after. */
import { delimiter } from 'node:path';
import type { JobEnvironment, JobSpec } from '../runner-port.ts';
import { envFileOf } from './env-file.ts';

type Variables = Readonly<Record<string, string>>;

/** What an agent tells its jobs about itself. */
export const ofAgent: Variables = {
  ...{ BUILDKITE_COMMAND_EVAL: 'true', BUILDKITE_PLUGINS_ENABLED: 'true' },
  ...{ BUILDKITE_LOCAL_HOOKS_ENABLED: 'true', BUILDKITE_SHELL: '/bin/bash -e -c' },
};

/** From the host, the job's own and hidden ones; `set` and `unset` count from the next process on. */
export function createVariables(spec: JobSpec, host: Variables): JobEnvironment {
  const terminal = spec.tty ? { TERM: 'xterm-256color' } : {};
  // Nobody types into the terminal of a job. Agents set GIT_TERMINAL_PROMPT too.
  const runner = { GIT_TERMINAL_PROMPT: '0', BUILDKITE_ENV_FILE: envFileOf(spec) };
  const given = { ...spec.env, ...spec.hiddenEnv };
  let current: Variables = { ...host, ...terminal, ...ofAgent, ...runner, ...given };
  const rest = current['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  current = { ...current, PATH: [...spec.path, rest].join(delimiter) };
  return {
    get: () => current,
    set: (variables) => void (current = { ...current, ...variables }),
    unset(names) {
      const gone = new Set(names);
      current = Object.fromEntries(Object.entries(current).filter(([name]) => !gone.has(name)));
    },
  };
}
