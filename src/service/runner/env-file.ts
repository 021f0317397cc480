/**
 * `BUILDKITE_ENV_FILE`: the job's own variables, written as agents write them. Plugins read it to
 * pass the variables on to a container.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobSpec } from '../runner-port.ts';
import { makeScratch } from './job-run.ts';

export const envFileOf = ({ scratch }: Pick<JobSpec, 'scratch'>): string => join(scratch, 'env');

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
