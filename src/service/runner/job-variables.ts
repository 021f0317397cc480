import { delimiter, join } from 'node:path';
import { writeFileSync } from 'node:fs';
import type { JobEnvironment, JobSpec } from '../runner-port.ts';
import { makeScratch } from './job-run.ts';
import { looksSecret } from '../../dotenv/secret.ts';

type Variables = Readonly<Record<string, string>>;

export const agentVariables: Variables = {
  ...{ BUILDKITE_COMMAND_EVAL: 'true', BUILDKITE_PLUGINS_ENABLED: 'true' },
  ...{ BUILDKITE_LOCAL_HOOKS_ENABLED: 'true', BUILDKITE_SHELL: '/bin/bash -e -c' },
};

/** Combines the variables of the host and the job. Changes only affect processes started later. */
export function createVariables(spec: JobSpec, host: Variables): JobEnvironment {
  const terminal = spec.tty ? { TERM: 'xterm-256color' } : {};
  // Disables git's prompts, because nobody can respond. Agents do this too.
  const runner = { GIT_TERMINAL_PROMPT: '0', BUILDKITE_ENV_FILE: envFileOf(spec) };
  const given = { ...spec.env, ...spec.hiddenEnv };
  let current: Variables = { ...host, ...terminal, ...agentVariables, ...runner, ...given };
  const rest = current['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  current = { ...current, PATH: [...spec.path, rest].join(delimiter) };
  return {
    get: () => current,
    set: (variables) => void (current = { ...current, ...variables }),
    unset(names) {
      const left = Object.entries(current).filter(([name]) => !names.includes(name));
      current = Object.fromEntries(left);
    },
  };
}

const envFileOf = ({ scratch }: Pick<JobSpec, 'scratch'>): string => join(scratch, 'env');

/** Writes a file of variables that plugins pass to containers; only those in `spec` have values. */
export function writeEnvFile(spec: JobSpec, agent: readonly string[]): void {
  const own = Object.entries(spec.env).map(([name, value]) => `${name}=${quoted(value)}`);
  makeScratch({ spec });
  const text = [...agent, ...own].map((line) => `${line}\n`).join('');
  writeFileSync(envFileOf(spec), text, { mode: 0o600 });
}

/** Quotes like Go's `%q`, because the agent is written in Go. */
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

/** Minimum size of a secret in bytes. Shorter values are too likely to appear in other text. */
const shortest = 6;

/** Returns the secrets that are known before the job starts. */
export const secretsOf = (spec: Pick<JobSpec, 'env' | 'hiddenEnv' | 'secrets'>): string[] => [
  ...secretsIn({ ...spec.env, ...spec.hiddenEnv }),
  ...spec.secrets.filter((value) => value !== ''),
];

export const secretsIn = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables)
    .filter(([name]) => looksSecret(name))
    // A value from a file may end with a newline, which does not appear when a shell prints it.
    .map(([, value]) => value.trim())
    .filter((value) => Buffer.byteLength(value) >= shortest);
