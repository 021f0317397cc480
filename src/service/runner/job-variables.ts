/** The environment of a job while it runs: each hook may change it for what comes after. */
import { delimiter, join } from 'node:path';
import { writeFileSync } from 'node:fs';
import type { JobEnvironment, JobSpec } from '../runner-port.ts';
import { makeScratch } from './job-run.ts';
import { looksSecret } from '../../dotenv/secret.ts';

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

// `BUILDKITE_ENV_FILE`: the job's own variables, written as agents write them. Plugins read it to
// pass the variables on to a container.

const envFileOf = ({ scratch }: Pick<JobSpec, 'scratch'>): string => join(scratch, 'env');

/** `agent` are names of the agent's own variables, which agents list without a value. */
export function writeEnvFile(spec: JobSpec, agent: readonly string[]): void {
  const own = Object.entries(spec.env).map(([name, value]) => `${name}=${quoted(value)}`);
  makeScratch({ spec });
  const text = [...agent, ...own].map((line) => `${line}\n`).join('');
  writeFileSync(envFileOf(spec), text, { mode: 0o600 });
}

/** As Go quotes a string (`%q`): agents are written in it. */
const quoted = (text: string): string =>
  `"${text.replaceAll(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escaped)}"`;

const named: Readonly<Record<string, string>> = {
  ...{ '"': '\\"', '\\': '\\\\', '\x07': '\\a', '\b': '\\b', '\f': '\\f' },
  ...{ '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v' },
};

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x80) return named[character] ?? `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Bytes; a shorter value also appears in text that is no secret. */
const shortest = 6;

/** The values that the log of a job must not show from its start: of its variables, and given. */
export const secretsOf = (spec: Pick<JobSpec, 'env' | 'hiddenEnv' | 'secrets'>): string[] => [
  ...secretsIn({ ...spec.env, ...spec.hiddenEnv }),
  ...spec.secrets.filter((value) => value !== ''),
];

/** The values of variables with a secret-looking name. */
export const secretsIn = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables)
    .filter(([name]) => looksSecret(name))
    // A file read into a variable ends with a newline that the shell drops when it is printed.
    .map(([, value]) => value.trim())
    .filter((value) => Buffer.byteLength(value) >= shortest);
